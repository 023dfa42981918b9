;;;; Remote calls, and the ways in which a function of a role answers.

(in-package :coracle-tests)
(def-suite* calls :in coracle-tests)

(defclass calculator (c:service)
  ((port :initarg :port :initform nil :reader port-of) (seen :initform '() :accessor seen))
  (:default-initargs :functions '(add add-later add-aside ask-back nothing fail-here refuse-here
                                  leave-here ("two_lists" two) wrong-value)))

(defun add (calculator &rest numbers) (declare (ignore calculator)) (apply #'+ numbers))
(defun two (calculator list map)
  (declare (ignore calculator))
  (list map list :null t :false "ü" 1/2))
(defun add-later (calculator &rest numbers)
  (c:send (port-of calculator) "ann" "x" :then (c:later () (apply #'+ numbers))))
(defun add-aside (calculator &rest numbers)
  (declare (ignore calculator))
  (c:in-thread (apply #'+ numbers)))
(defun ask-back (calculator text)
  (c:in-thread (c:text (c:ask (port-of calculator) "ann" text))))
(defun nothing (calculator) (push :nothing (seen calculator)) (values))
(defun fail-here (calculator) (declare (ignore calculator)) (error "It is ~a." "broken"))
(defun refuse-here (calculator)
  (declare (ignore calculator))
  (error 'c:refusal :reason "not today"))
(defun leave-here (calculator) (declare (ignore calculator)) (throw 'away :left))
(defun wrong-value (calculator) (declare (ignore calculator)) 'symbol)

(defmacro with-calculator ((ann loop) &body body)
  "Evaluates BODY with a port, on a node that a loop runs, and a service that it can call."
  `(with-loop-node (,loop node t)
     (c:with-port (,ann node "ann")
       (c:with-port (own node "own")
         (c:start (make-instance 'calculator :name "calc" :port own) node)
         ,@body))))

(test values-of-a-call
  (with-calculator (ann loop)
    (is (= 6 (c:call ann "calc" 'add '(1 2 3))))
    (is (= 0 (c:call ann "calc" "add" '())))
    (is (eq :null (c:call ann "calc" 'nothing '())))
    (is (equalp (list #() #(1 "x") :null t :false "ü" 0.5d0)
                (coerce (c:call ann "calc" "two_lists" '((1 "x") ())) 'list)))))

(test answers-that-come-later
  (with-calculator (ann loop)
    (is (= 6 (c:call ann "calc" 'add-later '(1 2 3))))
    (is (= 6 (c:call ann "calc" 'add-aside '(1 2 3))))
    (let ((got nil))
      (c:call ann "calc" 'ask-back '("why?") :then (lambda (result condition)
                                                     (setf got (or result condition))))
      (c:receive ann :type "text/plain" :then (lambda (message condition)
                                                (declare (ignore condition))
                                                (setf got (c:text message)))) ; from ADD-LATER
      (c:run-until loop got)
      (setf got nil)
      (c:receive ann :then (lambda (message condition)
                             (declare (ignore condition))
                             (c:reply message "because")))
      (c:run-until loop got)
      (is (equal "because" got)))))

(test failures-of-a-call
  (with-calculator (ann loop)
    (flet ((says (text function &rest arguments)
             (handler-case (progn (c:call ann "calc" function arguments) (fail "it succeeded"))
               (c:refused (why) (is (search text (c:sentence why)) "~a" why)))))
      (says "It is broken." 'fail-here)
      (says "not today" 'refuse-here)
      (says "argument" 'nothing 1)
      (says "SYMBOL" 'wrong-value))
    (fails c:no-such-function (c:call ann "calc" "divide" '(1)))
    (fails c:bad-argument (c:call ann "calc" "" '()))
    (fails c:bad-argument (c:call ann "calc" 'add '(symbol)))
    (fails c:expired (c:call ann "nobody" 'add '() :longest 0.001))
    (is (eq :left (catch 'away (c:call ann "calc" 'leave-here '()))))
    (is (= 3 (c:call ann "calc" 'add '(1 2))))))

(defclass repaired (calculator) ((tries :initform 0 :accessor tries)))
(defgeneric mend (service))
(defmethod mend ((service calculator)) (error "It is broken again."))
(defmethod mend :around ((service repaired))
  (handler-bind ((simple-error (lambda (why)
                                 (declare (ignore why))
                                 (if (< (incf (tries service)) 3)
                                     (invoke-restart 'c:retry)
                                     (use-value "instead")))))
    (call-next-method)))

(test restarts-of-a-function
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (let ((service (make-instance 'repaired :name "calc" :functions '(mend))))
        (c:start service node)
        (is (equal "instead" (c:call ann "calc" 'mend '())))
        (is (= 3 (tries service)))))))

(test a-blind-call
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (let ((service (c:start (make-instance 'calculator :name "calc") node)))
        (c:call-blindly ann "calc" 'nothing '())
        (c:run-until loop (seen service))
        (is (equal '(:nothing) (seen service)))))))

(test a-function-of-a-role-must-not-wait
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (let ((calc (make-instance 'c:service :name "calc"
                                 :functions (list (list "wait" (lambda (service)
                                                                 (declare (ignore service))
                                                                 (c:receive ann)))))))
        (c:start calc node)
        (let ((why (nth-value 1 (ignore-errors (c:call ann "calc" "wait" '())))))
          (is (search "cannot wait" (c:sentence why))))))))

(test a-service-ends
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (let ((service (make-instance 'calculator :name "calc")))
        (c:start service node)
        (fails c:bad-argument (c:start service node))
        (is (c:alive-p service))
        (c:finish service)
        (is (= 1 (c:call ann "calc" 'add '(1))))
        (c:await service :longest 20)
        (is (not (c:alive-p service)))
        (c:start service node)
        (is (= 1 (c:call ann "calc" 'add '(1)))))))
  (let ((service (make-instance 'calculator :name "calc")))
    (with-loop-node (loop node t)
      (c:start service node)
      (c:run-until loop t))
    (is (not (c:alive-p service)))
    (is (zerop (hash-table-count coracle::*roles*)))))

(test roles-need-a-node-of-a-loop
  (c:with-node (node "local:")
    (fails c:bad-argument (c:start (make-instance 'calculator :name "calc") node)))
  (let ((closed nil))
    (with-loop-node (loop node t) (setf closed node))
    (fails c:bad-handle (c:start (make-instance 'calculator :name "calc") closed)))
  (with-loop-node (loop node t)
    (fails c:bad-argument (c:start (make-instance 'c:service :name "none") node))
    (fails c:bad-name (c:start (make-instance 'calculator :name "a//b") node))
    (is (zerop (hash-table-count coracle::*roles*)))
    (fails c:wrong-thread (c:wanted-p))))

(defun leave-society-while (function)
  "Lets a function of a role run in a thread, closes its node meanwhile, and returns the thread."
  (let ((thread nil))
    (block leaving
      (with-loop-node (loop node t)
        (c:with-port (ann node "ann")
          (c:start (make-instance 'c:service
                                  :name "late"
                                  :functions `(("wait" ,(lambda (service)
                                                          (declare (ignore service))
                                                          (c:in-thread
                                                            (setf thread (bt:current-thread))
                                                            (funcall function ann))))))
                   node)
          (c:call ann "late" "wait" '() :then (constantly nil))
          (loop until thread do (c:turn loop :longest 1/1000))
          (return-from leaving)))) ; the node is closed at once
    thread))

(test an-answer-after-the-end-of-its-node
  (let* ((gate (bt:make-lock)) (found :none)
         (thread (bt:with-lock-held (gate)
                   (leave-society-while (lambda (port)
                                          (declare (ignore port))
                                          (bt:with-lock-held (gate)
                                            (setf found (c:wanted-p))))))))
    (bt:join-thread thread)
    (is (null found))))

(test an-operation-of-a-thread-whose-node-ends
  (let* ((found nil)
         (thread (leave-society-while
                  (lambda (port)
                    (setf found (nth-value 1 (ignore-errors (c:receive port))))))))
    (bt:join-thread thread)
    (is (typep found 'c:coracle-error))))
