;; Two agents on one thread of Guile: one sends, the other receives.
(use-modules (coracle))

(define (bob me)
  (let ((message (receive me)))
    (format #t "~a says: ~a\n" (message-source message) (message-text message))))

(define (ann me)
  (send me "bob" "Good morning"))

(with-node (node "local:")
  (let ((listener (spawn node "bob" bob)))
    (spawn node "ann" ann)
    (await listener)))
