;;;; Ports: agents for which a thread of the program acts.

(in-package :coracle)

(defgeneric name (port)
  (:documentation "The name of a port or an agent in the society."))

(defclass port ()
  ((name :initarg :name :reader name)
   (node :initform nil :accessor port-node)
   (handle :initform 0 :accessor port-handle)
   (loop :initform nil :accessor port-loop)
   (last-source :initform "" :accessor port-last-source)
   (failure :initform nil :accessor port-failure))
  (:documentation "A member of a society for which the program acts by SEND, RECEIVE and others."))

(defmethod print-object ((port port) stream)
  (print-unreadable-object (port stream :type t :identity t)
    (format stream "~a~:[~; (closed)~]" (if (slot-boundp port 'name) (name port) "?")
            (zerop (port-handle port)))))

(defun live-port (port)
  (let ((handle (port-handle port)))
    (declare (type handle handle))
    (when (zerop handle)
      (fail 'bad-handle (if (typep port 'port)
                            "The port ~a is closed; open another one."
                            "~a has ended, or cannot act by itself; start another one.")
            (name port)))
    handle))

(defun without (options &rest keys)
  "The property list without these keys."
  (loop for (key value) on options by #'cddr
        unless (member key keys) collect key and collect value))

(defun number-of (keyword keywords what)
  "The position of a keyword in a list."
  (or (position keyword keywords)
      (fail-argument "~s is no ~a; give one of ~{~s~^, ~}." keyword what keywords)))

(defparameter *overflows* '(:wait :fail :drop-oldest :drop-newest :keep-latest :redirect))

(defun place-property (arena place key value)
  "Writes a property: a text, a number, or T or NIL."
  (setf (slot-at place property key) (place-name arena key))
  (macrolet ((put (kind slot form)
               `(setf (slot-at place property kind) ,kind
                      (slot-at place property ,slot) ,form)))
    (typecase value
      (string (put 3 text (place-name arena value)))
      ((signed-byte 64) (put 1 integer value))
      (real (put 2 number (coerce value 'double-float)))
      (boolean (put 0 integer (if value 1 0)))
      (t (fail-argument "The value of the property ~s is ~s; give a text, a number, T or NIL."
                        key value)))))

(defun place-properties (arena properties)
  "An array of the pairs (KEY . VALUE)."
  (let ((places (allocate-zeros arena (* (length properties) (size-of property)))))
    (loop for (key . value) in properties
          for number from 0
          do (place-property arena (cffi:mem-aptr places '(:struct property) number) key value))
    places))

(defun place-agent-options (arena name &key messages bytes (overflow :wait) redirect properties
                                         take-over)
  (place-struct arena agent_options
    (name (place-name arena name))
    (mailbox_messages messages)
    (mailbox_bytes bytes)
    (overflow (number-of overflow *overflows* "overflow policy"))
    (redirect (place-name? arena redirect))
    (properties (place-properties arena properties))
    (property_count (length properties))
    (take_over (if take-over 1 0))))

(defun event-port (event port)
  "Makes PORT one of its node."
  (setf (port-handle port) (slot-at event event port))
  (let ((node (port-node port)))
    (bt:with-lock-held ((node-lock node)) (push port (node-ports node))))
  port)

(defun join-society (port node then loop &rest options)
  "Lets PORT join the society under its name."
  (unless (zerop (port-handle port))
    (fail 'bad-argument "The port ~a is open already." (name port)))
  (setf (port-node port) node
        (port-loop port) (or loop (node-loop node))
        (port-failure port) nil)
  (with-arena (arena)
    (let ((options (apply #'place-agent-options arena (name port) options)))
      (perform port #'event-port then
               (lambda (begin)
                 (%port-open (live-node node) options (cffi:null-pointer) begin))))))

(defun open-port (node name &rest options
                  &key then loop messages bytes overflow redirect properties take-over)
  "Opens a port: joins the society of NODE under a name, and returns the port.

MESSAGES and BYTES limit the mailbox; OVERFLOW is :WAIT, :FAIL, :DROP-OLDEST, :DROP-NEWEST,
:KEEP-LATEST or :REDIRECT, then to the name REDIRECT. PROPERTIES are pairs (KEY . VALUE) for the
directory. TAKE-OVER takes the name from another holder with the same identity. Functions of
operations, which :THEN gives, run in the LOOP; so does THEN, which is called with the port."
  (declare (ignore messages bytes overflow redirect properties take-over))
  (let ((port (make-instance 'port :name name))
        (rest (without options :then :loop)))
    (recovering (apply #'join-society port node then loop rest))))

(defun close-port (port)
  "Leaves the society. Unread messages stay for the next holder of the name."
  (uninterrupted
    (let ((handle (shiftf (port-handle port) 0)) (node (port-node port)))
      (unless (zerop handle)
        (bt:with-lock-held ((node-lock node))
          (setf (node-ports node) (remove port (node-ports node) :count 1)))
        (%port-close handle))))
  nil)

(defmacro with-port ((port node name &rest options) &body body)
  "Evaluates BODY with a port that is closed then."
  `(let ((,port (open-port ,node ,name ,@options)))
     (unwind-protect (progn ,@body) (close-port ,port))))
