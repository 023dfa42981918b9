;;;; The names of the roles of CAF.

(defpackage :coracle/caf
  (:nicknames :caf)
  (:use :cl)
  (:documentation "Councils and their peers, bidders and their clients, arbiters and planners.

DEFCLASS a subclass of a role, with methods of its functions, and CORACLE:START it.")
  (:import-from :coracle
                #:start #:role #:name #:size #:begin #:fail #:fail-argument
                ;; calls of the library
                #:check #:uninterrupted #:define-functions #:operating #:nowhere #:event-done
                #:with-event-result #:live-node #:port-handle #:port-loop
                ;; arguments
                #:with-arena #:allocate-zeros #:place-name #:place-name?
                #:place-names #:place-struct
                #:slot-at #:slot-place #:size-of #:span #:texts #:put-texts #:number-of
                ;; functions of roles
                #:define-record #:define-asked #:define-told #:name-at #:answer-now
                #:begin-role #:beginning #:acting-by #:functions-needed #:has-method-p #:role-in
                #:role-key #:enrolled #:%end-role #:self-ending-role #:guarding-library
                #:answering-at-once)
  (:export
   ;; councils
   #:peer #:propose #:vote #:on-decision #:on-refusal
   #:agenda #:agenda-id #:agenda-round #:agenda-subject #:agenda-alternatives #:agenda-within
   #:choose #:rank #:approve #:grade
   #:council #:decide
   #:decision #:decision-id #:decision-subject #:decision-decided #:decision-winner
   #:decision-co-winners #:decision-why
   #:refused-message #:refused-message-id #:refused-message-round #:refused-message-what
   #:refused-message-reason
   ;; contracts
   #:bidder #:bid-for #:fulfil #:on-rejection #:on-lost #:on-settled
   #:contract #:contract-id #:contract-round #:contract-kind #:contract-subject #:contract-items
   #:contract-units #:contract-bid-within #:contract-bid-holds #:contract-lease
   #:contract-client-penalty #:contract-bidder-penalty
   #:penalty #:penalty-fixed #:penalty-per-second
   #:engagement #:engagement-client #:engagement-contract #:engagement-award #:engagement-items
   #:engagement-price
   #:client #:admits #:announce
   #:settlement #:settlement-id #:settlement-ended #:settlement-parts #:settlement-why
   #:settlement-client-owes #:settlement-bidders-owe
   #:part #:part-bidder #:part-items #:part-price #:part-result
   ;; negotiation
   #:planner #:judge #:answer #:on-outcome #:on-progress #:on-plan-objection
   #:worth #:make-worth #:worth-score #:worth-best #:worth-ends #:worth-note #:worth-infeasible
   #:plan-node #:plan-node-move #:plan-node-state #:plan-node-cost #:plan-node-before
   #:plan #:plan-start #:plan-moves #:plan-cost #:plan-clients #:plan-scores #:plan-is-mutual
   #:outcome #:outcome-agreed #:outcome-plan #:outcome-why #:outcome-is-without-you
   #:progress #:progress-move #:progress-state #:progress-cost #:progress-done #:progress-fault
   #:request #:go-ahead #:withdraw
   #:arbiter #:apply-move #:advance #:prepare #:perform #:on-end))
