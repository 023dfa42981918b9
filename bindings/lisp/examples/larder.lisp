;;;; A server whose function waits: the cook asks the larder before it answers.

(require :asdf)
(asdf:load-system "coracle/dispel")

(defclass larder (coracle:agent) ())

(defmethod coracle:handle ((larder larder) request)
  (coracle:reply request (if (string= (coracle:text request) "soup") "enough" "nothing")))

(defclass cook (dispel:server) ((port :initarg :port :reader port))
  (:default-initargs :takes 'string :gives 'string))

(defmethod dispel:answer ((cook cook) dish)
  (coracle:in-thread
    (if (string= "enough" (coracle:text (coracle:ask (port cook) "larder" dish)))
        (format nil "hot ~a" dish)
        (error 'coracle:refusal :reason (format nil "there is no ~a left" dish)))))

(coracle:with-event-loop (loop)
  (coracle:with-node (node "local:" :loop loop)
    (coracle:with-port (port node "cook/port")
      (coracle:start (make-instance 'larder :name "larder") node)
      (coracle:start (make-instance 'cook :name "cook" :port port) node)
      (let ((guest (coracle:start (make-instance 'dispel:client :name "guest") node)))
        (format t "~a~%" (dispel:request guest "soup" :server "cook"))
        (handler-case (dispel:request guest "pizza" :server "cook")
          (coracle:refused (why) (format t "~a~%" why)))))))
