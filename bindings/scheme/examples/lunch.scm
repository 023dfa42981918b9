;; A council of three friends decides where to eat.
(use-modules (coracle)
             (coracle caf))

(define (start-friend node name likes)
  (start-peer node name
    #:propose (lambda (call) (list (car likes)))
    #:vote (lambda (agenda) likes)))

(with-node (node "local:")
  (start-friend node "ann" '("noodles" "soup" "pizza"))
  (start-friend node "bob" '("pizza" "soup" "noodles"))
  (start-friend node "cy" '("soup" "pizza" "noodles"))
  (start-council node "council" #:members '("ann" "bob" "cy") #:rule "schulze")
  (let* ((hungry (open-agent node "hungry"))
         (decision (decide hungry "council" "Where do we eat?")))
    (format #t "~a ~a\n" (decision-subject decision) (decision-winner decision))))
