;;;; Loops: functions that are called with results, and nodes without threads.

(in-package :coracle-tests)
(def-suite* loops :in coracle-tests)

(defmacro with-loop-node ((loop node by-loop) &body body)
  `(c:with-event-loop (,loop)
     (c:with-node (,node "local:" :loop (and ,by-loop ,loop))
       ,@body)))

(test functions-are-called-with-results
  (dolist (by-loop '(t nil))
    (with-loop-node (loop node by-loop)
      (c:with-port (ann node "ann" :loop loop)
        (let ((got '()))
          (c:receive ann :then (lambda (message condition)
                                 (push (list (c:text message) condition) got)))
          (c:send ann "ann" "x" :then (lambda (result condition)
                                        (push (list result condition) got)))
          (c:run-until loop (= 2 (length got)))
          (is (find '("x" nil) got :test #'equal))
          (is (find '(t nil) got :test #'equal)))))))

(test a-failure-comes-as-a-condition
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (let ((found nil))
        (c:watch ann "nobody" :then (lambda (result condition)
                                      (declare (ignore result))
                                      (setf found condition)))
        (c:run-until loop found)
        (is (typep found 'c:no-such-agent))))))

(test an-operation-can-be-cancelled
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (let* ((found nil)
             (operation (c:receive ann :then (lambda (message condition)
                                               (declare (ignore message))
                                               (setf found condition)))))
        (c:cancel operation)
        (c:run-until loop found)
        (is (typep found 'c:cancelled))
        (c:cancel operation)))))

(test calls-wait-on-a-node-without-threads
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (c:with-port (bob node "bob")
        (let ((got nil))
          (c:receive bob :conversation 1 :then (lambda (message condition)
                                                 (declare (ignore condition))
                                                 (setf got (c:text message))))
          (c:send ann "bob" "later" :conversation 1)
          (c:send ann "bob" "now")
          (is (string= "now" (c:text (c:receive bob))))
          (is (null got)) ; only a turn calls functions
          (c:run-until loop got)
          (is (string= "later" got)))))))

(test a-function-of-a-loop-must-not-wait
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (let ((found '()))
        (c:send ann "ann" "x" :then (lambda (result condition)
                                      (declare (ignore result condition))
                                      (handler-case (c:receive ann)
                                        (c:wrong-thread (why) (push why found)))
                                      (handler-case (c:turn loop)
                                        (c:wrong-thread (why) (push why found)))))
        (c:run-until loop (= 2 (length found)))
        (is (= 2 (length found)))))))

(test a-loop-belongs-to-its-thread
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (is (eq :wrong-thread
              (bt:join-thread (bt:make-thread (lambda ()
                                                (handler-case (c:receive ann)
                                                  (c:wrong-thread () :wrong-thread))))))))))

(test without-a-loop-nothing-is-called
  (with-ports (ann) ()
    (fails c:bad-argument (c:receive ann :then #'list))))

(test a-closed-loop
  (c:with-node (node "local:")
    (let* ((loop (c:make-event-loop)) (ann (c:open-port node "ann" :loop loop)))
      (c:send ann "ann" "x")
      (c:receive ann :then #'list)
      (c:close-event-loop loop)
      (fails c:bad-handle (c:turn loop))
      (fails c:bad-handle (c:send ann "ann" "x" :then #'list))
      (is (string= "x" (c:text (c:receive ann)))))))

(test a-function-that-is-left-loses-no-other
  (with-loop-node (loop node t)
    (c:with-port (ann node "ann")
      (let ((called 0))
        (flet ((call (result condition)
                 (declare (ignore result condition))
                 (incf called)
                 (throw 'left nil)))
          (dotimes (n 3) (c:send ann "ann" "x" :then #'call))
          (loop until (= called 3)
                do (catch 'left (c:turn loop :longest nil)))
          (is (= 3 called)))))))
