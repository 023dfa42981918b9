;; Layers of behaviours: a lower one, and a higher one that suppresses it.
(use-modules (coracle dispel)
             (srfi srfi-1))

(with-node (node "local:")
  (define ann (open-agent node "ann"))
  (define driven '())
  (define (wander me)
    (send-signal me "wish" 1)
    (set-alarm me 0.001))
  (define (explore me)
    (cond
     ((alarm-rang? me)
      (send-signal me 'wish 2)
      (end-behaviour me))
     (else (set-alarm me 0.02))))
  (define (drive me)
    (let ((wish (last-signal me "wish" 'none)))
      (set! driven (cons (list wish (fresh-signal? me "wish")) driven))
      (when (eqv? 2 wish) (send ann "ann" "explored"))))
  (define behaviours
    (list (make-behaviour "wander" #:outputs '((wish . integer)) #:react wander)
          (make-behaviour "explore" #:layer 1 #:outputs '((wish . integer)) #:react explore)
          (make-behaviour "body" #:inputs '(("wish" . integer)) #:react drive)))
  (test-fails 'bad-options
    (start-subsumption node "robot" #:behaviours behaviours
                       #:wires (list (wire "wander.wish" "body.nothing"))))
  (start-subsumption node "robot" #:behaviours behaviours
                     #:wires (list (wire "wander.wish" "body.wish")
                                   (suppress "explore.wish" "body.wish" 1000)))
  (receive ann)
  (test-is '(none #f) (last driven))  ; the first reaction, before any signal
  (test-is '(2 #t) (first driven))
  (test-assert "1 came before, and not after" (member '(1 #t) driven))
  (test-is 1 (count (lambda (each) (eqv? 2 (car each))) driven))

  ;; What a reaction must not do.
  (define broken 0)
  (define (breaks react)
    (let ((found #f))
      (set! broken (+ broken 1))
      (start-subsumption node (format #f "wrong~a" broken) #:behaviours
        (list (make-behaviour "b" #:inputs '((in . text)) #:outputs '((out . text))
                              #:react (lambda (me)
                                        (set! found (kind-of (lambda () (react me))))
                                        (end-behaviour me)
                                        (send ann "ann" "x")))))
      (receive ann)
      found))
  (test-is 'bad-argument (breaks (lambda (me) (last-signal me "out"))))
  (test-is 'bad-argument (breaks (lambda (me) (fresh-signal? me "x"))))
  (test-is 'bad-argument (breaks (lambda (me) (send-signal me "in" "x"))))
  (test-is 'wrong-type (breaks (lambda (me) (send-signal me "out" 1))))
  (test-is 'bad-argument (breaks (lambda (me) (set-alarm me -1))))
  (test-is 'none (breaks (lambda (me) (send-signal me "out" "x"))))

  (test-fails 'bad-argument (make-behaviour "b" #:inputs '("in")))
  (test-fails 'bad-argument (make-behaviour "b" #:inputs '((in . word))))
  (test-fails 'bad-argument (make-behaviour "b" #:react 'react))
  (test-fails 'bad-argument (start-subsumption node "w" #:behaviours '("b")))
  (test-fails 'bad-argument (start-subsumption node "w" #:behaviours behaviours #:wires '("a")))
  (test-fails 'bad-argument
    (start-subsumption node "w" #:behaviours behaviours
                       #:wires (list (inhibit "explore.wish" "wander.wish" 'long)))))
(done)
