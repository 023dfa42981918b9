;; Bidders and clients of contracts.
(use-modules (coracle caf)
             (srfi srfi-1))

(define failures '())
(define events '())
(define (note . what) (set! events (cons what events)))
(define-syntax-rule (with-local (node) body ...)
  (with-node (node "local:" #:on-failure
                   (lambda (agent error) (set! failures (cons (agent-name agent) failures))))
    body ...))

(define (parts-of settlement)
  (map (lambda (part)
         (list (settlement-part-bidder part) (settlement-part-items part)
               (settlement-part-price part) (settlement-part-result part)))
       (settlement-parts settlement)))

;; The cheapest fails, so the next one does it; the one that declines is not asked to work.
(with-local (node)
  (let ((helper (open-agent node "helper"))
        (client (start-contract-client node "client"
                  #:admits (lambda (bidder) (string=? bidder "dear")))))
    (define (start name price . more)
      (apply start-bidder node name #:bid (lambda (client contract) price) more))
    (start "dear" 90 #:fulfil (lambda (engagement) "not asked") #:clients '("client")
           #:rejected (lambda (client contract reason) (note 'rejected client)))
    (start "cheap" (make-bid 50 #:text "with care")
           #:fulfil (lambda (engagement)
                      (note (engagement-open? engagement) (engagement-price engagement)
                            (engagement-client engagement) (engagement-items engagement)
                            (contract-subject (engagement-contract engagement)))
                      (send helper "helper" "x")
                      (receive helper)  ; it waits
                      "it is there")
           #:settled (lambda (client contract price penalty) (note 'settled price penalty)))
    (start "clumsy" 20 #:fulfil (lambda (engagement) (refuse "it fell")))
    (start "lazy" #f #:fulfil (lambda (engagement) "not asked"))
    (let ((settlement (announce client "a piano" #:kind "transport" #:rule 'lowest #:keep-bids? #t
                                #:bidders '("dear" "cheap" "clumsy" "lazy"))))
      (test-is 'fulfilled (settlement-ended settlement))
      (test-is '(("cheap" () 50 "it is there")) (parts-of settlement)))
    (test-is 'no-bids (settlement-ended (announce client "nothing")))
    (test-is '("dear") (map settlement-part-bidder
                            (settlement-parts (announce client "a stool" #:registered? #t))))
    (test-is 'no-bids
      (settlement-ended (announce client "a stool" #:where '((= role "carrier")))))
    (test-is 'rejected
      (settlement-ended (announce client "a stool" #:bidders '("dear") #:rule 'lowest
                                  #:reserve 10)))
    (test-fails 'bad-options (announce client "x" #:bid-within 60))
    (test-fails 'bad-argument (announce client "x" #:rule 'loudest))
    (test-fails 'bad-argument (announce client "x" #:bidders "dear"))
    (test-fails 'bad-argument (announce helper "x"))
    (test-fails 'wrong-type (announce client "x" #:reserve 0.5))
    (test-fails 'bad-argument (start-bidder node "b"))
    (close-agent client)
    (test-fails 'bad-handle (announce client "x"))))
(test-assert "the winner knew it all" (member '(#t 50 "client" () "a piano") events))
(test-assert "it is settled" (member '(settled 50 0) events))
(test-assert "the loser is told" (member '(rejected "client") events))
(test-is '() failures)

;; Items in bundles.
(define (bundles within . bids)
  (set! failures '())
  (with-local (node)
    (let ((client (start-contract-client node "client"))
          (names (map (lambda (number) (format #f "b~a" number)) (iota (length bids)))))
      (for-each
       (lambda (name bid)
         (start-bidder node name #:capacity 2 #:bid (lambda (client contract) bid)
                       #:fulfil (lambda (engagement)
                                  (string-join (engagement-items engagement) "+"))))
       names bids)
      (parts-of (announce client "the house" #:items '("roof" "wall" "door") #:bidders names
                          #:bid-within within)))))
(test-is '(("b0" ("roof" "door") 5 "roof+door") ("b1" ("wall") 3 "wall"))
  (sort (bundles 5 '((("roof" "door") . 5) (("wall") . 4)) '((("wall") . 3)) 2)
        (lambda (one other) (string<? (car one) (car other)))))

;; What a bidder must not do ends it.
(for-each
 (lambda (bid)
   (bundles 0.05 bid)  ; nobody else bids
   (test-is '("b0") failures))
 (list "5" 0.5 '((("cellar") . 5)) '((() . 5)) '("roof")))

;; A bidder that fails at its work, one whose result is no string, and one that loses its award.
(define (works fulfil . options)
  (with-local (node)
    (let ((client (start-contract-client node "client")))
      (start-bidder node "bidder" #:bid (lambda (client contract) 1) #:fulfil fulfil
                    #:lost (lambda (engagement reason penalty) (note 'lost reason)))
      (settlement-ended (apply announce client "x" #:bidders '("bidder") options)))))
(test-is 'not-fulfilled (works (lambda (engagement) (refuse "no"))))
(test-is 'not-fulfilled (works (lambda (engagement) (error "it broke")) #:fulfil-within 0.05
                               #:lease 0.05))
(test-is 'not-fulfilled (works (lambda (engagement) 'done) #:fulfil-within 0.05 #:lease 0.05))
(done)
