;;;; Sending and receiving in direct style.

(in-package :coracle-tests)
(def-suite* ports :in coracle-tests)

(test a-message-comes-with-everything-said-about-it
  (with-ports (ann bob) ()
    (c:send ann "bob" "Good mörning, 世界 🌍" :type "t/1" :conversation 7 :reply-to "cid"
            :headers '(("colour" . "red") ("size" . "große")))
    (let ((message (c:receive bob)))
      (is (equal '("ann" "bob" "t/1" "cid" 7 "Good mörning, 世界 🌍")
                 (list (c:source message) (c:target message) (c:content-type message)
                       (c:reply-to message) (c:conversation message) (c:text message))))
      (is (equal '(("colour" . "red") ("size" . "große")) (c:headers message)))
      (is (string= "red" (c:header message "colour")))
      (is (null (c:header message "weight")))
      (is (not (c:request-p message))))))

(test a-name-of-any-length-and-a-large-content-arrive
  (with-ports (ann) ()
    (let ((text (make-string 100000 :initial-element #\ü)))
      (c:send ann "ann" text :headers (loop for n below 50
                                            collect (cons (format nil "key~d" n)
                                                          (make-string 99 :initial-element #\x))))
      (let ((message (c:receive ann)))
        (is (string= text (c:text message)))
        (is (= 50 (length (c:headers message))))))))

(test a-match-chooses
  (with-ports (ann bob cid) ()
    (c:send ann "cid" "1" :conversation 7)
    (c:send bob "cid" "2" :conversation 7)
    (c:send bob "cid" "3" :type "plan")
    (is (string= "3" (c:text (c:receive cid :type "plan"))))
    (is (string= "2" (c:text (c:receive cid :from "bob" :conversation 7))))
    (is (null (c:receive cid :from "bob" :longest 0)))
    (is (null (c:try-receive cid :from "bob")))
    (is (string= "1" (c:text (c:try-receive cid))))))

(test many-are-received-at-once
  (with-ports (ann bob) ()
    (dotimes (n 10) (c:send ann "bob" (princ-to-string n)))
    (is (equal '("0" "1" "2") (mapcar #'c:text (c:receive-many bob 3))))
    (is (= 7 (length (c:receive-many bob 100))))
    (is (null (c:receive-many bob 100 :longest 0)))))

(test a-body-has-each-message-and-then-it-is-acknowledged
  (with-ports (ann bob) ()
    (let ((receipt (c:track ann "bob" "x")) (seen '()))
      (c:send ann "bob" "y")
      (c:with-message (message bob)
        (push (c:text message) seen)
        (is (c:reached receipt :delivered))
        (is (not (c:reached receipt :consumed :longest 0.001))))
      (is (c:reached receipt :consumed))
      (is (eq :over (c:do-messages (message bob :longest 0.001 :result :over)
                      (push (c:text message) seen))))
      (is (equal '("y" "x") seen)))))

(test what-is-given-back-comes-again
  (with-ports (ann) ()
    (c:send ann "ann" "x")
    (c:give-back (c:receive ann :hold t))
    (let ((again (c:receive ann :hold t)))
      (is (c:redelivered-p again))
      (c:acknowledge again)
      (is (string= "x" (c:text again)))
      (c:release again)
      (c:release again)
      (is (null (c:try-receive ann))))))

(test a-request-has-one-reply
  (with-ports (ann bob) ()
    (let* ((server (bt:make-thread
                    (lambda ()
                      (c:do-messages (request bob)
                        (if (string= (c:text request) "stop")
                            (progn (c:refuse request "not today") (return))
                            (c:reply request (format nil "=~a" (c:text request)))))))))
      (is (string= "=1" (c:text (c:ask ann "bob" "1"))))
      (is (string= "=2" (c:text (c:ask ann "bob" "2" :longest 10))))
      (handler-case (progn (c:ask ann "bob" "stop") (fail "it was answered"))
        (c:refused (why) (is (search "not today" (c:sentence why)))))
      (bt:join-thread server)
      (fails c:expired (c:ask ann "bob" "3" :longest 0.001)))))

(test a-received-request-stays-open-until-its-reply
  (with-ports (ann bob) ()
    (let ((asker (bt:make-thread (lambda () (c:text (c:ask ann "bob" "?"))))))
      (let ((request (c:receive bob)))
        (c:send ann "bob" "another one")
        (c:receive bob)
        (c:reply request "!"))
      (is (string= "!" (bt:join-thread asker))))))

(test a-dropped-request-is-unanswered
  (with-ports (ann bob) ()
    (let ((server (bt:make-thread (lambda () (c:with-message (request bob) (c:text request))))))
      (fails c:unanswered (c:ask ann "bob" "?"))
      (is (string= "?" (bt:join-thread server))))))

(test restarts-do-it-again-or-continue
  (with-ports (ann) ()
    (let ((tries 0))
      (is (null (handler-bind ((c:no-such-agent (lambda (why)
                                                  (declare (ignore why))
                                                  (if (< (incf tries) 3)
                                                      (invoke-restart 'c:retry)
                                                      (invoke-restart 'c:skip)))))
                  (c:watch ann "nobody"))))
      (is (= 3 tries)))))

(test a-wait-can-be-interrupted-and-nothing-is-lost
  (with-ports (ann bob) ()
    (let* ((begun nil)
           (thread (bt:make-thread (lambda ()
                                     (catch 'leave
                                       (setf begun t)
                                       (c:receive bob))))))
      (loop until begun do (bt:thread-yield))
      (bt:interrupt-thread thread (lambda () (throw 'leave :left)))
      (is (eq :left (bt:join-thread thread)))
      (c:send ann "bob" "x")
      (is (string= "x" (c:text (c:receive bob)))))))
