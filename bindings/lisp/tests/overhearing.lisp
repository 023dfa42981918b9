;;;; Taps with a rate and with outcomes: copies, gaps and notices.

(in-package :coracle-tests)
(def-suite* overhearing :in coracle-tests)

(defun heard (eve tap) (c:receive eve :tap tap :longest 20))

(defun heard-until (eve tap wanted)
  "The first message of the tap for which WANTED is true."
  (loop for message = (heard eve tap)
        until (or (null message) (funcall wanted message))
        finally (return message)))

(defun parts-of (notice)
  (list (c:notice-stage notice) (c:notice-outcome notice) (c:notice-drop-reason notice)
        (c:notice-receiver notice)))

(test notices-tell-what-becomes-of-a-message
  (with-ports (ann bob eve) ()
    (let ((tap (c:overhear eve :target "bob" :outcomes t)))
      (c:send ann "bob" "hello")
      (is (string= "hello" (c:text (c:receive bob))))
      (let ((copy (heard eve tap)))
        (is (equal '("hello" nil nil :plain)
                   (list (c:text copy) (c:notice copy) (c:gap-reason copy) (c:copied-kind copy))))
        (loop for expected in '((:kept nil nil "bob") (:handed-out nil nil "bob")
                                (:ended :consumed nil "bob"))
              do (let ((message (heard eve tap)))
                   (is (= (c:sequence-number copy) (c:sequence-number message)))
                   (is (equal expected (parts-of (c:notice message))))))))))

(test a-notice-tells-why-a-message-was-dropped
  (c:with-node (node "local:")
    (c:with-port (ann node "ann")
      (c:with-port (box node "box" :messages 1 :overflow :drop-oldest)
        (c:with-port (eve node "eve")
          (let ((tap (c:overhear eve :target "box" :outcomes t)))
            (c:send ann "box" "1")
            (c:send ann "box" "2")
            (let ((end (heard-until eve tap (lambda (message)
                                              (let ((notice (c:notice message)))
                                                (and notice (c:notice-outcome notice)))))))
              (is (equal '(:ended :dropped :oldest "box") (parts-of (c:notice end)))))))))))

(test a-copy-tells-the-kind-of-its-message
  (with-ports (ann bob eve) ()
    (let ((tap (c:overhear eve :target "ann|bob"))
          (asker (bt:make-thread (lambda ()
                                   (c:ask ann "bob" "?")
                                   (handler-case (c:ask ann "bob" "?")
                                     (c:refused () :refused))))))
      (let ((request (c:receive bob)))
        (is (eq :plain (c:copied-kind request)))
        (c:reply request "!"))
      (c:refuse (c:receive bob) "no")
      (is (eq :refused (bt:join-thread asker)))
      (c:send ann "bob" "bye")
      (is (equal '(:request :reply :request :failure :plain)
                 (loop repeat 5 collect (c:copied-kind (heard eve tap))))))))

(test a-gap-tells-its-reason
  (with-ports (ann bob eve) ()
    (flet ((gap (&rest options)
             (let ((tap (apply #'c:overhear eve :target "bob" options)))
               (loop repeat 5 do (c:send ann "bob" "x"))
               (prog1 (heard-until eve tap (lambda (message) (plusp (c:gap message))))
                 (c:stop-overhearing eve tap)))))
      (let ((gap (gap :limit 2)))
        (is (equal '(3 :mailbox) (list (c:gap gap) (c:gap-reason gap)))))
      (is (eq :rate (c:gap-reason (gap :rate 1)))))))
