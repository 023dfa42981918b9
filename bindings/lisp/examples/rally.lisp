;;;; Many agents on one thread: a loop runs their node, which has no other thread.

(require :asdf)
(asdf:load-system "coracle")

(defclass player (coracle:agent)
  ((other :initarg :other :reader other)
   (hits :initform 0 :accessor hits)))

(defmethod coracle:handle ((player player) message)
  (format t "~a has the ball~%" (coracle:name player))
  (when (= 3 (incf (hits player))) (coracle:finish player))
  (coracle:send player (other player) (coracle:text message)))

(coracle:with-event-loop (loop)
  (coracle:with-node (node "local:" :loop loop)
    (let ((ping (coracle:start (make-instance 'player :name "ping" :other "pong") node))
          (pong (coracle:start (make-instance 'player :name "pong" :other "ping") node)))
      (coracle:with-port (referee node "referee")
        (coracle:send referee "ping" "the ball"))
      (coracle:run-until loop (notany #'coracle:alive-p (list ping pong))))))
