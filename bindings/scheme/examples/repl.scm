;; A session as in the REPL: an agent is redefined while its society runs.
(use-modules (coracle))

(define node (open-node "local:"))
(define ann (open-agent node "ann"))

(define (greeter greeting)
  (lambda (me)
    (while #t
      (let ((request (receive me)))
        (reply me request (string-append greeting ", " (message-text request)))))))

(define bob (spawn node "bob" (greeter "Good morning")))
(display (message-text (ask ann "bob" "Ann" #:within 10)))
(newline)

(redefine-agent bob (greeter "Good night"))
(display (message-text (ask ann "bob" "Ann" #:within 10)))
(newline)

(stop-node node)
