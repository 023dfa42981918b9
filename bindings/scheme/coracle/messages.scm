;; Sending and receiving.
(define-module (coracle messages)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle loops)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle tasks)
  #:use-module (coracle values)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-1)
  #:use-module (srfi srfi-9)
  #:use-module (srfi srfi-9 gnu)
  #:replace (send)
  #:export (group track ask reply refuse receive receive-many try-receive new-conversation
            message? message-source message-target message-type message-reply-to message-content
            message-text message-value message-headers message-header message-conversation
            message-sequence message-tap message-gap message-gap-reason message-notice message-kind
            message-request? message-redelivered? message-earlier?
            notice? notice-stage notice-outcome notice-drop-reason notice-receiver
            hold-message keep-request acknowledge give-back-message free-message
            receipt? reached? free-receipt))

(define-record-type <message>
  (make-message handle agent source target type reply-to content headers conversation sequence tap
                gap gap-reason notice kind request? redelivered? earlier? answered?)
  message?
  (handle message-handle set-message-handle!)  ; 0 after it was freed
  (agent message-agent)
  (source message-source)
  (target message-target)
  (type message-type)
  (reply-to message-reply-to)
  (content message-content)
  (headers message-headers)
  (conversation message-conversation)
  (sequence message-sequence)
  (tap message-tap)
  (gap message-gap)
  (gap-reason message-gap-reason)
  (notice message-notice)
  (kind message-kind)
  (request? message-request?)
  (redelivered? message-redelivered?)
  (earlier? message-earlier?)
  (answered? message-answered? set-message-answered!))

(define-record-type <notice>
  (make-notice stage outcome drop-reason receiver)
  notice?
  (stage notice-stage)
  (outcome notice-outcome)
  (drop-reason notice-drop-reason)
  (receiver notice-receiver))

(set-record-type-printer! <notice>
  (lambda (notice port)
    (format port "#<notice for ~a: ~a>" (notice-receiver notice)
            (or (notice-outcome notice) (notice-stage notice)))))

(set-record-type-printer! <message>
  (lambda (message port)
    (format port "#<message from ~a to ~a, ~a bytes of ~a>" (message-source message)
            (message-target message) (bytevector-length (message-content message))
            (message-type message))))

;; --- sending ---

(define-record-type <group>
  (make-group name)
  group?
  (name group-name))

(define (group name)
  "Return the group of that name as a target: a message to it goes to each member."
  (make-group name))

(define (place-target post to)
  (cond
   ((string? to) (set-post.to! post (place-text to "the target")))
   ((message? to)
    (if (eqv? 0 (message-handle to))
        (set-post.to! post (place-text (message-source to) "the target"))
        (set-post.to_sender_of! post (message-handle to))))
   ((agent? to) (set-post.to! post (place-text (agent-name to) "the target")))
   ((group? to) (set-post.group! post (place-text (group-name to) "the group")))
   ((and (list? to) (pair? to) (every string? to))
    (set-post.many! post (place-texts to "a target"))
    (set-post.many_count! post (length to)))
   (else
    (fail 'bad-argument "the target is a name, a list of names, a group, an agent, or a message "
          "whose sender is meant, not " to))))

(define (place-content post content type)
  (let ((bytes (cond
                ((string? content) (string->utf8 content))
                ((bytevector? content) content)
                (type (value->bytes content))
                (else
                 (fail 'bad-argument "a content that is no string and no bytevector has a type "
                       "that its receivers know: give #:type, a string, with " content)))))
    (set-post.content_size! post (bytevector-length bytes))
    (set-post.content! post (place-bytes bytes (bytevector-length bytes)))
    (set-post.type! post (place-text type "#:type"))))

(define* (place-post to content #:key type conversation reply-to (headers '()) expires patience)
  (let ((post (allot sizeof-post)))
    (set-post.size! post sizeof-post)
    (when to (place-target post to))
    (place-content post content type)
    (when conversation (set-post.conversation! post (number-of conversation "#:conversation")))
    (when reply-to (set-post.reply_to! post (place-text reply-to "#:reply-to")))
    (unless (null? headers)
      (set-post.headers! post (place-headers headers))
      (set-post.header_count! post (length headers)))
    (when expires (set-post.expires! post (span-of expires "#:expires")))
    (when patience (set-post.patience! post (span-of patience "#:patience")))
    post))

(define (number-of number what)
  (unless (and (exact-integer? number) (<= 0 number #xFFFFFFFFFFFFFFFF))
    (fail 'bad-argument what " is a whole number of at most 64 bits, not " number))
  number)

(define (nothing event) #t)

(define (send agent to content . options)
  "Send CONTENT, a string or a bytevector, as AGENT; return when the mailbox of each target has
taken the message. Another value is sent as CBOR and needs #:type, as for MESSAGE-VALUE. TO is a
name, a list of names, a group, or a message whose sender is meant. The keywords are #:type,
#:conversation, #:reply-to, #:headers with a list of pairs, #:expires and #:patience in seconds."
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-send (agent-handle agent) (apply place-post to content options)
                    (begin-at loop key))))
   nothing))

(define (track agent to content . options)
  "Send as SEND does, and return a receipt, from which REACHED? learns the outcome."
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-track (agent-handle agent) (apply place-post to content options) 0
                     (begin-at loop key))))
   (lambda (event) (make-receipt* (event.receipt event)))))

(define* (ask agent to content #:key within #:allow-other-keys #:rest options)
  "Send a request, and return the reply. Fail with the kind expired after WITHIN seconds, with
refused when the agent refuses, and with unanswered when it will not reply. The keywords are those
of SEND."
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-ask (agent-handle agent)
                   (apply place-post to content (without #:within options))
                   (span-of within "#:within") 0 (begin-at loop key))))
   (lambda (event) (read-reply agent (event.message event)))))

(define (without keyword options)
  (cond
   ((or (null? options) (null? (cdr options))) options)
   ((eq? keyword (car options)) (without keyword (cddr options)))
   (else (cons* (car options) (cadr options) (without keyword (cddr options))))))

(define (require-handle message)
  (let ((handle (message-handle message)))
    (when (eqv? 0 handle)
      (fail 'bad-handle "this message is no longer in hand, because its agent has received another "
            "one, or has ended; call hold-message before, to keep it longer"))
    handle))

(define* (reply agent request content #:key type)
  "Reply to REQUEST, a message that AGENT has received."
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-reply (agent-handle agent) (require-handle request)
                     (place-post #f content #:type type) (begin-at loop key)))
     (set-message-answered! request #t))
   nothing))

(define refuse
  (case-lambda
    ((reason)
     "Refuse REQUEST, a message that AGENT has received, for REASON, a string that its sender is
told. With REASON alone: leave a function of a role, or of a service, and refuse what it was asked."
     (raise-refusal reason))
    ((agent request reason)
     (perform
      (lambda (loop key)
        (with-scratch
         (coracle-refuse (agent-handle agent) (require-handle request)
                         (place-text reason "the reason") (begin-at loop key)))
        (set-message-answered! request #t))
      nothing))))

(define (new-conversation agent)
  "Return the number of a conversation that no other agent uses."
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-new-conversation (agent-handle agent) 0 (begin-at loop key))))
   (lambda (event) (event.number event))))

;; --- receipts ---

(define-record-type <receipt>
  (make-receipt handle)
  receipt?
  (handle receipt-handle))

(define (make-receipt* handle)
  (let ((receipt (make-receipt handle)))
    (guard-object! receipt)
    receipt))

(define (free-receipt receipt)
  "Free RECEIPT, which learns nothing more. A receipt that is garbage is freed later."
  (coracle-receipt-free (receipt-handle receipt)))

(add-free-procedure! receipt? free-receipt)

(define* (reached? receipt stage #:key within)
  "Wait until the message of RECEIPT has reached STAGE, one of accepted, stored, delivered and
consumed, at every target, and return #t; return #f when it will not, or after WITHIN seconds."
  (let ((number (index-of stage '(accepted stored delivered consumed) "the stage")))
    (perform
     (lambda (loop key)
       (with-scratch
        (coracle-receipt-reached (receipt-handle receipt) number (span-of within "#:within") 0
                                 (begin-at loop key))))
     (lambda (event) (true? (event.number event))))))

;; --- receiving ---

(define* (place-match #:key from conversation type tap addressed? within hold?)
  (if (or from conversation type tap addressed? within)
      (let ((match (allot sizeof-match)))
        (set-match.size! match sizeof-match)
        (set-match.from! match (place-text from "#:from"))
        (set-match.conversation! match (number-of (or conversation 0) "#:conversation"))
        (set-match.type! match (place-text type "#:type"))
        (set-match.tap! match (number-of (or tap 0) "#:tap"))
        (set-match.addressed! match (if addressed? 1 0))
        (set-match.longest! match (span-of within "#:within"))
        match)
      0))

(define (read-headers handle)
  (with-scratch
   (let ((key (allot 16)))
     (let next ((number 0) (found '()))
       (coracle-message-header-at handle number key (+ key 8))
       (if (eqv? 0 (peek-u64 key))
           (reverse found)
           (next (+ number 1)
                 (acons (text-at (peek-u64 key)) (text-at (peek-u64 (+ key 8))) found)))))))

(define stages #(#f kept handed-out ended))
(define outcomes #(#f consumed expired refused undeliverable dropped store-lost))
(define drop-reasons #(#f oldest newest replaced late-reply receiver-gone))
(define gap-reasons #(#f mailbox rate notices unknown))
(define kinds #(plain request reply failure))

(define (name-in names number)
  (if (< number (vector-length names)) (vector-ref names number) 'unknown))

(define (read-notice info)
  (let ((stage (message_info.notice info)))
    (and (not (eqv? 0 stage))
         (make-notice (name-in stages stage)
                      (name-in outcomes (message_info.outcome info))
                      (name-in drop-reasons (message_info.drop_reason info))
                      (text-at (message_info.receiver info))))))

(define (read-message agent handle)
  (with-scratch
   (let ((info (allot sizeof-message_info)))
     (set-message_info.size! info sizeof-message_info)
     (coracle-message-read handle info)
     (make-message handle agent
                   (text-at (message_info.source info))
                   (text-at (message_info.target info))
                   (text-at (message_info.type info))
                   (text-at (message_info.reply_to info))
                   (bytes-at (message_info.content info) (message_info.content_size info))
                   (read-headers handle)
                   (message_info.conversation info)
                   (message_info.sequence info)
                   (message_info.tap info)
                   (message_info.gap info)
                   (name-in gap-reasons (message_info.gap_reason info))
                   (read-notice info)
                   (name-in kinds (message_info.copied_kind info))
                   (eqv? 1 (message_info.is_request info))
                   (eqv? 1 (message_info.redelivered info))
                   (eqv? 1 (message_info.earlier info))
                   #f))))

(define (read-reply agent handle)
  ;; A reply is acknowledged at once; so ASK does not end the hold of other messages.
  (let ((message (read-message agent handle)))
    (free-message message)
    message))

(define (free-message message)
  "Acknowledge MESSAGE and let it go. Its fields can still be read. A request without a reply ends
for its sender. The next receive of its agent does the same, unless HOLD-MESSAGE was called."
  (coracle-message-free (message-handle message))
  (set-message-handle! message 0)
  (let ((agent (message-agent message)))
    (set-agent-held! agent (delq message (agent-held agent)))))

(define (free-in-hand agent)
  (for-each free-message (agent-in-hand agent))
  (set-agent-in-hand! agent '()))

(define (receive agent . options)
  "Return the oldest message of AGENT that fits; wait for it, for at most #:within seconds, and
return #f when none came. The other keywords are #:from, #:conversation, #:type, #:tap and
#:addressed?, which leaves out what was overheard. The message stays in hand until the next receive
of AGENT, or until FREE-MESSAGE if #:hold? is true."
  (free-in-hand agent)
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-receive (agent-handle agent) (apply place-match options) 0 (begin-at loop key))))
   (lambda (event) (take-in-hand agent (event.message event) options))))

(define (take-in-hand agent handle options)
  (and (not (eqv? 0 handle))
       (let ((message (read-message agent handle)))
         (if (and (pair? options) (memq #:hold? options) (cadr (memq #:hold? options)))
             (set-agent-held! agent (cons message (agent-held agent)))
             (set-agent-in-hand! agent (cons message (agent-in-hand agent))))
         message)))

(define (try-receive agent . options)
  "Return the oldest message of AGENT that fits, as RECEIVE does; #f when there is none now."
  (free-in-hand agent)
  (with-scratch
   (let ((out (allot 8)))
     (coracle-try-receive (agent-handle agent) (apply place-match options) out)
     (take-in-hand agent (peek-u64 out) options))))

(define (receive-many agent most . options)
  "Return a list of all messages of AGENT that fit, up to MOST, with the oldest first; wait for the
first one. The keywords are those of RECEIVE; the list is empty when none came in time."
  (unless (and (exact-integer? most) (< 0 most))
    (fail 'bad-argument "receive at least 1, not " most))
  (free-in-hand agent)
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-receive-many (agent-handle agent) (apply place-match options) most 0
                            (begin-at loop key))))
   (lambda (event)
     (let ((list (event.messages event)))
       (if (eqv? 0 list)
           '()
           (let ((found (read-list agent list options)))
             (coracle-messages-free list)
             found))))))

(define (read-list agent list options)
  (with-scratch
   (let ((out (allot 8)))
     (let next ((found '()))
       (coracle-messages-next list out)
       (let ((message (take-in-hand agent (peek-u64 out) options)))
         (if message (next (cons message found)) (reverse found)))))))

;; --- messages in hand ---

(define (hold-message message)
  "Keep MESSAGE in hand beyond the next receive of its agent, until FREE-MESSAGE; for example to
reply to a request later. Return MESSAGE."
  (require-handle message)
  (let ((agent (message-agent message)))
    (set-agent-in-hand! agent (delq message (agent-in-hand agent)))
    (set-agent-held! agent (cons message (agent-held agent))))
  message)

(define (acknowledge message)
  "Consume MESSAGE now: it is not given to another holder of the name. It stays in hand."
  (coracle-message-acknowledge (require-handle message)))

(define (keep-request message)
  "Let the sender of the request MESSAGE go on waiting when it is freed without a reply."
  (coracle-message-keep (require-handle message)))

(define (give-back-message message)
  "Put MESSAGE back into its mailbox, to be received again."
  (coracle-message-give-back (require-handle message))
  (set-message-handle! message 0))

(define (end-message message)
  ;; Its agent has not finished with it: it goes back, unless it is a request that was answered.
  (unless (or (eqv? 0 (message-handle message)) (message-answered? message))
    (catch #t  ; the node has stopped
      (lambda () (give-back-message message))
      (lambda ignored #f))))

(set-message-procedures! free-message end-message message-request?)

(define (message-text message)
  "Return the content of MESSAGE as a string; bytes that are not UTF-8 are replaced."
  (bytes->text (message-content message)))

(define (message-value message)
  "Return the content of MESSAGE, which is CBOR, as a value, as BYTES->VALUE does."
  (bytes->value (message-content message)))

(define (message-header message key)
  "Return the header KEY of MESSAGE, a string; #f if there is none."
  (assoc-ref (message-headers message) (key->text key)))
