;; The cheapest carrier gets the contract; it asks its helper before it answers.
(use-modules (coracle)
             (coracle caf))

(define (start-carrier node name price helper)
  (start-bidder node name
    #:bid (lambda (client contract)
            (and (string=? "transport" (contract-kind contract)) price))
    #:fulfil (lambda (engagement)
               (let* ((what (contract-subject (engagement-contract engagement)))
                      (reply (ask helper "helper" what)))
                 (string-append name " and " (message-text reply) " carried " what)))))

(define (help me)
  (let ((request (receive me)))
    (reply me request "a helper"))
  (help me))

(with-node (node "local:")
  (spawn node "helper" help)
  (let ((asking (open-agent node "asking"))
        (client (start-contract-client node "client")))
    (start-carrier node "dear" 90 asking)
    (start-carrier node "cheap" 50 asking)
    (let ((settlement (announce client "a piano" #:kind "transport" #:rule 'lowest
                                #:bidders '("dear" "cheap"))))
      (for-each (lambda (part)
                  (format #t "~a for ~a\n" (settlement-part-result part)
                          (settlement-part-price part)))
                (settlement-parts settlement)))))
