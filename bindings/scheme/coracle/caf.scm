;; The roles of CAF. The manual has a page about them: docs/manual/37-scheme-roles.md.
(define-module (coracle caf)
  #:use-module (coracle contracts)
  #:use-module (coracle councils)
  #:use-module (coracle plans)
  #:re-export (;; councils and their peers
               start-peer start-council decide make-ballot agenda? agenda-id agenda-round
               agenda-subject agenda-alternatives agenda-within decision? decision-id
               decision-subject decision-decided? decision-winner decision-co-winners
               decision-why refusal? refusal-id refusal-round refusal-what refusal-reason
               ;; contracts: bidders and their clients
               start-bidder start-contract-client announce make-bid contract? contract-id
               contract-round contract-kind contract-subject contract-items contract-units
               contract-bid-within contract-bid-holds contract-lease contract-client-penalty
               contract-bidder-penalty engagement? engagement-client engagement-contract
               engagement-award engagement-items engagement-price engagement-open? settlement?
               settlement-id settlement-ended settlement-parts settlement-why
               settlement-client-owes settlement-bidders-owe settlement-part?
               settlement-part-bidder settlement-part-items settlement-part-price
               settlement-part-result
               ;; plans: arbiters and their clients
               start-planner plan-request plan-go plan-withdraw start-arbiter make-worth worth?
               worth-score worth-best worth-ends worth-note worth-infeasible? plan-node?
               plan-node-move plan-node-state plan-node-cost plan-node-before plan? plan-start
               plan-moves plan-cost plan-clients plan-scores plan-mutual? outcome?
               outcome-agreed? outcome-plan outcome-why outcome-without-you? progress?
               progress-move progress-state progress-cost progress-done? progress-fault))
