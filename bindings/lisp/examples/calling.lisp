;;;; Remote calls: a service offers functions, and a port calls one.

(require :asdf)
(asdf:load-system "coracle")

(defclass navigator (coracle:service) ()
  (:default-initargs :name "navigator" :functions '(miles)))

(defmethod miles ((navigator navigator) from to)
  (cond ((string= from to) 0)
        ((string= to "the island") 250)
        (t (error 'coracle:refusal :reason (format nil "~a is on no map" to)))))

(coracle:with-event-loop (loop)
  (coracle:with-node (node "local:" :loop loop)
    (coracle:start (make-instance 'navigator) node)
    (coracle:with-port (captain node "captain")
      (format t "it is ~d miles to the island~%"
              (coracle:call captain "navigator" 'miles '("the harbour" "the island")))
      (handler-case (coracle:call captain "navigator" 'miles '("the harbour" "Atlantis"))
        (coracle:refused (why) (format t "~a~%" why))))))
