;;;; Operations and the loops to which their results come. A call that waits uses a loop, too: the
;;;; one that runs its node, or a private one.

(in-package :coracle)

(defstruct (event-loop (:constructor %make-event-loop (handle descriptor owner bell)) (:copier nil))
  "A queue of results. One thread serves any number of agents by one loop."
  (handle 0 :type handle)
  (descriptor 0 :type fixnum :read-only t)
  (owner nil :read-only t) ; the thread whose loop it is; NIL: a private loop
  (bell nil :read-only t)  ; of a loop that has an owner
  (last-key 0 :type (unsigned-byte 60))
  (operations (make-hash-table) :read-only t)
  (ended '() :type list)) ; operations whose function was not called yet, the last one first

(defvar *in-agent* nil
  "True in a function of an agent or a role, also in one that it gives as :THEN. A wait calls these,
too, and not only a turn.")

(defstruct (operation (:constructor make-operation (loop key port convert then on-end))
                      (:copier nil))
  "An operation that has begun."
  loop key port
  convert ; makes the result from the event
  then    ; is called with the result and the condition; NIL: a call waits
  on-end  ; is called with the operation as soon as it ends, or NIL
  (is-of-agent *in-agent*)
  (over nil) (result nil) (condition nil))

(defvar *handling* nil "The loop whose function runs now: nothing may wait for that loop.")

(defmethod print-object ((loop event-loop) stream)
  (print-unreadable-object (loop stream :type t :identity t)
    (format stream "~d under way" (hash-table-count (event-loop-operations loop)))))

(defmethod print-object ((operation operation) stream)
  (print-unreadable-object (operation stream :type t :identity t)
    (format stream "~:[under way~;over~]" (operation-over operation))))

(defun open-loop (owner)
  (uninterrupted
    (cffi:with-foreign-objects ((handle :uint64) (descriptor :int))
      (check (%loop-open handle))
      (let ((handle (cffi:mem-ref handle :uint64)))
        (check (%loop-descriptor handle descriptor))
        (%make-event-loop handle (cffi:mem-ref descriptor :int) owner
                          (and owner (make-bell)))))))

(defun make-event-loop ()
  "Makes a loop for the agents of this thread, which closes it by CLOSE-EVENT-LOOP."
  (open-loop (bt:current-thread)))

(defun close-event-loop (loop)
  "Closes a loop: its operations are cancelled, their functions are not called, and messages that
nobody took go back to their mailboxes."
  (uninterrupted
    (let ((handle (shiftf (event-loop-handle loop) 0)))
      (%loop-close handle)
      (loop for operation being the hash-values of (event-loop-operations loop)
            when (operation-on-end operation)
              collect operation into awaited
            finally (dolist (each awaited) (end-operation each nil (loop-closed))))
      (clrhash (event-loop-operations loop))
      (setf (event-loop-ended loop) '())
      (when (event-loop-bell loop) (close-bell (event-loop-bell loop))))))

(defmacro with-event-loop ((loop) &body body)
  "Evaluates BODY with a loop for the agents of this thread, and closes it."
  `(let ((,loop (make-event-loop)))
     (unwind-protect (progn ,@body) (close-event-loop ,loop))))

(defun require-own (loop)
  "Reports that this thread must not use the loop."
  (unless (or (null (event-loop-owner loop)) (eq (event-loop-owner loop) (bt:current-thread)))
    (fail 'wrong-thread "The loop belongs to the thread ~s; call it from there, or open the port ~
                         on a node with its own threads."
          (bt:thread-name (event-loop-owner loop))))
  (when (zerop (event-loop-handle loop)) (error (loop-closed))))

(defun loop-closed ()
  (make-condition 'bad-handle :sentence "The loop is closed; make another one."))

;;; --- beginning and ending ---

(defun begin-operation (loop port convert then starter &optional on-end)
  "Begins what STARTER, which gets a coracle_begin, does. If that fails, the operation is over."
  (require-own loop)
  (let* ((key (incf (event-loop-last-key loop)))
         (operation (make-operation loop key port convert then on-end)))
    (uninterrupted
      (setf (gethash key (event-loop-operations loop)) operation)
      (cffi:with-foreign-object (begin '(:struct begin))
        (setf (slot-at begin begin loop) (event-loop-handle loop)
              (slot-at begin begin key) key)
        (let ((error (funcall (the function starter) begin)))
          (unless (cffi:null-pointer-p error)
            (end-operation operation nil (condition-of error))))))
    operation))

(defun end-operation (operation result condition)
  (let ((loop (operation-loop operation)))
    (remhash (operation-key operation) (event-loop-operations loop))
    (setf (operation-result operation) result
          (operation-condition operation) condition
          (operation-over operation) t)
    (when (operation-on-end operation) (funcall (operation-on-end operation) operation))
    (when (operation-then operation)
      (if (operation-is-of-agent operation)
          (ring (event-loop-bell loop)
                (lambda (is-closed) (unless is-closed (call-then operation))))
          (push operation (event-loop-ended loop))))))

(defun call-then (operation)
  (funcall (the function (operation-then operation))
           (operation-result operation) (operation-condition operation)))

(defun on-event (loop event)
  (let ((operation (gethash (slot-at event event key) (event-loop-operations loop)))
        (error (slot-at event event error)))
    (if (cffi:null-pointer-p error)
        (end-operation operation
                       (funcall (the function (operation-convert operation)) event
                                (operation-port operation))
                       nil)
        (end-operation operation nil (condition-of error)))))

(defconstant +most-events+ 16)

(defun take-events (loop)
  "Lets a node of the loop do what there is to do, and ends the operations that have ended."
  (uninterrupted
    (cffi:with-foreign-objects ((events '(:struct event) 16) (count :size))
      (check (%loop-take (event-loop-handle loop) events +most-events+ count))
      (dotimes (number (cffi:mem-ref count :size))
        (on-event loop (cffi:mem-aptr events '(:struct event) number))))))

(defun cancel (operation)
  "Asks an operation to end early; it still ends, with CANCELLED or with what it had done already."
  (let ((loop (operation-loop operation)))
    (unless (operation-over operation)
      (check (%cancel (event-loop-handle loop) (operation-key operation)))))
  nil)

;;; --- functions that other threads and the library ask for ---

(defun answer-bell (loop)
  "Calls the functions that wait; returns how many."
  (let ((bell (event-loop-bell loop)) (count 0))
    (when (and bell (not (bell-is-silent bell)))
      (hear bell)
      (loop repeat (length (bell-waiting bell))
            while (bell-waiting bell)
            do (incf count)
               (let ((*handling* loop) (*in-agent* t))
                 (funcall (the function (pop (bell-waiting bell))) nil))))
    count))

(defmacro in-place ((loop) &body body)
  "Evaluates BODY, which stays in the library until functions of roles have answered."
  (let ((bell (gensym "BELL")))
    `(let ((,bell (and ,loop (event-loop-bell ,loop))))
       (if ,bell
           (unwind-protect (progn (setf (bell-is-in-place ,bell) t) ,@body)
             (setf (bell-is-in-place ,bell) nil))
           (progn ,@body)))))

;;; --- waiting ---

(cffi:defcstruct pollfd (fd :int) (events :short) (revents :short))
(declaim (inline %poll))
(cffi:defcfun ("poll" %poll) :int (waits :pointer) (count :unsigned-long) (milliseconds :int))

(defun wait-readable (descriptor)
  "Waits until the descriptor is readable, or for no reason at all."
  (cffi:with-foreign-object (wait '(:struct pollfd))
    (setf (slot-at wait pollfd fd) descriptor
          (slot-at wait pollfd events) 1)
    (interruptible (%poll wait 1 -1))))

(defun wait-any (descriptors milliseconds)
  "Those of the descriptors that are readable, after at most so long; -1: without limit."
  (with-arena (arena)
    (let ((waits (allocate-zeros arena (* (length descriptors) (size-of pollfd)))))
      (flet ((wait-at (number) (cffi:mem-aptr waits '(:struct pollfd) number)))
        (loop for descriptor in descriptors
              for number from 0
              do (setf (slot-at (wait-at number) pollfd fd) descriptor
                       (slot-at (wait-at number) pollfd events) 1))
        (interruptible (%poll waits (length descriptors) milliseconds))
        (loop for descriptor in descriptors
              for number from 0
              unless (zerop (slot-at (wait-at number) pollfd revents))
                collect descriptor)))))

(defun wait-for-loop (loop)
  "Waits until there is something to do for the loop, or for no reason at all."
  (let ((bell (event-loop-bell loop)))
    (cond ((null bell) (wait-readable (event-loop-descriptor loop)))
          ((bell-is-silent bell)
           (wait-any (list (event-loop-descriptor loop) (bell-descriptor bell)) -1)))))

(defun abandon (operation)
  "Cancels an operation whose call has been left; its result is disposed of when it comes."
  (setf (operation-then operation)
        (lambda (result condition) (declare (ignore condition)) (dispose result)))
  (cancel operation))

(defun await-operation (loop port convert starter)
  "Begins an operation and waits for it. Returns its result, or NIL and its condition."
  (uninterrupted
    (let ((operation (begin-operation loop port convert nil starter)))
      (unwind-protect
           (loop until (operation-over operation)
                 do (wait-for-loop loop)
                    (take-events loop)
                    (interruptible (answer-bell loop)))
        (unless (operation-over operation) (abandon operation)))
      (values (operation-result operation) (operation-condition operation)))))

(defvar *private-loops* '() "Loops that no thread waits for now.")
(defvar *private-loops-lock* (bt:make-lock "coracle loops"))

(defun await-privately (port convert starter)
  "The same on a loop that no other thread uses meanwhile."
  (uninterrupted
    (let ((loop (or (bt:with-lock-held (*private-loops-lock*) (pop *private-loops*))
                    (open-loop nil)))
          (over nil))
      (unwind-protect
           (multiple-value-prog1 (await-operation loop port convert starter)
             (setf over t))
        (if over
            (bt:with-lock-held (*private-loops-lock*) (push loop *private-loops*))
            (close-event-loop loop))))))

(defun close-private-loops ()
  (let ((loops (bt:with-lock-held (*private-loops-lock*) (shiftf *private-loops* '()))))
    (mapc #'close-event-loop loops)))

;;; --- running ---

(defun call-ended (loop)
  "Calls the functions of the operations that have ended; returns how many."
  (let ((ended (nreverse (shiftf (event-loop-ended loop) '()))) (count 0))
    (unwind-protect
         (loop while ended
               do (let ((operation (pop ended)) (*handling* loop))
                    (incf count)
                    (call-then operation)))
      ;; A function was left by a transfer of control: the others have their turn later.
      (setf (event-loop-ended loop) (append (event-loop-ended loop) (reverse ended))))
    count))

(defun turn (loop &key (longest 0) also)
  "Waits until the loop has something to do, for at most LONGEST seconds (NIL: without limit), and
does it: messages are handled, and functions of operations are called. Returns those of the
descriptors ALSO that are readable, which end the wait, too; and how much it did."
  (require-own loop)
  (when (eq *handling* loop)
    (fail 'wrong-thread "A function that the loop calls cannot run the loop; return instead."))
  (let ((readable '()) (count 0))
    (uninterrupted (take-events loop))
    (let* ((own (list (event-loop-descriptor loop) (bell-descriptor (event-loop-bell loop))))
           (is-idle (and (null (event-loop-ended loop))
                         (bell-is-silent (event-loop-bell loop)))))
      (when (or also is-idle)
        (setf readable (wait-any (append own also)
                                 (cond ((not is-idle) 0)
                                       ((null longest) -1)
                                       (t (ceiling (span longest) 1000000)))))
        (when (member (event-loop-descriptor loop) readable) (uninterrupted (take-events loop))))
      (incf count (answer-bell loop))
      (incf count (call-ended loop))
      (values (set-difference readable own) count))))

(defmacro run-until (loop test)
  "Runs the loop until TEST is true, which is evaluated after each turn."
  (let ((value (gensym "LOOP")))
    `(let ((,value ,loop))
       (loop until ,test do (turn ,value :longest nil)))))
