;; mixed.scm MEMBER: roles in Scheme work with those of another program, here the cook of the
;; kitchen in C, on another node of one society.
(use-modules (coracle caf)
             (coracle dispel)
             (ice-9 popen)
             (ice-9 rdelim)
             (srfi srfi-1))

(define realization (getenv "CORACLE_REALIZATION"))

(define (begin-cook program)
  (let ((port (open-pipe* OPEN_BOTH program realization "c" "soup" "7")))
    (test-is "c is ready" (read-line port))
    port))

(define cook (begin-cook (last (command-line))))

(define plates 1000)
(define taken '())
(define head #f)  ; an agent of this program
(define kinds
  `((orders . ,(make-source #:gives 'text
                            #:produce (lambda (stage first)
                                        (when (< first plates)
                                          (put stage (format #f "plate ~a" first))))))
    (c . ,(made-elsewhere #:takes 'text #:gives 'text))
    ,@(map (lambda (name) (cons name (make-filter #:takes 'text #:gives 'text #:process put)))
           '(cpp python guile sbcl))
    (plates . ,(make-sink #:takes 'text
                          #:consume (lambda (stage plate) (set! taken (cons plate taken)))
                          #:finish (lambda (stage error) (send head "head" "over"))))))

(with-node (node realization)
  (set! head (open-agent node "head"))
  ;; A council of both.
  (start-peer node "guile/voter"
    #:propose (lambda (call) '("noodles"))
    #:vote (lambda (agenda) '("soup" "noodles")))
  (start-council node "council" #:members '("c/voter" "guile/voter") #:rule "borda")
  (test-is "soup" (decision-winner (decide head "council" "What do we cook?")))
  ;; A contract.
  (let ((client (start-contract-client node "client")))
    (start-bidder node "guile/cook" #:bid (lambda (client contract) 9)
                  #:fulfil (lambda (engagement) "too dear"))
    (let ((settlement (announce client "soup" #:rule 'lowest
                                #:bidders '("c/cook" "guile/cook"))))
      (test-is '(("c/cook" 7 "c cooked soup"))
        (map (lambda (part)
               (list (settlement-part-bidder part) (settlement-part-price part)
                     (settlement-part-result part)))
             (settlement-parts settlement)))))
  ;; A pipeline through both programs.
  (start-pipeline node "keeper" #:name "chain" #:kinds kinds
    #:only '("orders" "cpp" "python" "guile" "sbcl" "plates")
    #:text "orders: orders; cpp: cpp; c: c; python: python; guile: guile; sbcl: sbcl;
            plates: plates; orders -> cpp -> c -> python -> guile -> sbcl -> plates")
  (receive head)
  (test-is (map (lambda (number) (format #f "plate ~a c" number)) (iota plates))
    (reverse taken)))
(test-is 0 (status:exit-val (close-pipe cook)))  ; it has served until its input ended
(done)
