;;;; A condition for each code of <coracle.h>, in four families.

(in-package :coracle)

(defgeneric code (condition)
  (:documentation "The number of the condition in <coracle.h>."))
(defgeneric sentence (condition)
  (:documentation "The sentence that says what happened, to what, and what to do."))

(define-condition coracle-error (error)
  ((code :initarg :code :initform 1004 :reader code)
   (sentence :initarg :sentence :reader sentence))
  (:report (lambda (condition stream) (write-string (sentence condition) stream)))
  (:documentation "An operation has failed."))

(define-condition misuse (coracle-error) ()
  (:documentation "The program asks for something that cannot be."))
(define-condition delivery-error (coracle-error) ()
  (:documentation "A message, or the reply to it, did not arrive."))
(define-condition ending (coracle-error) ()
  (:documentation "The agent, its node or the operation ends."))
(define-condition environment-error (coracle-error) ()
  (:documentation "The network, a disk or the memory does not do its part."))

(defvar *conditions* (make-hash-table) "From the code to the name of the condition.")

(defmacro define-codes (family &rest codes)
  "Defines, and exports, a condition for each (NAME CODE DOCUMENTATION)."
  `(progn
     ,@(loop for (name code documentation) in codes
             collect `(define-condition ,name (,family) ()
                        (:default-initargs :code ,code)
                        (:documentation ,documentation))
             collect `(setf (gethash ,code *conditions*) ',name)
             collect `(export ',name))))

(define-codes misuse
  (bad-name 1 "A text is no name of an agent or a group.")
  (name-taken 2 "Another agent has this name.")
  (not-permitted 5 "The policy of the society does not allow it.")
  (bad-realization 6 "No realization is known by this text.")
  (bad-pattern 7 "A pattern is no regular expression.")
  (bad-options 8 "An option is impossible.")
  (too-large 9 "The content is larger than a node's limit.")
  (wrong-type 10 "The content is of another type.")
  (bad-encoding 11 "The bytes are not a value in CBOR.")
  (deadlock 14 "Agents wait for each other.")
  (wrong-thread 25 "The call is not allowed on this thread, or waits where it must not.")
  (limit-reached 26 "A limit is reached.")
  (unsupported 27 "The library, or the realization, does not do this.")
  (no-such-function 37 "The agent offers no function with this name.")
  (bad-handle 1000 "The object is closed or released.")
  (bad-argument 1001 "An argument is impossible.")
  (forked 1003 "The process was forked after the library was used."))

(define-codes delivery-error
  (no-such-agent 3 "No agent has this name.")
  (mailbox-full 12 "The target's mailbox had no room in time.")
  (absent-full 13 "Too many messages wait for an absent agent.")
  (expired 15 "The deadline has passed.")
  (undeliverable 16 "The message cannot be delivered.")
  (dropped 17 "The message was dropped.")
  (refused 18 "The request, or the message, was refused.")
  (peer-down 19 "The agent that took the request has ended.")
  (agent-failed 20 "The agent ended with an error.")
  (no-credit 23 "The target takes no more for now.")
  (unanswered 38 "The request was read, and nobody replied."))

(define-codes ending
  (fenced 4 "Another holder took the agent's name over.")
  (cancelled 21 "The operation was cancelled.")
  (stopped 22 "The node has stopped."))

(define-codes environment-error
  (store-lost 24 "The message store is lost.")
  (bad-endpoint 28 "A text is no address.")
  (cannot-listen 29 "The address cannot be listened at.")
  (unreachable 30 "The other side cannot be reached.")
  (disconnected 31 "The connection has ended.")
  (disk-full 32 "The disk is full.")
  (disk-failed 33 "The disk has failed.")
  (no-such-file 34 "There is no such file.")
  (file-exists 35 "The file exists already.")
  (bad-path 36 "A text is no path.")
  (no-memory 1002 "There is no memory left."))

(defun condition-of (error)
  "The condition for an error of the library, which is freed."
  (uninterrupted
    (let ((code (%error-code error)) (sentence (name-at (%error-sentence error))))
      (%error-free error)
      (make-condition (gethash code *conditions* 'coracle-error) :code code :sentence sentence))))

(defun fail (type control &rest arguments)
  "Signals a condition of this interface."
  (error type :sentence (apply #'format nil control arguments)))

(defun fail-argument (control &rest arguments)
  (apply #'fail 'bad-argument control arguments))

(defmacro check (call)
  "Calls a function of the library, uninterrupted; signals the condition if it fails."
  (let ((error (gensym "ERROR")))
    `(let ((,error (uninterrupted ,call)))
       (unless (cffi:null-pointer-p ,error) (error (condition-of ,error))))))

(defmacro recovering (form)
  "Evaluates FORM, whose second value is a condition or NIL, and returns its first value. Signals the
condition with the restarts RETRY, which evaluates FORM again, and SKIP, which returns NIL."
  (let ((result (gensym "RESULT")) (condition (gensym "CONDITION")) (block (gensym "BLOCK")))
    `(block ,block
       (loop
         (multiple-value-bind (,result ,condition) ,form
           (unless ,condition (return-from ,block ,result))
           (restart-case (error ,condition)
             (retry () :report "Do the operation again.")
             (skip () :report "Continue without its result." (return-from ,block nil))))))))
