;; The player of the contract in Scheme: reads commands, acts as agents, and prints what happened.
;; bindings/contract/players.py describes the commands. by_loop: each command is a task, and the
;; node has no threads. by_threads: the node has a thread, and each command waits in a thread of
;; Guile.
(define-module (player)
  #:use-module (coracle)
  #:use-module (ice-9 match)
  #:use-module (ice-9 rdelim)
  #:use-module (ice-9 threads)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-1)
  #:export (main))

(define code->kind (@@ (coracle failure) code->kind))
(define begun-hook (@@ (coracle loops) begun-hook))

(define (kind->code kind)
  (find (lambda (code) (eq? kind (code->kind code)))
        (append (iota 100) (iota 10 1000))))

;; --- commands and answers as text ---

(define (decode text)
  (let next ((chars (string->list text)) (bytes '()))
    (match chars
      (() (utf8->string (u8-list->bytevector (reverse bytes))))
      ((#\% high low . rest)
       (next rest (cons (string->number (string high low) 16) bytes)))
      ((char . rest) (next rest (cons (char->integer char) bytes))))))

(define (encode bytes)
  (string-concatenate
   (map (lambda (byte)
          (let ((char (integer->char byte)))
            (if (or (char-set-contains? (char-set-intersection char-set:ascii
                                                               char-set:letter+digit)
                                        char)
                    (string-index "/-_." char))
                (string char)
                (string-append "%" (if (< byte 16) "0" "") (number->string byte 16)))))
        (bytevector->u8-list bytes))))

(define (shown value)
  (match value
    ((? bytevector? bytes) (encode bytes))
    ((? string? text) (encode (string->utf8 text)))
    ((? symbol? name) (string-join (string-split (symbol->string name) #\-) "_"))
    (#t "1")
    (#f "0")
    ((? number? number) (number->string number))))

(define output (make-mutex))

(define (answer number . fields)
  (let ((line (string-append number " ok" (apply string-append fields) "\n")))
    (with-mutex output
      (display line)
      (force-output))))

(define (field key value)
  (string-append " " key "=" (shown value)))

(define (answer-error number error)
  (with-mutex output
    (format #t "~a error code=~a text=~a\n" number (kind->code (coracle-error-kind error))
            (shown (coracle-error-sentence error)))
    (force-output)))

(define (overheard-fields message)
  ;; The fields that only a message has that was overheard.
  (let* ((notice (message-notice message))
         (of-notice (lambda (get) (and notice (get notice)))))
    (filter-map (match-lambda ((key . value) (and value (field key value))))
                `(("gap_reason" . ,(message-gap-reason message))
                  ("notice" . ,(of-notice notice-stage))
                  ("outcome" . ,(of-notice notice-outcome))
                  ("drop_reason" . ,(of-notice notice-drop-reason))
                  ("receiver" . ,(of-notice notice-receiver))))))

(define (message-fields message)
  (string-concatenate
   (append
    (list (field "source" (message-source message))
          (field "target" (message-target message))
          (field "type" (message-type message))
          (field "reply_to" (message-reply-to message))
          (field "text" (message-content message))
          (field "conversation" (message-conversation message))
          (field "tap" (message-tap message))
          (field "gap" (message-gap message))
          (field "request" (message-request? message))
          (field "redelivered" (message-redelivered? message))
          (field "earlier" (message-earlier? message))
          (field "kind" (message-kind message)))
    (overheard-fields message)
    (map (match-lambda ((key . value) (field (string-append "header." key) value)))
         (message-headers message)))))

;; --- commands ---

(define node #f)
(define agents (make-hash-table))
(define kept (make-hash-table))  ; messages and receipts by the number of their command
(define running (make-hash-table))  ; tasks or threads by the number of their command

(define-syntax match-verb
  (syntax-rules ()
    ((_ verb (name body ...) ...)
     (cond ((string=? verb name) body ...) ...
           (else (error "unknown command" verb))))))

(define (perform-command number verb fields cancel)
  (define (text key) (assoc-ref fields key))
  (define (count key) (and=> (text key) string->number))
  (define (seconds key) (and=> (count key) (lambda (span) (/ span 1000000000))))
  (define (words key) (string-tokenize (text key)))
  (define (agent) (hash-ref agents (text "agent")))
  (define (message) (hash-ref kept (text "message")))
  (define (given . pairs)
    (append-map (match-lambda ((keyword value) (if value (list keyword value) '()))) pairs))
  (define (with-prefix prefix convert)
    (filter-map (match-lambda
                  ((key . value)
                   (and (string-prefix? prefix key)
                        (cons (substring key (string-length prefix)) (convert value)))))
                fields))
  (define (properties)
    (append (with-prefix "integer." string->number) (with-prefix "string." identity)))
  (define (target)
    (cond ((text "to") => identity)
          ((text "group") => group)
          (else (words "many"))))
  (define (post)
    (given `(#:type ,(text "type")) `(#:conversation ,(count "conversation"))
           `(#:reply-to ,(text "reply_to")) `(#:headers ,(with-prefix "header." identity))
           `(#:expires ,(seconds "expires")) `(#:patience ,(seconds "patience"))))
  (define (match)
    (given `(#:from ,(text "from")) `(#:conversation ,(count "conversation"))
           `(#:type ,(text "type")) `(#:tap ,(count "tap"))
           `(#:addressed? ,(text "addressed")) `(#:within ,(seconds "longest")) '(#:hold? #t)))
  (define (content) (or (text "text") ""))
  (define (done . ignored) (answer number))
  (define (numbered value) (answer number (field "number" value)))
  (define (received message)
    (cond
     ((not message) (numbered 0))
     (else
      (when (text "keep") (hash-set! kept number message))
      (answer number (field "number" 0) (message-fields message))
      (unless (text "keep") (free-message message)))))
  (define (opened agent)
    (hash-set! agents (text "agent") agent)
    (done))
  (match-verb verb
    ("open"
     (opened
      (apply open-agent node (text "agent")
             (given `(#:mailbox-messages ,(count "messages")) `(#:mailbox-bytes ,(count "bytes"))
                    `(#:overflow ,(and=> (count "overflow")
                                         (lambda (number)
                                           (list-ref '(wait fail drop-oldest drop-newest
                                                       keep-latest redirect)
                                                     number))))
                    `(#:redirect ,(text "redirect")) `(#:properties ,(properties))
                    `(#:take-over? ,(text "take_over"))))))
    ("close" (done (close-agent (agent))))
    ("send" (apply send (agent) (target) (content) (post)) (numbered 0))
    ("track"
     (hash-set! kept number (apply track (agent) (target) (content) (post)))
     (numbered 0))
    ("reached"
     (numbered (reached? (hash-ref kept (text "receipt"))
                         (list-ref '(accepted stored delivered consumed) (count "stage"))
                         #:within (seconds "longest"))))
    ("ask"
     (received (apply ask (agent) (target) (content) #:within (seconds "longest") (post))))
    ("reply" (done (reply (agent) (message) (content) #:type (text "type"))))
    ("refuse" (done (refuse (agent) (message) (content))))
    ("receive" (received (apply receive (agent) (match))))
    ("try_receive" (received (apply try-receive (agent) (match))))
    ("receive_many"
     (let ((messages (apply receive-many (agent) (count "most") (match))))
       (answer number (field "texts" (string-join (map message-text messages) " ")))
       (for-each free-message messages)))
    ("conversation" (numbered (new-conversation (agent))))
    ("join" (done (join-group (agent) (text "group") #:last (or (count "last") 0))))
    ("leave" (done (leave-group (agent) (text "group"))))
    ("members"
     (answer number (field "names" (string-join (group-members (agent) (text "group")) " "))))
    ("overhear"
     (numbered (overhear (agent) #:source (text "source") #:target (text "target")
                         #:text (text "text") #:limit (count "limit")
                         #:rate (count "rate") #:outcomes (text "outcomes")
                         #:components (with-prefix "component." identity))))
    ("stop_overhearing" (done (stop-overhearing (agent) (count "tap"))))
    ("describe" (done (describe (agent) (properties))))
    ("search"
     (let ((found (search (agent) #:prefix (text "prefix")
                          #:where (map (lambda (pair) (list '= (car pair) (cdr pair)))
                                       (properties)))))
       (answer number (field "names" (string-join (map entry-name found) " ")))))
    ("watch"
     (let ((reason (watch (agent) (text "name"))))
       (numbered (list-index (lambda (each) (eq? each reason))
                             '(stopped crashed unreachable expired fenced)))))
    ("acknowledge" (done (acknowledge (message))))
    ("keep_open" (done (keep-request (message))))
    ("free" (done (free-message (message))))
    ("give_back" (done (give-back-message (message))))
    ("cancel" (done (cancel (hash-ref running (text "what")))))
    ("stop"
     (let ((report (stop-node node #:within (seconds "longest"))))
       (answer number
               (field "clean" (stop-report-clean? report))
               (field "alive" (stop-report-still-alive report))
               (field "undelivered" (stop-report-undelivered report))
               (field "kept" (stop-report-kept report)))))))

(define (obey line cancel)
  (match (string-split line #\space)
    ((number verb . fields)
     (with-exception-handler
      (lambda (error)
        (if (coracle-error? error) (answer-error number error) (raise-exception error)))
      (lambda ()
        (perform-command number verb
                         (map (lambda (field)
                                (let ((at (string-index field #\=)))
                                  (cons (substring field 0 at)
                                        (decode (substring field (+ at 1))))))
                              fields)
                         cancel))
      #:unwind? #t))))

(define (number-of line)
  (car (string-split line #\space)))

;; --- the two ways ---

;; Returns a society that begins: the number of its command, and its realization.
(define (read-society)
  (let ((line (read-line)))
    (unless (eof-object? line)
      (match (string-split line #\space)
        ((number "begin" realization)
         (cons number (decode (substring realization (string-length "realization=")))))))))

(define (ends-society? line)
  (or (eof-object? line) (string-suffix? " end" line)))

(define (forget-all)
  (for-each hash-clear! (list agents kept running)))

(define (by-loop society)
  (match society
    ((number . realization)
     (let ((last (with-node (its-node realization)
                   (set! node its-node)
                   (answer number)
                   (let next ()
                     (await-input (current-input-port))
                     (let ((line (read-line)))
                       (cond
                        ((ends-society? line) line)
                        (else
                         (hash-set! running (number-of line)
                                    (spawn-task (lambda () (obey line cancel-task))))
                         (next))))))))
       (forget-all)
       (answer (number-of last))
       (by-loop (read-society))))
    (_ #t)))

(define (cancel-thread thread)
  (system-async-mark (lambda () (raise-exception cancelled)) thread))

(define cancelled
  ((@@ (coracle failure) make-coracle-error) 'cancelled "the thread was interrupted"))

;; Returns a thread that obeys, when it has begun to wait, or has ended.
(define (begin-to-obey line)
  (let* ((mutex (make-mutex))
         (changed (make-condition-variable))
         (begun? #f))
    (define (begun)
      (with-mutex mutex
        (set! begun? #t)
        (signal-condition-variable changed)))
    (with-mutex mutex
      (let ((thread (call-with-new-thread
                     (lambda ()
                       (fluid-set! begun-hook begun)
                       (obey line cancel-thread)
                       (begun)))))
        (while (not begun?) (wait-condition-variable changed mutex))
        thread))))

(define (by-threads society)
  (match society
    ((number . realization)
     (set! node (open-node realization #:workers 1))
     (answer number)
     (let next ()
       (let ((line (read-line)))
         (cond
          ((ends-society? line)
           (close-node node)
           (forget-all)
           (answer (number-of line))
           (by-threads (read-society)))
          (else
           (hash-set! running (number-of line) (begin-to-obey line))
           (next))))))
    (_ #t)))

(define (main arguments)
  (match arguments
    (("by_loop") (by-loop (read-society)))
    (("by_threads") (by-threads (read-society)))
    (_
     (display "usage: player by_loop|by_threads\n" (current-error-port))
     (exit 2))))
