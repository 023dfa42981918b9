;;;; An agent on a thread of its own serves requests, until an error ends it.

(require :asdf)
(asdf:load-system "coracle")

(defclass sonar (coracle:agent)
  ((depth :initarg :depth :accessor depth)))

(defmethod coracle:run ((sonar sonar))
  (coracle:do-messages (message sonar)
    (if (coracle:request-p message)
        (coracle:reply message (format nil "~d fathoms" (depth sonar)))
        (setf (depth sonar) (parse-integer (coracle:text message))))))

(setf coracle:*on-failure* (constantly nil)) ; the error is printed below

(coracle:with-node (node)
  (let ((sonar (coracle:start (make-instance 'sonar :name "sonar" :depth 12) node)))
    (coracle:with-port (ann node "ann")
      (format t "~a~%" (coracle:text (coracle:ask ann "sonar" "how deep?")))
      (coracle:send ann "sonar" "7")
      (format t "~a~%" (coracle:text (coracle:ask ann "sonar" "how deep?")))
      (coracle:send ann "sonar" "shallow")
      (handler-case (coracle:await sonar)
        (coracle:agent-failed () (format t "the sonar has failed~%"))))))
