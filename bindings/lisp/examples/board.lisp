;;;; Typed content, and a tuple space.

(require :asdf)
(asdf:load-system "coracle")

(coracle:with-node (node)
  (coracle:start-space node "board")
  (coracle:with-port (ann node "ann")
    (coracle:tuple-out ann "board" '("task" 7))
    (format t "~s~%" (coracle:tuple-in ann "board" '("task" :integer)))

    (coracle:send ann "ann" '("apples" 3 2.5d0) :type "offer/v1")
    (let ((offer (coracle:value (coracle:receive ann :type "offer/v1"))))
      (format t "~d ~a for ~,2f~%" (aref offer 1) (aref offer 0) (aref offer 2)))))
