;;;; A condition has restarts: the program decides far from the call.

(require :asdf)
(asdf:load-system "coracle")

(defun greet (port)
  (coracle:send port "bob" "Good morning" :patience 0.001))

(coracle:with-node (node)
  (coracle:with-port (ann node "ann")
    (coracle:with-port (bob node "bob" :messages 1)
      (greet ann)
      (handler-bind ((coracle:mailbox-full
                       (lambda (condition)
                         (declare (ignore condition))
                         (format t "bob reads: ~a~%" (coracle:text (coracle:receive bob)))
                         (invoke-restart 'coracle:retry))))
        (greet ann))
      (format t "bob reads: ~a~%" (coracle:text (coracle:receive bob))))))
