;;;; Roles: agents whose functions the library calls. Each runs on a node of a loop.

(in-package :coracle)

(defclass role ()
  ((name :initarg :name :initform nil :reader name)
   (node :initform nil :accessor port-node)
   (loop :initform nil :accessor port-loop)
   (handle :initform 0 :accessor port-handle) ; of a role by which the program acts
   (key :initform 0 :accessor role-key)
   (more-keys :initform '() :accessor more-keys) ; of what else the library knows by a key
   (state :initform nil :accessor role-state) ; :alive or :ended
   (failure :initform nil :accessor port-failure)
   (is-finishing :initform nil :accessor is-finishing))
  (:documentation "Derive from one of its subclasses, with methods of the functions of that role."))

(defmethod print-object ((role role) stream)
  (print-unreadable-object (role stream :type t :identity t)
    (format stream "~a~@[ (~(~a~))~]" (or (name role) "") (role-state role))))

(defmethod note-failed-function ((role role) condition)
  (setf (port-failure role)
        (format nil "The agent ~a ended with an error: ~a" (name role)
                (text-of-condition condition)))
  (ignore-errors (funcall *on-failure* role condition)))

(defmethod alive-p ((role role)) (eq (role-state role) :alive))

(defclass self-ending-role (role) ()
  (:documentation "A role that ends by itself, or with its node."))

(defun free-role (role)
  "Frees the handle of a role by which the program acts, if it has one; returns true then."
  (let ((handle (shiftf (port-handle role) 0)))
    (unless (zerop handle)
      (uninterrupted (%role-free handle))
      t)))

(defmethod finish ((role role))
  (when (and *question* (eq (question-role *question*) role)) ; then with the answer
    (check (uninterrupted (%question-end (question-handle *question*)))))
  (setf (is-finishing role) t)
  (when (free-role role) (setf (role-state role) :ended))
  nil)

(defmethod finish ((role self-ending-role))
  (fail 'unsupported "~a ends by itself, or with its node." (name role)))

(defmethod await ((role role) &key longest)
  (let ((end (end-of longest)))
    (loop while (alive-p role)
          do (require-time end "The role ~a has not ended in ~a seconds." (name role) longest)
             (turn (port-loop role) :longest (time-left end))))
  (when (port-failure role) (fail 'agent-failed "~a" (port-failure role)))
  nil)

;;; --- what the library knows roles by ---

(defvar *roles* (make-hash-table) "From the key, which is a context in C, to the role or its kind.")
(defvar *roles-lock* (bt:make-lock "coracle roles"))
(defvar *last-role* 0)

(defmacro with-roles-locked (() &body body) `(bt:with-lock-held (*roles-lock*) ,@body))

(defun enrol (node role)
  "The key of a role that begins on a node."
  (bt:with-lock-held (*roles-lock*)
    (let ((key (incf *last-role*)))
      (setf (gethash key *roles*) role)
      (push key (node-roles node))
      key)))

(defun enrolled (key)
  (bt:with-lock-held (*roles-lock*) (gethash key *roles*)))

(defun strike-off (node key)
  (bt:with-lock-held (*roles-lock*)
    (setf (node-roles node) (delete key (node-roles node) :count 1))
    (remhash key *roles*)))

(defun enrol-part (role part)
  "The key of a part of a role, which ends with the role."
  (let ((key (enrol (port-node role) part)))
    (push key (more-keys role))
    key))

(defun strike-off-all (node)
  "The node is closed: its roles have ended."
  (let ((roles (bt:with-lock-held (*roles-lock*)
                 (loop for key in (shiftf (node-roles node) '())
                       collect (gethash key *roles*)
                       do (remhash key *roles*)))))
    (dolist (each roles) (on-last-call each))))

(defgeneric role-in (entry self)
  (:documentation "The role that the agent SELF has, and what else a function of it needs.")
  (:method ((role role) self) (declare (ignore self)) role))

(defgeneric on-last-call (entry)
  (:documentation "The library no longer uses the entry.")
  (:method (entry) (declare (ignore entry)))
  (:method ((role role))
    (setf (role-state role) :ended)
    (dolist (key (shiftf (more-keys role) '())) (strike-off (port-node role) key))
    (free-role role)))

(defgeneric rests-when-finishing-p (role)
  (:documentation "True if the role is asked nothing more after FINISH.")
  (:method (role) (declare (ignore role))))

;;; --- calls of the library ---

(defmacro guarding-library ((&optional question) &body body)
  "Evaluates BODY in a function that the library has called, and which must return to it."
  (let ((value (gensym "VALUE")))
    `(let ((,value 0))
       (block guarded
         (unwind-protect
              (handler-case (setf ,value (progn ,@body))
                (serious-condition (condition)
                  (declare (ignorable condition))
                  ,(and question `(end-by-text ,question #'fail-handle
                                               (text-of-condition condition)))))
           (return-from guarded ,value)))))) ; whatever leaves BODY

(defun end-agent-now (role self)
  "In a function that the library has called: lets the agent end, with the failure of its role."
  (with-arena (arena)
    (let ((error (%agent-end self (if (port-failure role)
                                      (place-plain arena (port-failure role))
                                      (cffi:null-pointer)))))
      (unless (cffi:null-pointer-p error) (%error-free error)))))

(defun end-if-finishing (role self)
  (when (is-finishing role) (end-agent-now role self)))

(defun call-soon (role function)
  "Lets the role's loop call FUNCTION, now if its thread cannot return before."
  (let ((bell (event-loop-bell (port-loop role))))
    (ring bell function)
    (when (bell-is-in-place bell)
      (guarding-library () (answer-bell (port-loop role))))))

(defun pose (role self handle answer refuse function)
  "Lets FUNCTION answer a question of the library."
  (let ((question (make-question handle role answer refuse)))
    (end-if-finishing role self)
    (if (and (is-finishing role) (rests-when-finishing-p role))
        (let ((error (%answer-done handle)))
          (unless (cffi:null-pointer-p error) (%error-free error)))
        (call-soon role (lambda (is-closed)
                          (if is-closed
                              (free-question question)
                              (settle question function)))))))

(defun tell (role self function)
  "Lets FUNCTION be called, which gives no answer."
  (end-if-finishing role self)
  (call-soon role (lambda (is-closed)
                    (unless is-closed
                      (block told
                        (handler-bind ((serious-condition
                                         (lambda (condition)
                                           (when *debug-agents* (invoke-debugger condition))
                                           (note-failed-function role condition)
                                           (setf (is-finishing role) t) ; when it is called next
                                           (return-from told))))
                          (funcall (the function function))))))))

(defmacro define-asked (name ((role &optional (more (gensym "MORE"))) &rest arguments)
                        copies answer form &optional (refuse '#'refuse-handle))
  "Defines a function that the library calls with a question. ROLE and MORE are the values of
ROLE-IN. ARGUMENTS are those in C between the question and the context. COPIES are bound before it
returns; the values of FORM are given to the function ANSWER, the text of a REFUSAL to REFUSE."
  `(cffi:defcallback ,name :void
       ((self :uint64) (question :uint64) ,@arguments (context :uint64))
     (guarding-library (question)
       (multiple-value-bind (,role ,more) (role-in (enrolled context) self)
         (declare (ignorable ,more))
         (let* ,copies
           (pose ,role self question ,answer ,refuse (lambda () ,form)))))))

(defmacro define-told (name (role &rest arguments) copies form)
  "The same for a function without a question."
  `(cffi:defcallback ,name :void ((self :uint64) ,@arguments (context :uint64))
     (guarding-library ()
       (let* ((,role (role-in (enrolled context) self)) ,@copies)
         (tell ,role self (lambda () ,form))))))

(cffi:defcallback %end-role :void ((context :uint64))
  (guarding-library ()
    (let ((entry (enrolled context)))
      (when (typep entry 'role)
        (strike-off (port-node entry) context)
        (on-last-call entry)
        (ring (event-loop-bell (port-loop entry)) #'identity))))) ; who waits for it, looks again

;;; --- beginning ---

(defgeneric begin-role (role node options arena)
  (:documentation "Lets the library start the agent. OPTIONS are its coracle_agent_options."))

(defgeneric functions-needed (role)
  (:documentation "Generic functions that need a method for the role.")
  (:method-combination append))
(defmethod functions-needed append (role) (declare (ignore role)) '())

(defun has-method-p (function role)
  "True if FUNCTION, a symbol, has a method for a role."
  (loop for method in (#+sbcl sb-mop:generic-function-methods #+ecl clos:generic-function-methods
                       (fdefinition function))
          thereis (typep-specializer role (first (#+sbcl sb-mop:method-specializers
                                                  #+ecl clos:method-specializers method)))))

(defun typep-specializer (object specializer)
  (if (typep specializer 'class)
      (typep object specializer)
      (eql object (#+sbcl sb-mop:eql-specializer-object #+ecl clos:eql-specializer-object
                   specializer))))

(defun require-functions (role)
  (dolist (each (functions-needed role))
    (unless (has-method-p each role)
      (fail-argument "The class ~s has no method of ~s, which the role needs."
                     (class-name (class-of role)) each))))

(defun require-loop-node (node what)
  (unless (node-loop node)
    (fail-argument "~a needs a node that a loop runs: open it with :LOOP." what))
  (require-own (node-loop node)))

(defun enrol-role (role node)
  (require-loop-node node (format nil "The role ~a" (name role)))
  (when (eq (role-state role) :alive) (fail-argument "The role ~a has begun already." (name role)))
  (setf (port-node role) node
        (port-loop role) (node-loop node)
        (port-failure role) nil
        (is-finishing role) nil
        (role-key role) (enrol node role)
        (role-state role) :alive))

(defmacro enrol-roles ((roles node) &body body)
  "Evaluates BODY, in which the agents of these roles begin. If BODY is left early, they have not."
  (let ((list (gensym "ROLES")) (is-left (gensym "LEFT")) (role (gensym "ROLE")))
    `(let ((,list ,roles) (,is-left t))
       (dolist (,role ,list) (enrol-role ,role ,node))
       (unwind-protect (multiple-value-prog1 (progn ,@body) (setf ,is-left nil))
         (when ,is-left
           (dolist (,role ,list)
             (strike-off ,node (role-key ,role))
             (on-last-call ,role)))))))

(defmethod start ((role role) node &rest options)
  (require-functions role)
  (enrol-roles ((list role) node)
    (with-arena (arena)
      (begin-role role node (apply #'place-agent-options arena (name role) options) arena)))
  role)

(defmacro beginning ((function node options) (arena struct &rest slots))
  "Calls the FUNCTION that starts an agent with a table of functions."
  `(check (,function (live-node ,node) ,options (place-struct ,arena ,struct ,@slots))))

(defmacro answering-at-once ((role self question) &body body)
  "Evaluates BODY in a function of the library, which must have done all when it returns. An error
ends the agent, if its SELF is given."
  `(let ((*question* (make-question ,question ,role #'answer-done #'refuse-handle))
         (*handling* (port-loop ,role)))
     (handler-bind ((serious-condition
                      (lambda (condition)
                        ,(if self
                             `(progn (note-failed-function ,role condition)
                                     (end-agent-now ,role ,self))
                             `(ignore-errors (funcall *on-failure* ,role condition))))))
       ,@body)))

(defmacro acting-by ((role out arena) call)
  "Makes CALL, which starts an agent by which the program acts; its handle comes to the place OUT."
  `(let ((,out (allocate-zeros ,arena 8)))
     (check ,call)
     (setf (port-handle ,role) (cffi:mem-ref ,out :uint64))))
