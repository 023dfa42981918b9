;;;; Evaluators: agents whose functions make tuples of a space.

(in-package :coracle)

(cffi:defcstruct evaluation (name :pointer) (evaluate :pointer) (context :uint64))
(cffi:defcstruct evaluator
  (size :size) (space :pointer) (evaluations :pointer) (evaluation_count :size) (at_once :uint32)
  (end :pointer) (context :uint64))

(defclass evaluator (offering)
  ((space :initarg :space :initform nil :reader space-of))
  (:documentation "An agent that evaluates FUNCTIONS for the tuple space SPACE, as TUPLE-EVAL
requests. Each is a symbol, whose function is called with the evaluator and the arguments, or
(NAME FUNCTION). Its value is the tuple that comes into the space, a list; NIL or no value puts
nothing there. An error, or a REFUSAL, becomes the tuple (\"eval failed\" name text). Up to AT-ONCE
evaluations are under way at the same time. It ends with its node. When it dies, another one that
offers the function does what it had begun; so a function may be begun more than once."))

(defmethod finish ((evaluator evaluator))
  (fail 'unsupported "The evaluator ~a ends with its node." (name evaluator)))

(defun answer-tuple (handle values)
  "Answers by a tuple; by none if there is no value."
  (let ((tuple (first values)))
    (with-arena (arena)
      (let ((places (place-fields arena tuple)))
        (uninterrupted (%answer-tuple handle places (length tuple)))))))

(define-asked %evaluate ((evaluator function) (arguments :pointer) (count :size))
    ((arguments (fields-at arguments count)))
    #'answer-tuple
  (apply function evaluator arguments))

(defmethod begin-role ((evaluator evaluator) node options arena)
  (beginning (%evaluator-start node options)
      (arena evaluator
             (space (place-name? arena (space-of evaluator)))
             (evaluations (place-offered arena evaluator '(:struct evaluation) 'evaluate
                                         (cffi:callback %evaluate)))
             (evaluation_count (length (functions-of evaluator)))
             (at_once (at-once-of evaluator))
             (end (cffi:callback %end-role))
             (context (role-key evaluator)))))
