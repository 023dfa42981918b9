;; Evaluators: agents whose procedures make tuples of a space.
(define-module (coracle evaluators)
  #:use-module (coracle calls)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle questions)
  #:use-module (coracle tuples)
  #:use-module (system foreign)
  #:export (start-evaluator))

(define (read-fields address count)
  (map-in-order (lambda (number) (read-field (+ address (* number sizeof-field)))) (iota count)))

;; A role with a vector of procedures; the context has the place of one of them.
(define on-evaluation
  (question-procedure (list size_t size_t)
    (lambda (role self question arguments count context)
      (let ((arguments (read-fields arguments count))
            (function (vector-ref (role-functions role) (place-of context))))
        (lambda ()
          (let ((tuple (apply function arguments)))
            (with-scratch
             (if (unspecified? tuple)
                 (coracle-answer-tuple question 0 0)
                 (coracle-answer-tuple question (place-fields tuple #f) (length tuple))))))))))

(define (place-evaluations functions number)
  (place-all functions sizeof-evaluation
    (lambda (at function place)
      (set-evaluation.name! at (place-text (key->text (car function)) "the name of a function"))
      (set-evaluation.evaluate! at on-evaluation)
      (set-evaluation.context! at (context-of number place)))))

(define-starter (start-evaluator node name (space #f) (functions '()) (at-once #f)) options
  "Start an agent of NODE that evaluates functions for the tuple space SPACE, a name, until its node
stops, and return it. FUNCTIONS is a list of pairs of a name and a procedure, whose arguments are
those of TUPLE-EVAL. Its value is the tuple that comes into the space, a list; no tuple comes if it
returns no value. The tuple (\"eval failed\" name text) comes when it fails, or refuses by REFUSE. A
procedure may wait; up to AT-ONCE evaluations are under way at the same time, else 1. When the agent
dies, another one that offers the function does what it had begun, so a procedure may be begun more
than once. Other keywords are those of OPEN-AGENT."
  (start-role node name options (require-functions functions)
    (lambda (handle place number)
      (let ((evaluator (allot sizeof-evaluator)))
        (set-evaluator.size! evaluator sizeof-evaluator)
        (set-evaluator.space! evaluator (place-text space "#:space"))
        (set-evaluator.evaluations! evaluator (place-evaluations functions number))
        (set-evaluator.evaluation_count! evaluator (length functions))
        (set-evaluator.at_once! evaluator (count-of at-once "#:at-once"))
        (set-evaluator.end! evaluator end-of-role)
        (set-evaluator.context! evaluator number)
        (coracle-evaluator-start handle place evaluator)))
    #:quiet? #t))
