;; Negotiation: arbiters, and planners as their clients.
(define-module (coracle plans)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle questions)
  #:use-module (coracle records)
  #:use-module (coracle tasks)
  #:use-module (ice-9 match)
  #:use-module (srfi srfi-1)
  #:use-module (srfi srfi-9)
  #:use-module (srfi srfi-9 gnu)
  #:use-module (system foreign)
  #:export (start-planner plan-request plan-go plan-withdraw start-arbiter make-worth
            worth? worth-score worth-best worth-ends worth-note worth-infeasible?
            plan-node? plan-node-move plan-node-state plan-node-cost plan-node-before
            plan? plan-start plan-moves plan-cost plan-clients plan-scores plan-mutual?
            outcome? outcome-agreed? outcome-plan outcome-why outcome-without-you?
            progress? progress-move progress-state progress-cost progress-done? progress-fault))

;; The worth of a node to a client.
(define-record-type <worth>
  (new-worth score best ends note infeasible?)
  worth?
  (score worth-score)
  (best worth-best)
  (ends worth-ends)
  (note worth-note)
  (infeasible? worth-infeasible?))

(document
 (worth? "Return true if the argument is the worth of a node.")
 (worth-score "Return the score of a plan that ends at the node.")
 (worth-best "Return the greatest score of any plan through the node.")
 (worth-ends "Return the least cost of such a plan.")
 (worth-note "Return the note, which comes back with the nodes below.")
 (worth-infeasible? "Return true if no plan through the node is of use."))

(define* (make-worth score #:key (best score) (ends 0) (note 0) infeasible?)
  "Return the worth of a node to a planner: SCORE is that of a plan that ends there, BEST the
greatest of any plan through the node, and ENDS the least cost of such a plan. NOTE comes back with
the nodes below. If INFEASIBLE? is true, no plan through the node is of use."
  (new-worth score best ends note infeasible?))

(define-shown (<plan-node> make-plan-node plan-node? "a node of the tree of plans")
  (move plan-node-move "the move that leads to the node; the empty string at the root")
  (state plan-node-state "its state")
  (cost plan-node-cost "the cost of the way to it")
  (before plan-node-before "the worth that the planner gave to the node above"))

(define-shown (<plan> make-plan plan? "a plan")
  (start plan-start "the state in which a plan starts")
  (moves plan-moves "the list of its moves")
  (cost plan-cost "its cost")
  (clients plan-clients "the names of the clients")
  (scores plan-scores "the scores of the clients, in the same order")
  (mutual? plan-mutual? "true if all clients find it agreeable"))

(define-shown (<outcome> make-outcome outcome? "the outcome of a negotiation")
  (agreed? outcome-agreed? "true if there is an agreement")
  (plan outcome-plan "the plan; #f if there is none")
  (why outcome-why "the reason why it is not agreed")
  (without-you? outcome-without-you? "true if the others have agreed without this planner"))

(define-shown (<progress> make-progress progress? "the progress of a plan")
  (move progress-move "the move that was made")
  (state progress-state "the state after it")
  (cost progress-cost "the cost so far")
  (done? progress-done? "true if the plan is done")
  (fault progress-fault "the reason why the plan does not continue; the empty string if it does"))

(define (read-node at)
  (let ((before (plan_node.before at)))
    (make-plan-node (text-at (plan_node.move at)) (text-at (plan_node.state at))
                    (plan_node.cost at)
                    (new-worth (worth.score before) (worth.best before) (worth.ends before)
                               (worth.note before) (true? (worth.infeasible before))))))

(define (read-plan at)
  (let ((clients (texts-at (plan.clients at))))
    (make-plan (text-at (plan.start at)) (texts-at (plan.moves at)) (plan.cost at) clients
               (map-in-order (lambda (number) (peek-i64 (+ (plan.scores at) (* 8 number))))
                             (iota (length clients)))
               (true? (plan.is_mutual at)))))

(define (read-outcome at)
  (let ((agreed? (true? (plan_outcome.agreed at))))
    (make-outcome agreed? (and agreed? (read-plan (plan_outcome.plan at)))
                  (text-at (plan_outcome.why at)) (true? (plan_outcome.is_without_you at)))))

(define (read-progress at)
  (make-progress (text-at (plan_progress.move at)) (text-at (plan_progress.state at))
                 (plan_progress.cost at) (true? (plan_progress.done at))
                 (text-at (plan_progress.fault at))))

(define (number-of value what)
  (unless (and (exact-integer? value) (< (abs value) (ash 1 63)))
    (fail 'wrong-type what " is a whole number of 64 bits, not " value))
  value)

;; --- planners ---

(define (place-worth worth)
  (unless (worth? worth) (fail 'wrong-type "a planner judges with make-worth, not with " worth))
  (let ((at (allot sizeof-worth)))
    (set-worth.score! at (number-of (worth-score worth) "the score"))
    (set-worth.best! at (number-of (worth-best worth) "#:best"))
    (set-worth.ends! at (number-of (worth-ends worth) "#:ends"))
    (set-worth.note! at (number-of (worth-note worth) "#:note"))
    (set-worth.infeasible! at (if (worth-infeasible? worth) 1 0))
    at))

(define (answer-judgement question worth moves)
  (unless (list? moves) (fail 'wrong-type "the wished moves are a list of strings, not " moves))
  (with-scratch
   (coracle-answer-judgement question (place-worth worth) (place-texts moves "a move")
                             (length moves))))

(define on-judge
  (question-procedure (list size_t size_t)
    (lambda (role self question arbiter node context)
      (let ((arbiter (text-at arbiter))
            (node (read-node node)))
        (lambda ()
          (call-with-values (lambda () ((role-ref role 'judge) arbiter node))
            (lambda* (worth #:optional (moves '())) (answer-judgement question worth moves))))))
    #:may-refuse? #f))

(define (answer-offer question accepts? reason moves)
  (unless (and (list? moves) (every string? moves))
    (fail 'wrong-type "an answer to an offer is #t, or a list of moves as another proposal, not "
          moves))
  (with-scratch
   (coracle-answer-offer question (if accepts? 1 0) (place-text reason "the reason")
                         (place-texts moves "a move") (length moves))))

(define on-offer
  (question-procedure (list size_t size_t)
    (lambda (role self question arbiter plan context)
      (let ((arbiter (text-at arbiter))
            (plan (read-plan plan)))
        (lambda ()
          (call-or-refuse
           (lambda ()
             (let ((answer ((role-ref role 'offer) arbiter plan)))
               (if (eq? #t answer)
                   (answer-offer question #t "" '())
                   (answer-offer question #f "it proposes other moves" answer))))
           (lambda (reason) (answer-offer question #f reason '()))))))))

(define on-outcome
  (notice-procedure (list size_t size_t)
    (lambda (role self arbiter outcome context)
      (let ((arbiter (text-at arbiter))
            (outcome (read-outcome outcome)))
        (lambda () ((role-ref role 'outcome) arbiter outcome))))))

(define on-progress
  (notice-procedure (list size_t size_t)
    (lambda (role self arbiter progress context)
      (let ((arbiter (text-at arbiter))
            (progress (read-progress progress)))
        (lambda () ((role-ref role 'progress) arbiter progress))))))

(define on-objection
  (notice-procedure (list size_t size_t size_t)
    (lambda (role self arbiter what reason context)
      (let ((arbiter (text-at arbiter))
            (what (text-at what))
            (reason (text-at reason)))
        (lambda () ((role-ref role 'objection) arbiter what reason))))))

(define-starter (start-planner node name (judge #f) (offer #f) (outcome #f) (progress #f)
                               (objection #f))
  options
  "Start a planner as an agent of NODE, and return it; PLAN-REQUEST lets it request, and CLOSE-AGENT
ends it. (JUDGE arbiter node) returns what MAKE-WORTH does, and as a second value a list of the
moves that it wishes there. (OFFER arbiter plan) returns #t to accept, a list of moves as another
proposal, or calls REFUSE; without it, the planner accepts a plan that all find agreeable, and one
that is worth no less to it than none. (OUTCOME arbiter outcome), (PROGRESS arbiter progress) and
(OBJECTION arbiter what reason) are called when these come. Other keywords are those of OPEN-AGENT."
  (require-procedure judge "#:judge")
  (start-actor node name options
    `((judge . ,judge) (offer . ,offer) (outcome . ,outcome) (progress . ,progress)
      (objection . ,objection))
    (lambda (handle place number out)
      (let ((planner (allot sizeof-planner)))
        (set-planner.size! planner sizeof-planner)
        (set-planner.judge! planner on-judge)
        (set-planner.offer! planner (if-given offer on-offer "#:offer"))
        (set-planner.outcome! planner (if-given outcome on-outcome "#:outcome"))
        (set-planner.progress! planner (if-given progress on-progress "#:progress"))
        (set-planner.objection! planner (if-given objection on-objection "#:objection"))
        (set-planner.end! planner end-of-role)
        (set-planner.context! planner number)
        (coracle-planner-start handle place planner out)))))

(define* (plan-request planner arbiter goal #:key (threshold 0) (otherwise 0) (weight 0)
                       (priority 0) (moves '()) begins-at-go? within)
  "Let PLANNER request GOAL, a string, of ARBITER, a name or an agent, and return the outcome. From
the score THRESHOLD on, a plan is agreeable; no agreement is worth OTHERWISE. A plan could begin
with MOVES. If BEGINS-AT-GO? is true, it waits for PLAN-GO. Fail with the kind expired after WITHIN
seconds."
  (performed (begin)
    (let ((request (allot sizeof-plan_request)))
      (set-plan_request.size! request sizeof-plan_request)
      (set-plan_request.goal! request (place-text goal "the goal"))
      (set-plan_request.threshold! request (number-of threshold "#:threshold"))
      (set-plan_request.otherwise! request (number-of otherwise "#:otherwise"))
      (set-plan_request.weight! request (number-of weight "#:weight"))
      (set-plan_request.priority! request (number-of priority "#:priority"))
      (set-texts (plan_request.moves request) moves "#:moves")
      (set-plan_request.begins_at_go! request (if begins-at-go? 1 0))
      (coracle-planner-request (acting-role planner "a planner")
                               (place-text (target-name arbiter) "the arbiter") request
                               (span-of within "#:within") 0 begin))
    (lambda (event)
      (read-result event
        (lambda (result)
          (with-scratch
           (let ((outcome (allot sizeof-plan_outcome)))
             (coracle-result-outcome result outcome)
             (read-outcome outcome))))))))

(define (plan-go planner arbiter)
  "Let the plan begin for which PLANNER said #:begins-at-go?."
  (performed (begin)
    (coracle-planner-go (acting-role planner "a planner")
                        (place-text (target-name arbiter) "the arbiter") begin)
    (lambda (event) #t)))

(define (plan-withdraw planner arbiter)
  "Withdraw the request of PLANNER at ARBITER."
  (performed (begin)
    (coracle-planner-withdraw (acting-role planner "a planner")
                              (place-text (target-name arbiter) "the arbiter") begin)
    (lambda (event) #t)))

;; --- arbiters ---

(define (answer-step question state cost over?)
  (unless (string? state) (fail 'wrong-type "a state is a string, not " state))
  (with-scratch
   (coracle-answer-step question (place-text state "the state")
                        (number-of cost "the cost of a move") (if over? 1 0))))

(define (step-function key is-over?)
  (immediate-procedure (list size_t size_t size_t)
    (lambda (role question state move context)
      (call-with-values (lambda () ((role-ref role key) (text-at state) (text-at move)))
        (lambda* (state #:optional (cost 1) (over? #t))
          (answer-step question state cost (or is-over? over?)))))
    (lambda (exception question state move context)
      (end-question (role-at context) question #t exception))))

(define on-apply (step-function 'apply #t))
(define on-advance (step-function 'advance #f))

(define (answer-work question thunk)
  (call-or-refuse
   (lambda ()
     (thunk)
     (coracle-answer-text question 0))
   (lambda (reason)
     (with-scratch (coracle-answer-text question (place-text reason "the reason"))))))

(define on-prepare
  (question-procedure (list size_t)
    (lambda (role self question plan context)
      (let ((plan (read-plan plan)))
        (lambda () (answer-work question (lambda () ((role-ref role 'prepare) plan))))))))

(define on-perform
  (question-procedure (list size_t size_t int64)
    (lambda (role self question move state cost context)
      (let ((move (text-at move))
            (state (text-at state)))
        (lambda ()
          (answer-work question (lambda () ((role-ref role 'perform) move state cost))))))))

(define on-finished
  (notice-procedure (list size_t)
    (lambda (role self progress context)
      (let ((progress (read-progress progress)))
        (lambda () ((role-ref role 'finished) progress))))))

(define-starter (start-arbiter node name (state #f) (apply #f) (advance #f) (prepare #f)
                               (perform #f) (finished #f) (clients #f) (gather #f) (go-within #f)
                               (answer-within #f) (within #f) (rule #f) (nodes #f) (offers #f)
                               (reconsiders? #f))
  options
  "Start an arbiter as an agent of NODE, and return it. It begins in STATE, a string. (APPLY state
move) returns the state after a move and, as a second value, its cost, 1 if it is not given, or
calls REFUSE where the move is illegal. It is pure, and cannot wait. (ADVANCE state move) does the
same for one control cycle of the move; its third value is false within a move. (PREPARE plan) works
out how the plan can be done, and (PERFORM move state cost) carries out one cycle of a move; each
may wait, and calls REFUSE if that cannot be done. (FINISHED progress) is called at the end. A
negotiation begins when CLIENTS have sent requests, at the latest after GATHER seconds. The clients
say go within GO-WITHIN seconds and answer within ANSWER-WITHIN; the tree grows for WITHIN seconds,
up to NODES. RULE is \"mutual\", \"nash\" and so on; there are up to OFFERS. If RECONSIDERS? is
true, the arbiter negotiates anew after each control cycle. Other keywords are those of OPEN-AGENT."
  (require-procedure apply "#:apply")
  (start-role node name options
    `((apply . ,apply) (advance . ,advance) (prepare . ,prepare) (perform . ,perform)
      (finished . ,finished))
    (lambda (handle place number)
      (let ((arbiter (allot sizeof-arbiter)))
        (set-arbiter.size! arbiter sizeof-arbiter)
        (set-arbiter.state! arbiter (place-text state "#:state"))
        (set-arbiter.clients! arbiter (count-of clients "#:clients"))
        (set-arbiter.gather! arbiter (span-of gather "#:gather"))
        (set-arbiter.go_within! arbiter (span-of go-within "#:go-within"))
        (set-arbiter.answer_within! arbiter (span-of answer-within "#:answer-within"))
        (set-arbiter.within! arbiter (span-of within "#:within"))
        (set-arbiter.rule! arbiter (place-text rule "#:rule"))
        (set-arbiter.nodes! arbiter (count-of nodes "#:nodes"))
        (set-arbiter.offers! arbiter (count-of offers "#:offers"))
        (set-arbiter.reconsiders! arbiter (if reconsiders? 1 0))
        (set-arbiter.apply! arbiter on-apply)
        (set-arbiter.advance! arbiter (if-given advance on-advance "#:advance"))
        (set-arbiter.prepare! arbiter (if-given prepare on-prepare "#:prepare"))
        (set-arbiter.perform! arbiter (if-given perform on-perform "#:perform"))
        (set-arbiter.finished! arbiter (if-given finished on-finished "#:finished"))
        (set-arbiter.end! arbiter end-of-role)
        (set-arbiter.context! arbiter number)
        (coracle-arbiter-start handle place arbiter)))))
