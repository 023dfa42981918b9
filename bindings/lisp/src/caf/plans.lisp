;;;; Negotiation: planners and arbiters.

(in-package :coracle/caf)

(define-functions
  (planner-start :pointer :uint64 :pointer :pointer :pointer)
  (answer-judgement :pointer :uint64 :pointer :pointer :size)
  (answer-offer :pointer :uint64 :uint8 :pointer :pointer :size)
  (planner-request :pointer :uint64 :pointer :pointer :int64 :pointer :pointer)
  (planner-go :pointer :uint64 :pointer :pointer)
  (planner-withdraw :pointer :uint64 :pointer :pointer)
  (result-outcome :pointer :uint64 :pointer)
  (arbiter-start :pointer :uint64 :pointer :pointer)
  (answer-step :pointer :uint64 :pointer :int64 :uint8))

(define-record worth "The value of a node of the tree to a planner."
  (score :int64 "Of a plan that ends here.")
  (best :int64 "The greatest of any plan through this node.")
  (ends :int64 "The least cost of such a plan.")
  (note :int64 "Comes back with the nodes below.")
  (infeasible :truth "True if no plan leads through this node."))

(define-record plan-node "A node of the tree of moves."
  (move :text "The move that leads to the node; \"\" at the root.")
  (state :text "The state after the move.")
  (cost :int64 "The cost from the root.")
  (before (:record worth) "The worth that the planner gave to the node above."))

(define-record plan "A plan."
  (start :text "The state in which it begins.")
  (moves :texts "Its moves.")
  (cost :int64 "Its cost.")
  (clients :texts "The names of the clients.")
  (scores (:integers :int64 clients) "A score for each client.")
  (is-mutual :truth "True if all find it agreeable."))

(define-record outcome "How a negotiation has ended."
  (agreed :truth "True if there is a plan.")
  (plan (:record plan) "The plan.")
  (why :text "Why it is not agreed.")
  (is-without-you :truth "True if it came about without this planner."))

(define-record progress "How far a plan is carried out."
  (move :text "The move.")
  (state :text "The state now.")
  (cost :int64 "The cost up to now.")
  (done :truth "True if the plan is done.")
  (fault :text "Why the plan does not continue; \"\" otherwise."))

(cffi:defcstruct planner
  (size :size) (judge :pointer) (offer :pointer) (outcome :pointer) (progress :pointer)
  (objection :pointer) (end :pointer) (context :uint64))
(cffi:defcstruct plan_request
  (size :size) (goal :pointer) (threshold :int64) (otherwise :int64) (weight :int64)
  (priority :int64) (moves (:struct texts)) (begins_at_go :uint8))
(cffi:defcstruct arbiter
  (size :size) (state :pointer) (clients :size) (gather :int64) (go_within :int64)
  (answer_within :int64) (within :int64) (rule :pointer) (nodes :uint32) (offers :uint32)
  (reconsiders :uint8) (apply :pointer) (advance :pointer) (prepare :pointer) (perform :pointer)
  (finished :pointer) (end :pointer) (context :uint64))

;;; --- planners ---

(defclass planner (role) ()
  (:documentation "A client of arbiters, of which it requests plans by REQUEST."))

(defgeneric judge (planner arbiter node)
  (:documentation "Judges a PLAN-NODE: a WORTH, and a list of moves for which the planner wishes."))
(defgeneric answer (planner arbiter plan)
  (:documentation "Answers the offer of a plan: T accepts it; NIL, a text with the reason, and a
list of moves as another proposal reject it. Without a method, a planner accepts a plan that all
find agreeable, and one that is worth no less to it than none."))
(defgeneric on-outcome (planner arbiter outcome)
  (:documentation "A negotiation has ended.")
  (:method (planner arbiter outcome) (declare (ignore planner arbiter outcome))))
(defgeneric on-progress (planner arbiter progress)
  (:documentation "A move is carried out.")
  (:method (planner arbiter progress) (declare (ignore planner arbiter progress))))
(defgeneric on-plan-objection (planner arbiter what reason)
  (:documentation "Something that the planner sent has had no effect, for that reason.")
  (:method (planner arbiter what reason) (declare (ignore planner arbiter what reason))))

(defmethod functions-needed append ((planner planner)) '(judge))

(defun answer-judgement (handle values)
  (destructuring-bind (&optional worth moves) values
    (unless (worth-p worth)
      (fail-argument "~s is no judgement; give a WORTH and a list of moves." worth))
    (with-arena (arena)
      (let ((place (allocate-zeros arena (size-of worth))))
        (macrolet ((put (slot reader) `(setf (slot-at place worth ,slot) (,reader worth))))
          (put score worth-score)
          (put best worth-best)
          (put ends worth-ends)
          (put note worth-note))
        (setf (slot-at place worth infeasible) (if (worth-infeasible worth) 1 0))
        (uninterrupted
          (%answer-judgement handle place (place-names arena moves) (length moves)))))))

(defun answer-offer (handle values)
  (destructuring-bind (&optional accepts reason moves) values
    (with-arena (arena)
      (uninterrupted
        (%answer-offer handle (if accepts 1 0)
                       (if reason (place-name arena reason) (cffi:null-pointer))
                       (place-names arena moves) (length moves))))))

(define-asked %judge ((planner) (arbiter :pointer) (node :pointer))
    ((arbiter (name-at arbiter)) (node (plan-node-at node)))
    #'answer-judgement
  (judge planner arbiter node))
(define-asked %answer ((planner) (arbiter :pointer) (plan :pointer))
    ((arbiter (name-at arbiter)) (plan (plan-at plan)))
    #'answer-offer
  (answer planner arbiter plan))
(define-told %on-outcome (planner (arbiter :pointer) (outcome :pointer))
    ((arbiter (name-at arbiter)) (outcome (outcome-at outcome)))
  (on-outcome planner arbiter outcome))
(define-told %on-progress (planner (arbiter :pointer) (progress :pointer))
    ((arbiter (name-at arbiter)) (progress (progress-at progress)))
  (on-progress planner arbiter progress))
(define-told %on-objection (planner (arbiter :pointer) (what :pointer) (reason :pointer))
    ((arbiter (name-at arbiter)) (what (name-at what)) (reason (name-at reason)))
  (on-plan-objection planner arbiter what reason))

(defmethod begin-role ((planner planner) node options arena)
  (acting-by (planner out arena)
    (%planner-start (live-node node) options
                    (place-struct arena planner
                      (judge (cffi:callback %judge))
                      (offer (and (has-method-p 'answer planner) (cffi:callback %answer)))
                      (outcome (cffi:callback %on-outcome))
                      (progress (cffi:callback %on-progress))
                      (objection (cffi:callback %on-objection))
                      (end (cffi:callback %end-role))
                      (context (role-key planner)))
                    out)))

(defun event-outcome (event port)
  (declare (ignore port))
  (with-event-result (result event)
    (cffi:with-foreign-object (out '(:struct outcome))
      (check (%result-outcome result out))
      (outcome-at out))))

(defun request (planner arbiter goal
                &key threshold otherwise weight priority moves begins-at-go longest then)
  "Requests something of an arbiter, and returns the OUTCOME. A plan is agreeable from the score
THRESHOLD on; no agreement is worth OTHERWISE. A plan could begin with MOVES. If it BEGINS-AT-GO, it
waits for GO-AHEAD."
  (operating (planner then #'event-outcome :arena arena) (begin handle)
    (let ((request (place-struct arena plan_request
                     (goal (place-name arena goal))
                     (threshold threshold)
                     (otherwise otherwise)
                     (weight weight)
                     (priority priority)
                     (begins_at_go (if begins-at-go 1 0)))))
      (put-texts arena (slot-place request plan_request moves) moves)
      (%planner-request handle (place-name arena arbiter) request (span longest) (nowhere) begin))))

(defun go-ahead (planner arbiter &key then)
  "Lets a plan begin that waits for it."
  (operating (planner then #'event-done :has-no-result t :arena arena) (begin handle)
    (%planner-go handle (place-name arena arbiter) begin)))

(defun withdraw (planner arbiter &key then)
  "Takes a request back."
  (operating (planner then #'event-done :has-no-result t :arena arena) (begin handle)
    (%planner-withdraw handle (place-name arena arbiter) begin)))

;;; --- arbiters ---

(defclass arbiter (role)
  ((state :initarg :state :initform "" :reader state)
   (clients :initarg :clients :initform nil :reader clients)
   (gather :initarg :gather :initform nil :reader gather)
   (go-within :initarg :go-within :initform nil :reader go-within)
   (answer-within :initarg :answer-within :initform nil :reader answer-within)
   (within :initarg :within :initform nil :reader within)
   (rule :initarg :rule :initform nil :reader rule)
   (nodes :initarg :nodes :initform nil :reader nodes)
   (offers :initarg :offers :initform nil :reader offers)
   (reconsiders :initarg :reconsiders :initform nil :reader reconsiders))
  (:documentation "Finds a plan for its clients, and carries it out. It begins in STATE, a text,
when so many CLIENTS have sent requests, or after GATHER seconds. RULE is a text such as
\"mutual\" or \"nash\". NODES limit the tree, WITHIN the seconds for which it grows, ANSWER-WITHIN
those of a client, GO-WITHIN those before a plan begins, OFFERS the plans that are offered. If it
RECONSIDERS, it negotiates anew after each control cycle."))

(defgeneric apply-move (arbiter state move)
  (:documentation "Carries out a move: the state after it, and its cost. The third value is false
within a move. A REFUSAL says that the move is illegal in this state. The function is pure, and is
called within the library."))
(defgeneric advance (arbiter state move)
  (:documentation "The same for one control cycle of a move; by default, a move is one cycle.")
  (:method (arbiter state move) (apply-move arbiter state move)))
(defgeneric prepare (arbiter plan)
  (:documentation "Works out how a plan can be done; the value is a text if it cannot, else NIL.")
  (:method (arbiter plan) (declare (ignore arbiter plan)) nil))
(defgeneric perform (arbiter move state cost)
  (:documentation "Carries out one cycle of a move, which leads to STATE; the value is a text if
that fails, else NIL.")
  (:method (arbiter move state cost) (declare (ignore arbiter move state cost)) nil))
(defgeneric on-end (arbiter progress)
  (:documentation "The plan has ended.")
  (:method (arbiter progress) (declare (ignore arbiter progress))))

(defmethod functions-needed append ((arbiter arbiter)) '(apply-move))

(defun answer-step (handle values)
  (destructuring-bind (&optional state (cost 1) (is-over t)) values
    (with-arena (arena)
      (uninterrupted (%answer-step handle (place-name arena state) cost (if is-over 1 0))))))

(defun answer-reason (handle values)
  (with-arena (arena)
    (uninterrupted (coracle::%answer-text handle (if (first values)
                                                     (place-name arena (first values))
                                                     (cffi:null-pointer))))))

(defmacro define-step (name function)
  "Defines what the library calls for the rules of the game."
  `(cffi:defcallback ,name :void
       ((question :uint64) (state :pointer) (move :pointer) (context :uint64))
     (guarding-library (question)
       (let ((arbiter (role-in (enrolled context) 0))
             (state (name-at state)) (move (name-at move)))
         (answer-now arbiter question #'answer-step (lambda () (,function arbiter state move)))))))

(define-step %apply-move apply-move)
(define-step %advance advance)

(define-asked %prepare ((arbiter) (plan :pointer)) ((plan (plan-at plan))) #'answer-reason
  (prepare arbiter plan))
(define-asked %perform ((arbiter) (move :pointer) (state :pointer) (cost :int64))
    ((move (name-at move)) (state (name-at state)))
    #'answer-reason
  (perform arbiter move state cost))
(define-told %on-end (arbiter (last :pointer)) ((last (progress-at last)))
  (on-end arbiter last))

(defmethod begin-role ((arbiter arbiter) node options arena)
  (beginning (%arbiter-start node options)
      (arena arbiter
             (state (place-name arena (state arbiter)))
             (clients (clients arbiter))
             (gather (span (gather arbiter)))
             (go_within (span (go-within arbiter)))
             (answer_within (span (answer-within arbiter)))
             (within (span (within arbiter)))
             (rule (place-name? arena (rule arbiter)))
             (nodes (nodes arbiter))
             (offers (offers arbiter))
             (reconsiders (if (reconsiders arbiter) 1 0))
             (apply (cffi:callback %apply-move))
             (advance (cffi:callback %advance))
             (prepare (cffi:callback %prepare))
             (perform (cffi:callback %perform))
             (finished (cffi:callback %on-end))
             (end (cffi:callback %end-role))
             (context (role-key arbiter)))))
