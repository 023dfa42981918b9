;;;; Agents on threads and on loops.

(in-package :coracle-tests)
(def-suite* agents :in coracle-tests)

(defclass adder (c:agent) ((sum :initform 0 :accessor sum)))

(defmethod c:run ((agent adder))
  (c:do-messages (message agent)
    (cond ((c:request-p message) (c:reply message (princ-to-string (sum agent))))
          ((string= (c:text message) "end") (return (sum agent)))
          (t (incf (sum agent) (parse-integer (c:text message)))))))

(test an-agent-on-a-thread
  (c:with-node (node "local:")
    (let ((agent (c:start (make-instance 'adder :name "adder") node)))
      (is (c:alive-p agent))
      (c:with-port (ann node "ann")
        (dotimes (n 10) (c:send ann "adder" (princ-to-string n)))
        (is (string= "45" (c:text (c:ask ann "adder" "?"))))
        (c:send ann "adder" "end"))
      (is (= 45 (c:await agent :longest 20)))
      (is (not (c:alive-p agent))))))

(test an-error-ends-its-agent-and-reaches-who-waits
  (c:with-node (node "local:")
    (let* ((said nil)
           (c:*on-failure* (lambda (agent condition) (declare (ignore agent condition))))
           (agent (c:start (make-instance 'adder :name "adder") node)))
      (c:with-port (ann node "ann")
        (c:send ann "adder" "no number")
        (let ((why (handler-case (c:await agent :longest 20)
                     (c:agent-failed (why) why))))
          (is (search "no number" (c:sentence why))))
        (fails c:no-such-agent (c:watch ann "adder"))
        (is (null said))))))

(defclass failing (c:agent) ())
(defmethod c:handle ((agent failing) message)
  (error "The sonar is ~a." (c:text message)))

(defun asked-to-fail (node loop)
  "The sentence that the sender of a request gets whose agent fails."
  (setf c:*on-failure* (constantly nil))
  (let ((agent (c:start (make-instance 'failing :name "sonar") node :loop loop))
        (found nil))
    (c:with-port (ann node "ann" :loop loop)
      (if loop
          (progn
            (c:ask ann "sonar" "wet" :then (lambda (reply condition)
                                             (declare (ignore reply))
                                             (setf found condition)))
            (c:run-until loop (and found (not (c:alive-p agent)))))
          (setf found (nth-value 1 (ignore-errors (c:ask ann "sonar" "wet" :longest 20)))))
      (is (typep found 'c:refused))
      (is (search "The sonar is wet." (c:sentence found)))
      (fails c:agent-failed (c:await agent :longest 20)))))

(test the-sender-of-a-request-is-told-why-its-agent-ended
  (c:with-node (node "local:") (asked-to-fail node nil))
  (with-loop-node (loop node t) (asked-to-fail node loop))
  (with-loop-node (loop node nil) (asked-to-fail node loop))
  (setf c:*on-failure* #'coracle::report-failure))

(defclass player (c:agent)
  ((other :initarg :other :reader other) (hits :initform 0 :accessor hits)
   (serves :initarg :serves :initform nil :reader serves)))
(defmethod c:begin ((player player))
  (when (serves player) (c:send player (other player) "ball")))
(defmethod c:handle ((player player) message)
  (c:send player message (c:text message))
  (when (= 500 (incf (hits player))) (c:finish player)))

(test many-agents-on-one-thread
  (dolist (by-loop '(t nil))
    (with-loop-node (loop node by-loop)
      (let ((players (loop for n below 20
                           collect (make-instance 'player :name (format nil "p~d" n)
                                                          :other (format nil "p~d" (logxor n 1))
                                                          :serves (oddp n)))))
        (dolist (each players) (c:start each node :loop loop))
        (c:run-until loop (notany #'c:alive-p players))
        (is (every (lambda (each) (= 500 (hits each))) players))))))

(defclass echo (c:agent) ())
(defmethod c:handle ((agent echo) message) (c:reply message (c:text message)))

(test a-call-that-waits-lets-the-agents-of-its-loop-act
  (with-loop-node (loop node t)
    (c:start (make-instance 'echo :name "echo") node)
    (c:with-port (ann node "ann")
      (is (string= "x" (c:text (c:ask ann "echo" "x" :longest 20)))))))

(test those-who-watch-an-agent-learn-that-it-has-failed
  (dolist (by-loop '(t nil))
    (with-loop-node (loop node by-loop)
      (let ((c:*on-failure* (constantly nil)) (reason nil))
        (setf c:*on-failure* (constantly nil)) ; also for threads
        (c:with-port (ann node "ann" :loop loop)
          (c:start (make-instance 'failing :name "sonar") node)
          (c:watch ann "sonar" :then (lambda (result condition)
                                       (setf reason (or result condition))))
          (c:send ann "sonar" "wet" :then (constantly nil))
          (c:run-until loop reason)
          (is (eq :crashed reason))))))
  (setf c:*on-failure* #'coracle::report-failure))

(test handlers-run-on-threads-too
  (c:with-node (node "local:")
    (let ((ping (make-instance 'player :name "ping" :other "pong"))
          (pong (make-instance 'player :name "pong" :other "ping" :serves t)))
      (c:start ping node)
      (c:start pong node)
      (c:await ping :longest 60)
      (c:await pong :longest 60)
      (is (= 500 (hits ping) (hits pong))))))

(test a-send-that-fails-ends-an-agent-of-a-loop
  (with-loop-node (loop node t)
    (let* ((c:*on-failure* (constantly nil))
           (agent (make-instance 'player :name "ann" :other "no//name" :serves t)))
      (c:start agent node)
      (fails c:agent-failed (c:await agent :longest 20)))))

(test a-stop-ends-agents-without-an-error
  (let ((agent (make-instance 'adder :name "adder")))
    (c:with-node (node "local:")
      (c:start agent node))
    (is (null (c:await agent :longest 20))))
  (let ((agent (make-instance 'player :name "ann" :other "bob")))
    (with-loop-node (loop node t)
      (c:start agent node)
      (c:stop node)
      (c:await agent :longest 20)
      (is (not (c:alive-p agent))))))

(test an-agent-starts-again
  (c:with-node (node "local:")
    (let ((agent (make-instance 'adder :name "adder")))
      (dotimes (n 2)
        (c:start agent node)
        (c:with-port (ann node "ann") (c:send ann "adder" "end"))
        (is (zerop (c:await agent :longest 20)))))))

(test await-has-a-deadline
  (c:with-node (node "local:")
    (let ((agent (c:start (make-instance 'adder :name "adder") node)))
      (fails c:expired (c:await agent :longest 0.001)))))

(defclass changing (c:agent) ())

(test an-agent-is-redefined-while-its-society-runs
  (c:with-node (node "local:")
    (eval '(defmethod c:handle ((agent changing) message) (c:reply message "old")))
    (let ((agent (c:start (make-instance 'changing :name "it") node)))
      (c:with-port (ann node "ann")
        (is (string= "old" (c:text (c:ask ann "it" "?"))))
        (eval '(defclass changing (c:agent) ((count :initform 7 :reader count-of))))
        (eval '(defmethod c:handle ((agent changing) message)
                (c:reply message (format nil "new ~d" (count-of agent)))))
        (is (string= "new 7" (c:text (c:ask ann "it" "?"))))
        (is (c:alive-p agent))))))
