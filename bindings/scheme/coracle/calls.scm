;; Remote calls: functions of other agents, by their names.
(define-module (coracle calls)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle questions)
  #:use-module (coracle tasks)
  #:use-module (coracle values)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-1)
  #:use-module (system foreign)
  #:export (call call-blindly start-service require-functions))

(define (call agent to function . arguments)
  "Call FUNCTION, a string, of the agent TO, and return its value: the symbol null if it returns
nothing. ARGUMENTS are values, as for VALUE->BYTES. After #:within and a number of seconds, which
follow them, the call fails with the kind expired. It fails with refused and the text when the
function fails, and with no-such-function when TO does not offer it."
  (call-with-values (lambda () (break keyword? arguments))
    (lambda (arguments options)
      (apply perform-call agent to function arguments options))))

(define* (perform-call agent to function arguments #:key within)
  (let ((bytes (value->bytes (list->vector arguments))))
    (performed (begin)
      (coracle-call (agent-handle agent) (place-text (target-name to) "the name of the agent")
                    (place-text function "the name of the function")
                    (place-bytes bytes (bytevector-length bytes)) (bytevector-length bytes)
                    (span-of within "#:within") 0 begin)
      (lambda (event) (car (read-values event))))))

(define (call-blindly agent to function . arguments)
  "Call FUNCTION as CALL does, but without a reply; return when the call is accepted."
  (let ((bytes (value->bytes (list->vector arguments))))
    (performed (begin)
      (coracle-call-blindly (agent-handle agent)
                            (place-text (target-name to) "the name of the agent")
                            (place-text function "the name of the function")
                            (place-bytes bytes (bytevector-length bytes))
                            (bytevector-length bytes) begin)
      (lambda (event) #t))))

;; --- services ---

;; A role with a vector of procedures; the context has the place of one of them.
(define on-call
  (question-procedure (list size_t size_t)
    (lambda (role self question arguments size context)
      (let ((arguments (vector->list (value-at arguments size)))
            (function (vector-ref (role-functions role) (place-of context))))
        (lambda ()
          (let ((value (apply function arguments)))
            (if (unspecified? value)
                (coracle-answer-done question)
                (put-value coracle-answer question value ""))))))))

(define (place-functions functions number)
  (place-all functions sizeof-function
    (lambda (at function place)
      (set-function.name! at (place-text (key->text (car function)) "the name of a function"))
      (set-function.call! at on-call)
      (set-function.context! at (context-of number place)))))

(define (require-functions functions)
  "Return the procedures of a list of pairs of a name and a procedure, as a vector."
  (unless (and (list? functions) (every pair? functions))
    (fail 'bad-argument "#:functions is a list of pairs of a name and a procedure, not " functions))
  (list->vector
   (map (lambda (each) (require-procedure (cdr each) "a function")) functions)))

(define-starter (start-service node name (functions '()) (at-once #f)) options
  "Start an agent of NODE that serves calls until its node stops, and return it. FUNCTIONS is a list
of pairs of a name and a procedure, whose arguments are those of the call. Its value goes to the
caller, as does the text of its error, or the reason of REFUSE. A procedure may wait; up to AT-ONCE
calls are under way at the same time, else 1. Other keywords are those of OPEN-AGENT."
  (start-role node name options (require-functions functions)
    (lambda (handle place number)
      (let ((service (allot sizeof-service)))
        (set-service.size! service sizeof-service)
        (set-service.functions! service (place-functions functions number))
        (set-service.function_count! service (length functions))
        (set-service.at_once! service (count-of at-once "#:at-once"))
        (set-service.end! service end-of-role)
        (set-service.context! service number)
        (coracle-service-start handle place service)))
    #:quiet? #t))
