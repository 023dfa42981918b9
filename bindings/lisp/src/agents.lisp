;;;; Agents: in direct style on a thread of their own, or many on one thread that runs their loop.

(in-package :coracle)

(defclass agent (port)
  ((thread :initform nil :accessor agent-thread)
   (lock :initform (bt:make-lock "coracle agent") :reader agent-lock)
   (changed :initform (bt:make-condition-variable) :reader agent-changed)
   (state :initform nil :accessor agent-state) ; :alive or :ended
   (result :initform nil :accessor agent-result)
   (is-finishing :initform nil :accessor is-finishing)
   ;; Of an agent of a loop:
   (pending :initform 0 :accessor agent-pending) ; operations that have begun
   (current :initform nil :accessor agent-current)) ; the message that it handles
  (:documentation "Derive agents from this class, with a method of RUN or of HANDLE."))

(defgeneric run (agent)
  (:documentation "The life of an agent in direct style, on a thread of its own; its values are the
result of AWAIT. By default, it calls BEGIN and then HANDLE for each message, until FINISH."))

(defgeneric begin (agent)
  (:documentation "Is called once, before the agent's first message.")
  (:method ((agent agent))))

(defgeneric handle (agent message)
  (:documentation "Is called for each message, which is acknowledged then."))

(defvar *debug-agents* nil
  "True: an error in an agent enters the debugger before the agent ends.")

(defmethod run ((agent agent))
  (begin agent)
  (loop until (is-finishing agent)
        do (with-message (message agent)
             (with-simple-restart (skip "Continue with the next message.")
               (handle agent message)))))

(defgeneric start (agent node &key &allow-other-keys)
  (:documentation "Starts an agent, or a new one of that class: it joins the society, and acts.
With a :LOOP, or on a node that has one, it handles messages when the loop runs; else it has a
thread. A role runs on a node that has a loop. The options are those of OPEN-PORT. Returns the
agent."))

(defgeneric finish (agent)
  (:documentation "Lets an agent that handles messages end after this one. A role ends when it has
served what it has taken, or is asked next; a stage takes no more items, and its stream ends; a role
by which the program acts ends after the operations that have begun.")
  (:method ((agent agent)) (setf (is-finishing agent) t)))

(defgeneric alive-p (agent)
  (:documentation "True from START until the agent has ended.")
  (:method ((agent agent)) (eq (agent-state agent) :alive)))

(defgeneric await (agent &key longest)
  (:documentation "Waits until the agent has ended, and returns the values of its RUN. Signals
AGENT-FAILED if it ended with an error, and EXPIRED after LONGEST seconds."))

(defun note-failure (agent condition)
  "Notes why the agent ends. Those whose requests it has are told so, with this text."
  (unless (port-failure agent)
    (setf (port-failure agent)
          (format nil "The agent ~a ended with an error: ~a" (name agent)
                  (or (ignore-errors (princ-to-string condition)) (type-of condition))))
    (ignore-errors (funcall *on-failure* agent condition))))

(defmacro guarding ((agent &optional (left '(values))) &body body)
  "Evaluates BODY. An error in it is noted, and then LEFT is evaluated; so it is when the node or
the agent's name ends, which is no error."
  (let ((block (gensym "BLOCK")))
    `(block ,block
       (handler-bind ((ending (lambda (condition)
                                (declare (ignore condition))
                                (return-from ,block ,left)))
                      (bad-handle (lambda (condition)
                                    (declare (ignore condition))
                                    ;; The node may end before the agent begins.
                                    (when (zerop (port-handle ,agent))
                                      (return-from ,block ,left))))
                      (serious-condition (lambda (condition)
                                           (when *debug-agents* (invoke-debugger condition))
                                           (note-failure ,agent condition)
                                           (return-from ,block ,left))))
         ,@body))))

(defun tell-failure (agent)
  "If the agent has failed, those who watch it shall know."
  (when (and (port-failure agent) (not (zerop (port-handle agent))))
    (with-arena (arena)
      (ignore-errors
       (check (%port-fail (port-handle agent)
                          (values (place-plain arena (port-failure agent)))))))))

(defun end-agent (agent)
  "Lets the agent leave the society, and wakes those who await its end."
  (tell-failure agent)
  (close-port agent)
  (bt:with-lock-held ((agent-lock agent))
    (setf (agent-state agent) :ended)
    #+sbcl (sb-thread:condition-broadcast (agent-changed agent))
    #+ecl (mp:condition-variable-broadcast (agent-changed agent))
    #-(or sbcl ecl) (bt:condition-notify (agent-changed agent))))

(defun live (agent)
  (unwind-protect
       (guarding (agent) (setf (agent-result agent) (multiple-value-list (run agent))))
    (end-agent agent)))

(defmethod start ((agent agent) node &rest options &key loop &allow-other-keys)
  (when (and (or loop (node-loop node)) *handling*)
    (fail 'wrong-thread "An agent of a loop cannot be started in a function that the loop calls."))
  (recovering (apply #'join-society agent node nil loop (without options :loop)))
  (setf (agent-state agent) :alive
        (agent-result agent) nil
        (is-finishing agent) nil)
  (if (port-loop agent)
      (start-on-loop agent)
      (setf (agent-thread agent)
            (bt:make-thread (lambda () (live agent))
                            :name (format nil "coracle agent ~a" (name agent)))))
  agent)

(defun end-of (longest)
  "The time at which so many seconds have passed; NIL: never."
  (and longest (+ (get-internal-real-time) (ceiling (* longest internal-time-units-per-second)))))

(defun time-left (end)
  (and end (max 0d0 (/ (- end (get-internal-real-time))
                       (float internal-time-units-per-second 1d0)))))

(defun require-time (end control &rest arguments)
  (when (eql (time-left end) 0d0) (apply #'fail 'expired control arguments)))

(defmethod await ((agent agent) &key longest)
  (let ((end (end-of longest)))
    (loop while (alive-p agent)
          do (require-time end "The agent ~a has not ended in ~a seconds." (name agent) longest)
             (if (port-loop agent)
                 (turn (port-loop agent) :longest (time-left end))
                 (wait-for-change agent (time-left end))))
    (when (port-failure agent) (fail 'agent-failed "~a" (port-failure agent)))
    (values-list (agent-result agent))))

(defun wait-for-change (agent longest)
  (bt:with-lock-held ((agent-lock agent))
    (when (alive-p agent)
      (bt:condition-wait (agent-changed agent) (agent-lock agent) :timeout longest))))

;;; --- on a loop ---

(defun start-on-loop (agent)
  (setf (agent-pending agent) 0)
  (let ((*handling* (port-loop agent)) (*in-agent* t))
    (guarding (agent (finish agent)) (begin agent))
    (continue-when-idle agent)))

(defun on-message (agent message condition)
  (cond (message
         (setf (agent-current agent) message)
         (guarding (agent (finish agent))
           (with-simple-restart (skip "Continue with the next message.")
             (handle agent message))))
        ((typep condition 'ending) (finish agent))
        (t (note-failure agent condition)))
  (continue-when-idle agent))

(defun continue-when-idle (agent)
  "When all that the agent has begun is over, releases its message and waits for the next one."
  (when (and (zerop (agent-pending agent)) (agent-current agent))
    (end-message (agent-current agent)))
  (when (zerop (agent-pending agent))
    (setf (agent-current agent) nil)
    (cond ((not (alive-p agent)))
          ((or (port-failure agent) (is-finishing agent)) (end-agent agent))
          (t (guarding (agent (end-agent agent))
               (take agent :then (lambda (message condition)
                                   (on-message agent message condition))))))))

(defmethod on-begun ((agent agent))
  (incf (agent-pending agent)))

(defmethod on-ended ((agent agent) condition)
  (when (and condition (alive-p agent))
    (if (typep condition 'ending) (finish agent) (note-failure agent condition)))
  (decf (agent-pending agent))
  (continue-when-idle agent))
