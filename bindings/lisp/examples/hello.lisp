;;;; Two agents of one program exchange messages; this thread acts for both.

(require :asdf)
(asdf:load-system "coracle")

(coracle:with-node (node)
  (coracle:with-port (ann node "ann")
    (coracle:with-port (bob node "bob")
      (coracle:send ann "bob" "Good morning")
      (coracle:with-message (message bob)
        (format t "~a says: ~a~%" (coracle:source message) (coracle:text message))))))
