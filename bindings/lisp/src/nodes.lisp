;;;; Nodes.

(in-package :coracle)

(defgeneric node-realization (node)
  (:documentation "The text by which the node was opened, or NIL."))

(defclass node ()
  ((handle :initform 0 :accessor node-handle)
   (realization :initarg :realization :reader node-realization)
   (loop :initarg :loop :initform nil :reader node-loop)
   (ports :initform '() :accessor node-ports)
   (roles :initform '() :accessor node-roles)
   (lock :initform (bt:make-lock "coracle node") :reader node-lock))
  (:documentation "A member of one society, which runs agents. It lives until CLOSE-NODE."))

(defvar *nodes* '() "The nodes that are open.")
(defvar *nodes-lock* (bt:make-lock "coracle nodes"))

(defmethod print-object ((node node) stream)
  (print-unreadable-object (node stream :type t :identity t)
    (format stream "~a~:[~; (closed)~]" (or (node-realization node) "")
            (zerop (node-handle node)))))

;;; A signal that the system gives to a thread of the library would not find Lisp there. The
;;; library's threads block what the thread that makes them blocks.

(cffi:defcfun ("sigemptyset" %sigemptyset) :int (set :pointer))
(cffi:defcfun ("sigaddset" %sigaddset) :int (set :pointer) (signal :int))
(cffi:defcfun ("pthread_sigmask" %sigmask) :int (how :int) (set :pointer) (old :pointer))

(defun call-with-signals-blocked (function)
  "Calls FUNCTION while this thread takes none of the signals that are meant for a process."
  (cffi:with-foreign-objects ((set :uint64 16) (old :uint64 16))
    (%sigemptyset set)
    (dolist (signal '(1 2 3 13 14 15 17 23 26 27 28 29)) ; SIGHUP, INT, ... but none of a collector
      (%sigaddset set signal))
    (%sigmask 0 set old)
    (unwind-protect (funcall function) (%sigmask 2 old (cffi:null-pointer)))))

(defun open-node (realization &key identity workers content-limit connect-time patience loop)
  "Opens a node. If REALIZATION is NIL, the variable CORACLE_REALIZATION decides, else it is
\"local:\". Times are in seconds. With a LOOP, the node has no threads: its agents run when the
loop does. A connection may take CONNECT-TIME, by default 20 seconds; until then, Ctrl-C has no
effect."
  (when loop (require-own loop))
  (let ((node (make-instance 'node :realization realization :loop loop)))
    (with-arena (arena)
      (let ((out (allocate-zeros arena 8))
            (options (place-struct arena node_options
                       (realization (place-name? arena realization))
                       (identity (place-name? arena identity))
                       (workers workers)
                       (content_limit content-limit)
                       (connect_time (span connect-time))
                       (patience (span patience))
                       (loop (and loop (event-loop-handle loop))))))
        (uninterrupted
          (call-with-signals-blocked (lambda () (check (%node-open options out))))
          (setf (node-handle node) (cffi:mem-ref out :uint64))
          (bt:with-lock-held (*nodes-lock*) (push node *nodes*)))))
    node))

(defun close-node (node)
  "Stops the node at once if it runs, and closes its ports. Closing it twice does nothing."
  (uninterrupted
    (bt:with-lock-held (*nodes-lock*) (setf *nodes* (remove node *nodes*)))
    (let ((handle (shiftf (node-handle node) 0)))
      (unless (zerop handle)
        (in-place ((node-loop node))
          (%node-stop handle 0 (cffi:null-pointer)) ; the agents learn it before their ports end
          (mapc #'close-port (bt:with-lock-held ((node-lock node)) (copy-list (node-ports node))))
          (%node-close handle)))
      (strike-off-all node)))
  nil)

(defclass stop-report ()
  ((values :initarg :values :reader report-values))
  (:documentation "How a node has stopped."))

(macrolet ((define-parts (&rest parts)
             `(progn ,@(loop for (name documentation) in parts
                             for number from 0
                             collect `(defun ,name (report)
                                        ,documentation
                                        (nth ,number (report-values report)))))))
  (define-parts
    (report-clean-p "True if all agents ended and every message was read.")
    (report-still-alive "The number of agents that had not ended in time.")
    (report-undelivered "The number of messages that nobody read and no store keeps.")
    (report-kept "The number of messages that the message store keeps.")
    (report-text "The whole report for people.")))

(defun live-node (node)
  (let ((handle (node-handle node)))
    (when (zerop handle) (fail 'bad-handle "The node is closed; open another one."))
    handle))

(defun stop (node &key (longest 10))
  "Stops the node: its agents read what is under way, and then end. Returns the report after at most
LONGEST seconds. Until then, Ctrl-C has no effect."
  (with-arena (arena)
    (let ((report (place-struct arena stop_report)) (loop (node-loop node)))
      (when (and loop (not (eq *handling* loop))) (answer-bell loop))
      (in-place (loop)
        (check (%node-stop (live-node node) (if (eql longest 0) 0 (span longest)) report)))
      (make-instance
       'stop-report
       :values (list (/= 0 (slot-at report stop_report clean))
                     (slot-at report stop_report still_alive)
                     (slot-at report stop_report undelivered)
                     (slot-at report stop_report kept)
                     (name-at (cffi:foreign-slot-pointer report '(:struct stop_report) 'text)))))))

(defmacro with-node ((node &optional realization &rest options) &body body)
  "Evaluates BODY with a node, which is stopped then. If BODY is left early, the node is closed at
once. The options are those of OPEN-NODE."
  (let ((is-left (gensym "LEFT")))
    `(let ((,node (open-node ,realization ,@options)) (,is-left t))
       (unwind-protect
            (multiple-value-prog1 (progn ,@body)
              (setf ,is-left nil))
         (unless ,is-left (stop ,node))
         (close-node ,node)))))
