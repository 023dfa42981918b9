;;;; Questions: what the library asks the functions of a role. A function runs when the library has
;;;; returned to Lisp, so it may be left in any way, and its value becomes the answer.

(in-package :coracle)

(define-condition refusal (error)
  ((reason :initarg :reason :initform "no" :reader refusal-reason
           :documentation "Why the function refuses."))
  (:report (lambda (condition stream) (princ (refusal-reason condition) stream)))
  (:documentation "A function of a role signals it as an error to refuse, for a REASON. The agent
goes on; a stage ends its stream."))

(setf (documentation 'refusal-reason 'function) "The reason of a refusal.")

(defstruct (question (:constructor make-question (handle role answer refuse)) (:copier nil))
  "What the library asks a role."
  (handle 0 :type handle)
  (image *image*)
  role
  answer ; a function of the handle and the values, which returns the library's error
  refuse) ; one of the handle and a text

(defvar *question* nil "The question that the present function of a role answers.")

(defvar *is-kept* nil "True when the present function will answer later.")

(defun present-question ()
  (or *question*
      (fail 'wrong-thread "This call belongs into a function of a role that gives an answer.")))

(defun wanted-p ()
  "In a function of a role: true if somebody still waits for its answer."
  (cffi:with-foreign-object (out :uint8)
    (setf (cffi:mem-ref out :uint8) 0)
    (let ((error (uninterrupted (%question-is-open (question-handle (present-question)) out))))
      (if (cffi:null-pointer-p error)
          (/= 0 (cffi:mem-ref out :uint8))
          (uninterrupted (%error-free error))))))

(defun free-question (question)
  "Ends the question without an answer, if it has none."
  (when (eql (question-image question) *image*)
    (uninterrupted (%question-free (question-handle question)))))

(defun place-plain (arena text)
  "A copy of a text of the program, which may have zero characters."
  (place-text arena (substitute #\? #\Nul text)))

(defun fail-handle (handle text) (%question-fail handle text))
(defun refuse-handle (handle text) (%question-refuse handle text))

(defun end-by-text (handle function text)
  "Refuses or fails a question; nothing happens if nobody waits any more."
  (with-arena (arena)
    (let ((error (uninterrupted (funcall function handle (values (place-plain arena text))))))
      (unless (cffi:null-pointer-p error) (uninterrupted (%error-free error))))))

(defun text-of-condition (condition)
  (or (ignore-errors (princ-to-string condition)) (princ-to-string (type-of condition))))

(defgeneric note-failed-function (role condition)
  (:documentation "A function of the role has failed."))

(defun answer-question (question values)
  "Answers; fails if the values are no answer to this question. Nobody may wait any more."
  (handler-case
      (let ((error (funcall (the function (question-answer question))
                            (question-handle question) values)))
        (unless (cffi:null-pointer-p error) (error (condition-of error))))
    (stopped ())))

(defmacro with-answer-restarts ((question) &body body)
  "Evaluates BODY to values that answer the question, and can be evaluated again."
  `(loop
     (restart-case (return (progn ,@body))
       (retry () :report "Call the function again.")
       (use-value (value) :report "Answer with another value."
         :interactive (lambda () (list (eval (read *query-io*))))
         (return (answer-question ,question (list value)))))))

(defun settle (question function)
  "Calls FUNCTION, whose values answer the question unless it keeps the question."
  (let ((is-over nil) (*question* question) (*is-kept* nil))
    (unwind-protect
         (block settled
           (handler-bind
               ((refusal (lambda (condition)
                           (end-by-text (question-handle question) (question-refuse question)
                                        (text-of-condition condition))
                           (setf is-over t)
                           (return-from settled)))
                (serious-condition
                  (lambda (condition)
                    (when (and *debug-agents* (not (typep condition 'ending)))
                      (invoke-debugger condition))
                    (end-by-text (question-handle question) #'fail-handle
                                 (text-of-condition condition))
                    (setf is-over t)
                    (unless (typep condition 'ending)
                      (note-failed-function (question-role question) condition))
                    (return-from settled))))
             (with-answer-restarts (question)
               (let ((values (multiple-value-list (funcall (the function function)))))
                 (unless *is-kept* (answer-question question values))))
             (setf is-over t)))
      (unless is-over ; the function was left by a transfer of control
        (free-question question)))))

(defun answer-now (role handle answer function)
  "In a function that the library has called: answers by the values of FUNCTION. Any error refuses."
  (let ((*handling* (port-loop role)))
    (handler-case
        (let ((error (funcall answer handle (multiple-value-list (funcall function)))))
          (unless (cffi:null-pointer-p error) (error (condition-of error))))
      (serious-condition (condition)
        (end-by-text handle #'refuse-handle (text-of-condition condition))))))

;;; --- answers that come later ---

(defun keep-question ()
  "The present function returns before its answer is known."
  (let ((question (present-question)))
    (setf *is-kept* t)
    (tg:finalize question (let ((handle (question-handle question)) (image *image*))
                            (lambda ()
                              (when (eql image *image*)
                                (uninterrupted (%question-free handle))))))
    question))

(defun call-later (function)
  (let ((question (keep-question)))
    (lambda (result condition)
      (settle question
              (lambda ()
                (when condition (error condition))
                (unwind-protect (funcall (the function function) result)
                  (when (message-p result) (release result))))))))

(defmacro later ((&optional (result (gensym "RESULT"))) &body body)
  "In a function of a role, a function for :THEN. The answer to the present question is not the
value of the role's function, but that of BODY, which is evaluated with the RESULT of the
operation. If the operation fails, so does the function."
  `(call-later (lambda (,result) (declare (ignorable ,result)) ,@body)))

(defun call-in-thread (function)
  (let* ((question (keep-question)) (role (question-role question)) (loop (port-loop role)))
    (bt:make-thread (lambda ()
                      (let ((*aside* loop)) (settle question function)))
                    :name (format nil "coracle role ~a" (name role)))
    (values)))

(defmacro in-thread (&body body)
  "In a function of a role, evaluates BODY on a thread of its own, where it may wait in direct
style, also for operations of ports of the same loop. The value of BODY becomes the answer."
  `(call-in-thread (lambda () ,@body)))
