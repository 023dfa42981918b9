;;;; One way to perform an operation: wait for its result, or let a function be called with it.

(in-package :coracle)

(defun report-failure (agent condition)
  "Prints the error that has ended an agent."
  (format *error-output* "~&coracle: the agent ~a ended with an error: ~a~%" (name agent) condition)
  (finish-output *error-output*))

(defvar *on-failure* #'report-failure
  "A function of an agent and a condition that is called when an error has ended the agent.")

(defgeneric on-begun (port)
  (:documentation "An operation has begun for which a function of the loop does not wait.")
  (:method (port) (declare (ignore port))))

(defgeneric on-ended (port condition)
  (:documentation "Such an operation has ended; CONDITION is NIL if it succeeded.")
  (:method (port condition)
    (when condition (funcall *on-failure* port condition))))

(defvar *aside* nil "In a thread of IN-THREAD: the loop that performs its operations.")

(defstruct (errand (:constructor make-errand ()) (:copier nil))
  "An operation that a thread lets the thread of a loop perform."
  (lock (bt:make-lock)) (changed (bt:make-condition-variable))
  (state :waiting) ; then :begins, :begun; and :over or :left
  (operation nil) (result nil) (condition nil))

(defun change-errand (errand state)
  "Changes the state, unless the errand is over; returns the state that it had."
  (bt:with-lock-held ((errand-lock errand))
    (prog1 (errand-state errand)
      (unless (eq (errand-state errand) :over) (setf (errand-state errand) state))
      (bt:condition-notify (errand-changed errand)))))

(defun end-errand (errand result condition)
  (setf (errand-result errand) result (errand-condition errand) condition)
  (when (eq (change-errand errand :over) :left) (dispose result)))

(defun wait-for-errand (errand states)
  (bt:with-lock-held ((errand-lock errand))
    (loop until (member (errand-state errand) states)
          do (bt:condition-wait (errand-changed errand) (errand-lock errand)))))

(defun perform-aside (loop port convert starter)
  "Lets the thread of the loop begin an operation, and waits for it."
  (let ((errand (make-errand)))
    (flet ((begin (is-closed)
             (cond (is-closed (end-errand errand nil (loop-closed)))
                   ((eq (change-errand errand :begins) :waiting)
                    (setf (errand-operation errand)
                          (begin-operation loop port convert nil starter
                                           (lambda (operation)
                                             (end-errand errand (operation-result operation)
                                                         (operation-condition operation)))))
                    (change-errand errand :begun)))))
      (uninterrupted
        (unwind-protect
             (progn (ring (event-loop-bell loop) #'begin)
                    (interruptible (wait-for-errand errand '(:over))))
          (unless (eq (errand-state errand) :over)
            (wait-for-errand errand '(:waiting :begun :over)) ; it uses the arguments until then
            (when (eq (change-errand errand :left) :begun) (cancel (errand-operation errand)))))
        (values (errand-result errand) (errand-condition errand))))))

(defun perform (port convert then starter &optional has-no-result)
  "Does what STARTER begins. With THEN, returns the operation. Else returns the result, or NIL and
the condition. In a function of the port's own loop, an operation that HAS-NO-RESULT begins, and
any other one fails."
  (declare (dynamic-extent starter))
  (let ((loop (port-loop port)))
    (cond (then
           (unless loop
             (fail 'bad-argument "The port ~a has no loop in which :THEN could run; open the port ~
                                  with :LOOP." (name port)))
           (values (begin-operation loop port convert then starter) nil))
          ((and loop (eq *handling* loop))
           (unless has-no-result
             (fail 'wrong-thread "The port ~a cannot wait in a function that its loop calls; ~
                                  give a function as :THEN." (name port)))
           (on-begun port)
           (begin-operation loop port convert
                            (lambda (result condition)
                              (declare (ignore result))
                              (on-ended port condition))
                            starter)
           (values t nil))
          ((and loop (eq *aside* loop)) (perform-aside loop port convert starter))
          ((node-loop (port-node port))
           (await-operation (node-loop (port-node port)) port convert starter))
          (t (await-privately port convert starter)))))

(defmacro operating ((port then convert &key has-no-result (arena (gensym "ARENA")))
                     (begin handle) &body body)
  "Performs the call BODY, with the restarts RETRY and SKIP."
  `(recovering
    (with-arena (,arena)
      (let ((,handle (live-port ,port)))
        (perform ,port ,convert ,then (lambda (,begin) ,@body) ,has-no-result)))))

(defun dispose (result)
  "Frees the result of an operation that nobody waits for any more."
  (typecase result
    (message (give-back result))
    (cons (mapc #'dispose result))
    (port (close-port result))))

(defmacro nowhere () "The place of a result that comes as an event." '(cffi:null-pointer))

;;; --- results of events ---

(defun event-done (event port)
  (declare (ignore event port))
  t)

(defun event-number (event port)
  (declare (ignore port))
  (slot-at event event number))

(defun event-truth (event port)
  (declare (ignore port))
  (/= 0 (slot-at event event number)))

(defun new-conversation (port &key then)
  "The number of a conversation that nobody else uses."
  (operating (port then #'event-number) (begin handle)
    (%new-conversation handle (nowhere) begin)))
