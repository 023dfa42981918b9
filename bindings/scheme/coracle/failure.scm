;; Errors of the library as exceptions.
(define-module (coracle failure)
  #:use-module (ice-9 exceptions)
  #:export (&coracle-error make-coracle-error coracle-error? coracle-error-kind
            coracle-error-sentence exception->text exception->line fail code->kind raise-refusal
            refusal?))

(define &coracle-error
  (make-exception-type '&coracle-error &error '(kind)))

(define make-plain-error (record-constructor &coracle-error))

(define coracle-error?
  (let ((is? (exception-predicate &coracle-error)))
    (lambda* (object #:optional kind)
      "Return true if OBJECT is an error of a society; with KIND, a symbol, only if it is of that
kind. The kinds are the codes of <coracle.h>: mailbox-full, expired, refused, peer-down, stopped,
bad-argument and so on."
      (and (is? object) (or (not kind) (eq? kind (coracle-error-kind object)))))))

(define coracle-error-kind
  (let ((kind (exception-accessor &coracle-error (record-accessor &coracle-error 'kind))))
    (lambda (error)
      "Return the kind of ERROR, a symbol."
      (kind error))))

(define (coracle-error-sentence error)
  "Return the sentence of ERROR: what happened, to what, and what to do."
  (exception-message error))

(define (make-coracle-error kind sentence)
  "Return an error of a society of that KIND, a symbol, with that SENTENCE."
  (make-exception (make-plain-error kind) (make-exception-with-message sentence)
                  (make-exception-with-irritants '())))

(define (fail kind . parts)
  "Raise an error of that KIND. PARTS, strings and other objects, are its sentence."
  (raise-exception
   (make-coracle-error
    kind
    (apply string-append
           (map (lambda (part) (if (string? part) part (object->string part))) parts)))))

;; A procedure of a role refuses what it was asked.
(define &refusal (make-exception-type '&refusal &error '()))
(define refusal? (exception-predicate &refusal))

(define (raise-refusal reason)
  (unless (string? reason) (fail 'bad-argument "the reason of a refusal is a string, not " reason))
  (raise-exception
   (make-exception ((record-constructor &refusal)) (make-exception-with-message reason)
                   (make-exception-with-irritants '()))))

;; In the order of their numbers.
(define kinds
  #(ok bad-name name-taken no-such-agent fenced not-permitted bad-realization bad-pattern
    bad-options too-large wrong-type bad-encoding mailbox-full absent-full deadlock expired
    undeliverable dropped refused peer-down agent-failed cancelled stopped no-credit store-lost
    wrong-thread limit-reached unsupported bad-endpoint cannot-listen unreachable disconnected
    disk-full disk-failed no-such-file file-exists bad-path no-such-function unanswered))
(define own-kinds #(bad-handle bad-argument no-memory forked failed))

(define (code->kind code)
  "Return the kind of an error with that number; unknown if the library is newer."
  (cond
   ((< code (vector-length kinds)) (vector-ref kinds code))
   ((<= 1000 code (+ 999 (vector-length own-kinds))) (vector-ref own-kinds (- code 1000)))
   (else 'unknown)))

(define (exception->text exception)
  "Return EXCEPTION as one line."
  (cond
   ((coracle-error? exception) (coracle-error-sentence exception))
   ((and (exception? exception) (exception-with-message? exception))
    (call-with-output-string
     (lambda (port)
       (let ((message (exception-message exception))
             (irritants (if (exception-with-irritants? exception)
                            (exception-irritants exception)
                            '())))
         (catch #t  ; a message may be a format with the irritants as its arguments
           (lambda () (display (apply format #f message irritants) port))
           (lambda ignored (format port "~a ~s" message irritants)))))))
   (else (object->string exception))))

(define (exception->line exception)
  "Return EXCEPTION as a text for the library, without zero bytes."
  (string-map (lambda (char) (if (char=? char #\nul) #\space char))
              (if (refusal? exception) (exception-message exception) (exception->text exception))))
