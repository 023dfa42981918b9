;; Councils and their peers.
(define-module (coracle councils)
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
  #:export (start-peer start-council decide make-ballot
            agenda? agenda-id agenda-round agenda-subject agenda-alternatives agenda-within
            decision? decision-id decision-subject decision-decided? decision-winner
            decision-co-winners decision-why
            refusal? refusal-id refusal-round refusal-what refusal-reason))

;; A call for alternatives, or for votes.
(define-shown (<agenda> make-agenda agenda? "an agenda, a call for alternatives or for votes")
  (id agenda-id "the number of the decision that an agenda is for")
  (round agenda-round "the number of its round, from 1")
  (subject agenda-subject "the subject of the decision")
  (alternatives agenda-alternatives
   "the alternatives, of which a ballot names some; none in a call for them")
  (within agenda-within "the number of seconds for the answer"))

(define-shown (<decision> make-decision decision? "a decision of a council")
  (id decision-id "the number of a decision")
  (subject decision-subject "its subject")
  (decided? decision-decided? "true if the council has decided")
  (winner decision-winner "the alternative that has won; #f if it is not decided")
  (co-winners decision-co-winners "the alternatives among which the tie was broken")
  (why decision-why "the reason why it is not decided"))

(set-record-type-printer! <decision>
  (lambda (decision port)
    (format port "#<decision ~s ~s>" (decision-subject decision)
            (or (decision-winner decision) (decision-why decision)))))

(define-shown (<refusal> make-refusal refusal? "a refusal of a message of a peer")
  (id refusal-id "the number of the decision")
  (round refusal-round "the number of its round")
  (what refusal-what "what was refused")
  (reason refusal-reason "the reason"))

(define (read-agenda at)
  (make-agenda (agenda.id at) (agenda.round at) (text-at (agenda.subject at))
               (texts-at (agenda.alternatives at)) (/ (agenda.within at) 1e9)))

(define (read-decision at)
  (let ((decided? (true? (decision.decided at))))
    (make-decision (decision.id at) (text-at (decision.subject at)) decided?
                   (and decided? (text-at (decision.winner at)))
                   (texts-at (decision.co_winners at)) (text-at (decision.why at)))))

;; --- peers ---

(define-record-type <ballot>
  (new-ballot ranking approved scores)
  ballot?
  (ranking ballot-ranking)
  (approved ballot-approved)
  (scores ballot-scores))

(define* (make-ballot #:key (ranking '()) approved (scores '()))
  "Return a ballot, of which the rule of the council counts one part: RANKING, a list of
alternatives with the best first, APPROVED, a list of alternatives, or SCORES, a list of exact
numbers, one for each alternative of the agenda."
  (new-ballot ranking approved scores))

(define (place-numbers chosen agenda)
  ;; A ballot names alternatives by their places.
  (place-all chosen 4
    (lambda (at alternative place)
      (poke-u32! at (or (list-index (lambda (each) (equal? each alternative))
                                    (agenda-alternatives agenda))
                        (fail 'bad-argument "a ballot names alternatives of its agenda, which are "
                              (agenda-alternatives agenda) ", not " alternative))))))

(define (set-fraction at number what)
  (unless (and (rational? number) (exact? number)
               (< (abs (numerator number)) (ash 1 63)) (< (denominator number) (ash 1 63)))
    (fail 'bad-argument what " is an exact number such as 2 or 1/3, not " number))
  (set-fraction.numerator! at (numerator number))
  (set-fraction.denominator! at (denominator number)))

(define (place-ballot vote agenda)
  (cond
   ((not vote) 0)
   ((list? vote) (place-ballot (make-ballot #:ranking vote) agenda))
   ((ballot? vote)
    (let ((ballot (allot sizeof-ballot))
          (approved (ballot-approved vote)))
      (set-ballot.size! ballot sizeof-ballot)
      (set-ballot.ranking! ballot (place-numbers (ballot-ranking vote) agenda))
      (set-ballot.ranking_count! ballot (length (ballot-ranking vote)))
      (set-ballot.approves! ballot (if approved 1 0))
      (set-ballot.approved! ballot (place-numbers (or approved '()) agenda))
      (set-ballot.approved_count! ballot (length (or approved '())))
      (set-ballot.scores! ballot
        (place-all (ballot-scores vote) sizeof-fraction
                   (lambda (at score place) (set-fraction at score "a score"))))
      (set-ballot.score_count! ballot (length (ballot-scores vote)))
      ballot))
   (else
    (fail 'wrong-type "a vote is a list of alternatives with the best first, what make-ballot "
          "returns, or #f, not " vote))))

(define (answer-alternatives question alternatives)
  (unless (and (list? alternatives) (every string? alternatives))
    (fail 'wrong-type "a peer proposes a list of strings, not " alternatives))
  (with-scratch
   (coracle-answer-alternatives question (place-texts alternatives "an alternative")
                                (length alternatives))))

(define on-propose
  (question-procedure (list size_t)
    (lambda (role self question call context)
      (let ((call (read-agenda call)))
        (lambda ()
          (call-or-refuse
           (lambda () (answer-alternatives question ((role-ref role 'propose) call)))
           (lambda (reason) (answer-alternatives question '()))))))))

(define (answer-ballot question vote agenda)
  (with-scratch (coracle-answer-ballot question (place-ballot vote agenda))))

(define on-vote
  (question-procedure (list size_t)
    (lambda (role self question agenda context)
      (let ((agenda (read-agenda agenda)))
        (lambda ()
          (call-or-refuse
           (lambda () (answer-ballot question ((role-ref role 'vote) agenda) agenda))
           (lambda (reason) (answer-ballot question #f agenda))))))))

(define on-decision
  (notice-procedure (list size_t)
    (lambda (role self decision context)
      (let ((decision (read-decision decision)))
        (lambda () ((role-ref role 'decision) decision))))))

(define on-refusal
  (notice-procedure (list size_t)
    (lambda (role self at context)
      (let ((refusal (make-refusal (refusal.id at) (refusal.round at) (text-at (refusal.what at))
                                   (text-at (refusal.reason at)))))
        (lambda () ((role-ref role 'refused) refusal))))))

(define-starter (start-peer node name (propose #f) (vote #f) (decision #f) (refused #f)) options
  "Start a peer of councils as an agent of NODE, and return it. (PROPOSE call) returns a list of
alternatives, strings; without it, the peer proposes none. (VOTE agenda) returns a list of
alternatives of the agenda with the best first, what MAKE-BALLOT returns, or #f to abstain, as the
peer does without it and after REFUSE. (DECISION decision) is called with each decision, and
(REFUSED refusal) when a message of this peer has had no effect. Other keywords are those of
OPEN-AGENT."
  (start-role node name options
    `((propose . ,propose) (vote . ,vote) (decision . ,decision) (refused . ,refused))
    (lambda (handle place number)
      (let ((peer (allot sizeof-peer)))
        (set-peer.size! peer sizeof-peer)
        (set-peer.propose! peer (if-given propose on-propose "#:propose"))
        (set-peer.vote! peer (if-given vote on-vote "#:vote"))
        (set-peer.decision! peer (if-given decision on-decision "#:decision"))
        (set-peer.refused! peer (if-given refused on-refusal "#:refused"))
        (set-peer.end! peer end-of-role)
        (set-peer.context! peer number)
        (coracle-peer-start handle place peer)))))

;; --- councils ---

(define (place-member at member place)
  (match (if (list? member) member (list member))
    ((name) (place-member at (list name 1 #f) place))
    ((name weight) (place-member at (list name weight #f) place))
    ((name weight proxy)
     (set-member.name! at (place-text name "a member of a council"))
     (set-fraction (member.weight at) weight "the weight of a member")
     (set-member.proxy! at (place-text proxy "the proxy of a member")))
    (else (fail 'bad-argument "a member is a name, or a list of a name, a weight and a proxy, not "
                member))))

(define-starter (start-council node name (members '()) (rule #f) (ties #f) (propose-within #f)
                               (vote-within #f) (secrecy 'open) (absent 'abstains)
                               (vacant 'absent) (chair #f) (none-of-these? #f)
                               (adjourns-after #f))
  options
  "Start a council as an agent of NODE, and return it; DECIDE asks it. A member is the name of a
peer, or a list of a name, a weight and the name of a proxy. RULE is \"plurality\", \"schulze\",
\"approval\" and so on, and TIES for example \"status_quo,chair,random\". SECRECY is open,
tally-only or commit-reveal; ABSENT is abstains, status-quo or by-proxy; VACANT is absent, wait or
refuse. If NONE-OF-THESE? is true, that is always an alternative. The council ends after so many
decisions as ADJOURNS-AFTER says. Other keywords are those of OPEN-AGENT."
  (unless (list? members) (fail 'bad-argument "#:members is a list, not " members))
  (start-role node name options '()
    (lambda (handle place number)
      (let ((council (allot sizeof-council)))
        (set-council.size! council sizeof-council)
        (set-council.members! council (place-all members sizeof-member place-member))
        (set-council.member_count! council (length members))
        (set-council.rule! council (place-text rule "#:rule"))
        (set-council.ties! council (place-text ties "#:ties"))
        (set-council.propose_within! council (span-of propose-within "#:propose-within"))
        (set-council.vote_within! council (span-of vote-within "#:vote-within"))
        (set-council.secrecy! council
          (index-of secrecy '(open tally-only commit-reveal) "#:secrecy"))
        (set-council.absent! council
          (index-of absent '(abstains status-quo by-proxy) "#:absent"))
        (set-council.vacant! council (index-of vacant '(absent wait refuse) "#:vacant"))
        (set-council.chair! council (place-text chair "#:chair"))
        (set-council.none_of_these! council (if none-of-these? 1 0))
        (set-council.adjourns_after! council (count-of adjourns-after "#:adjourns-after" 64))
        (coracle-council-start handle place council)))))

(define* (decide agent council subject
                 #:key (alternatives '()) call-peers? incumbent key within)
  "Let AGENT ask COUNCIL, a name or an agent, for a decision about SUBJECT, and return it. Without
ALTERNATIVES the peers propose them; if CALL-PEERS? is true, they propose more. INCUMBENT is the
alternative that holds now. The same KEY, a number, gets the same decision again. Fail with the kind
expired after WITHIN seconds."
  (performed (begin)
    (let ((motion (allot sizeof-motion)))
      (set-motion.size! motion sizeof-motion)
      (set-motion.subject! motion (place-text subject "the subject"))
      (set-texts (motion.alternatives motion) alternatives "#:alternatives")
      (set-motion.call_peers! motion (if call-peers? 1 0))
      (set-motion.incumbent! motion (place-text incumbent "#:incumbent"))
      (set-motion.key! motion (count-of key "#:key" 64))
      (coracle-decide (agent-handle agent) (place-text (target-name council) "the council") motion
                      (span-of within "#:within") 0 begin))
    (lambda (event)
      (read-result event
        (lambda (result)
          (with-scratch
           (let ((decision (allot sizeof-decision)))
             (coracle-result-decision result decision)
             (read-decision decision))))))))
