;; Objects after their end, wrong arguments, a process that forks.
(use-modules (srfi srfi-1))

(define node (open-node "local:"))
(define ann (open-agent node "ann"))
(send ann "ann" "x")
(define message (receive ann))
(close-agent ann)
(close-agent ann)
(test-fails 'bad-handle (send ann "ann" "x"))
(test-fails 'bad-handle (receive ann))
(test-fails 'bad-handle (try-receive ann))
(test-fails 'bad-handle (acknowledge message))
(test-is "x" (message-text message))
(free-message message)
(free-message message)

(define bob (open-agent node "bob" #:mailbox-messages 1 #:overflow 'fail))
(send bob "bob" "1")
(test-fails 'mailbox-full (send bob "bob" "2"))
(test-fails 'bad-argument (open-agent node "cid" #:overflow 'explode))
(test-fails 'bad-argument (open-agent node "cid" #:mailbox-messages -1))
(test-fails 'bad-argument (open-agent node 'cid))
(test-fails 'bad-argument (open-agent "node" "cid"))
(test-fails 'bad-argument (open-agent node "cid" #:properties '(1)))
(test-fails 'bad-argument (await bob))
(test-fails 'bad-argument (stop-agent bob))
(free-message (receive bob))
(test-assert "a keyword that there is not"
  (exception? (kind-of (lambda () (send bob "x" "x" #:typ "t")))))

;; A thousand errors leave the place for arguments as it was.
(test-assert "errors take no place"
  (every (lambda (ignored)
           (eq? 'bad-argument (kind-of (lambda () (send bob "bob" "x" #:headers '(("a" . b)))))))
         (iota 1000)))
(test-is #f (receive bob #:within 0))
(send bob "bob" (make-string 20000 #\x) #:headers (map (lambda (n) (cons (number->string n) "v"))
                                                      (iota 1000)))
(test-is 1000 (length (message-headers (receive bob))))

;; The child of a fork cannot use the society of its parent, and says so.
(let ((child (primitive-fork)))
  (if (zero? child)
      (primitive-_exit (if (eq? 'forked (kind-of (lambda () (send bob "bob" "x")))) 0 1))
      (test-is 0 (status:exit-val (cdr (waitpid child))))))

(close-node node)
(close-node node)
(test-fails 'bad-handle (open-agent node "cid"))
(test-fails 'bad-handle (stop-node node))
(done)
