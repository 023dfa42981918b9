;; Contracts: bidders, and their clients.
(define-module (coracle contracts)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle questions)
  #:use-module (coracle records)
  #:use-module (coracle society)
  #:use-module (coracle tasks)
  #:use-module (ice-9 match)
  #:use-module (srfi srfi-1)
  #:use-module (srfi srfi-9)
  #:use-module (srfi srfi-9 gnu)
  #:use-module (system foreign)
  #:export (start-bidder start-contract-client announce make-bid
            contract? contract-id contract-round contract-kind contract-subject contract-items
            contract-units contract-bid-within contract-bid-holds contract-lease
            contract-client-penalty contract-bidder-penalty
            engagement? engagement-client engagement-contract engagement-award engagement-items
            engagement-price engagement-open?
            settlement? settlement-id settlement-ended settlement-parts settlement-why
            settlement-client-owes settlement-bidders-owe
            settlement-part? settlement-part-bidder settlement-part-items settlement-part-price
            settlement-part-result))

(define-shown (<contract> make-contract contract? "a contract that is announced")
  (id contract-id "the number that the client gave to a contract")
  (round contract-round "the number of its announcement")
  (kind contract-kind "its kind, a string")
  (subject contract-subject "its subject")
  (items contract-items "the items that can be bid for in bundles; none: the whole is one")
  (units contract-units "the units of capacity that each item takes")
  (bid-within contract-bid-within "the number of seconds in which bidders bid")
  (bid-holds contract-bid-holds "the number of seconds for which bids hold")
  (lease contract-lease "the number of seconds of a lease")
  (client-penalty contract-client-penalty
   "the penalty of the client, a pair of an amount and one for each second")
  (bidder-penalty contract-bidder-penalty
   "the penalty of the bidder, a pair of an amount and one for each second"))

(set-record-type-printer! <contract>
  (lambda (contract port)
    (format port "#<contract ~a ~s>" (contract-id contract) (contract-subject contract))))

;; An award that a bidder works on.
(define-record-type <engagement>
  (make-engagement client contract award items price question)
  engagement?
  (client engagement-client)
  (contract engagement-contract)
  (award engagement-award)
  (items engagement-items)
  (price engagement-price)
  (question engagement-question))

(document
 (engagement? "Return true if the argument is an engagement, an award that a bidder works on.")
 (engagement-client "Return the name of the client.")
 (engagement-contract "Return the contract.")
 (engagement-award "Return the number of the award.")
 (engagement-items "Return the items that were awarded; none: the whole contract.")
 (engagement-price "Return the price."))

(define-shown (<settlement> make-settlement settlement? "a settlement of a contract")
  (id settlement-id "the number of the contract")
  (ended settlement-ended
   "the symbol fulfilled, partly, no-bids, rejected, not-fulfilled or cancelled")
  (parts settlement-parts "the list of its parts, one for each award that was fulfilled")
  (why settlement-why "the reason why it is not fulfilled")
  (client-owes settlement-client-owes "the amount of the penalties of the client")
  (bidders-owe settlement-bidders-owe "the amount of the penalties of the bidders"))

(set-record-type-printer! <settlement>
  (lambda (settlement port)
    (format port "#<settlement ~a ~a>" (settlement-id settlement) (settlement-ended settlement))))

(define-shown (<settlement-part> make-settlement-part settlement-part? "a part of a settlement")
  (bidder settlement-part-bidder "the name of the bidder that fulfilled the part")
  (items settlement-part-items "its items; none: the whole")
  (price settlement-part-price "its price")
  (result settlement-part-result "its result, a string"))

;; --- sets of items ---

;; Item i is in a set when bit i is set. A contract without items is one item without a name.
(define (set->items set all)
  (filter-map (lambda (item number) (and (logbit? number set) item)) all (iota (length all))))

(define (whole contract)
  (- (ash 1 (max 1 (length (contract-items contract)))) 1))

(define (items->set items contract)
  (unless (and (list? items) (pair? items))
    (fail 'bad-argument "an offering is for a list of items, not for " items))
  (fold
   (lambda (item set)
     (let ((number (list-index (lambda (each) (equal? each item)) (contract-items contract))))
       (unless number
         (fail 'bad-argument "a bid offers items of its contract, which are "
               (contract-items contract) ", not " item))
       (logior set (ash 1 number))))
   0 items))

;; --- bidders ---

(define-record-type <bid>
  (new-bid offerings text)
  bid?
  (offerings bid-offerings)
  (text bid-text))

(define* (make-bid offerings #:key text)
  "Return a bid with a TEXT for the client. OFFERINGS is an amount for the whole contract, or a list
of pairs of a list of items and an amount, of which at most one wins."
  (new-bid offerings text))

(define (amount-of value what)
  (unless (and (exact-integer? value) (< (abs value) (ash 1 63)))
    (fail 'wrong-type what " is a whole number of 64 bits, not " value))
  value)

(define (place-offerings offerings contract)
  (place-all offerings sizeof-offering
    (lambda (at offering place)
      (unless (pair? offering)
        (fail 'wrong-type "an offering is a pair of a list of items and an amount, not " offering))
      (set-offering.items! at
        (if (eq? #t (car offering)) (whole contract) (items->set (car offering) contract)))
      (set-offering.amount! at (amount-of (cdr offering) "the amount of an offering")))))

(define (place-bid value contract)
  (cond
   ((not value) 0)
   ((bid? value)
    (let* ((given (bid-offerings value))
           (offerings (if (list? given) given (list (cons #t given))))
           (bid (allot sizeof-bid)))
      (set-bid.size! bid sizeof-bid)
      (set-bid.offerings! bid (place-offerings offerings contract))
      (set-bid.offering_count! bid (length offerings))
      (set-bid.text! bid (place-text (bid-text value) "the text of a bid"))
      bid))
   (else (place-bid (make-bid value) contract))))

(define (read-penalty at)
  (cons (penalty.fixed at) (penalty.per_second at)))

(define (read-contract at)
  (make-contract (contract.id at) (contract.round at) (text-at (contract.kind at))
                 (text-at (contract.subject at)) (texts-at (contract.items at))
                 (contract.units at) (/ (contract.bid_within at) 1e9)
                 (/ (contract.bid_holds at) 1e9) (/ (contract.lease at) 1e9)
                 (read-penalty (contract.client_penalty at))
                 (read-penalty (contract.bidder_penalty at))))

(define (read-engagement at question)
  (let ((contract (read-contract (engagement.contract at))))
    (make-engagement (text-at (engagement.client at)) contract (engagement.award at)
                     (set->items (engagement.items at) (contract-items contract))
                     (engagement.price at) question)))

(define (engagement-open? engagement)
  "Return true while the award of ENGAGEMENT has neither been fulfilled nor lost."
  (with-scratch
   (let ((out (allot 8)))
     (with-exception-handler
      (lambda (exception) #f)  ; the question was answered
      (lambda ()
        (coracle-question-is-open (engagement-question engagement) out)
        (true? (peek-u8 out)))
      #:unwind? #t))))

(define (answer-bid question bid contract)
  (with-scratch (coracle-answer-bid question (place-bid bid contract))))

(define on-bid
  (question-procedure (list size_t size_t)
    (lambda (role self question client contract context)
      (let ((client (text-at client))
            (contract (read-contract contract)))
        (lambda ()
          (call-or-refuse
           (lambda () (answer-bid question ((role-ref role 'bid) client contract) contract))
           (lambda (reason) (answer-bid question #f contract))))))))

(define (answer-fulfilment question done? text)
  (unless (string? text)
    (fail 'wrong-type "the result of a contract is a string, not " text))
  (with-scratch
   (coracle-answer-fulfilment question (if done? 1 0) (place-text text "the result"))))

(define on-fulfil
  (question-procedure (list size_t)
    (lambda (role self question engagement context)
      (let ((engagement (read-engagement engagement question)))
        (lambda ()
          (call-or-refuse
           (lambda () (answer-fulfilment question #t ((role-ref role 'fulfil) engagement)))
           (lambda (reason) (answer-fulfilment question #f reason))))))))

(define on-rejected
  (notice-procedure (list size_t uint64 size_t)
    (lambda (role self client contract reason context)
      (let ((client (text-at client))
            (reason (text-at reason)))
        (lambda () ((role-ref role 'rejected) client contract reason))))))

(define on-lost
  (notice-procedure (list size_t size_t int64)
    (lambda (role self engagement reason penalty context)
      (let ((engagement (read-engagement engagement 0))
            (reason (text-at reason)))
        (lambda () ((role-ref role 'lost) engagement reason penalty))))))

(define on-settled
  (notice-procedure (list size_t uint64 int64 int64)
    (lambda (role self client contract price penalty context)
      (let ((client (text-at client)))
        (lambda () ((role-ref role 'settled) client contract price penalty))))))

(define-starter (start-bidder node name (bid #f) (fulfil #f) (rejected #f) (lost #f) (settled #f)
                              (capacity #f) (promises-at-bid? #f) (clients '()))
  options
  "Start a bidder as an agent of NODE, and return it. (BID client contract) returns the amount for
the whole contract, a list of pairs of a list of items and an amount, what MAKE-BID returns, or #f
to decline, as the bidder does without it and after REFUSE. (FULFIL engagement) does the work and
returns its result, a string, or calls REFUSE; several may be under way, up to CAPACITY, else 1.
(REJECTED client contract reason), (LOST engagement reason penalty) and (SETTLED client contract
price penalty) are called when these things happen, with the number of the contract. A bidder that
PROMISES-AT-BID? never refuses an award. It registers with CLIENTS. Other keywords are those of
OPEN-AGENT."
  (require-procedure fulfil "#:fulfil")
  (start-role node name options
    `((bid . ,bid) (fulfil . ,fulfil) (rejected . ,rejected) (lost . ,lost) (settled . ,settled))
    (lambda (handle place number)
      (let ((bidder (allot sizeof-bidder)))
        (set-bidder.size! bidder sizeof-bidder)
        (set-bidder.capacity! bidder (count-of capacity "#:capacity" 64))
        (set-bidder.promises_at_bid! bidder (if promises-at-bid? 1 0))
        (set-texts (bidder.clients bidder) clients "#:clients")
        (set-bidder.bid! bidder (if-given bid on-bid "#:bid"))
        (set-bidder.fulfil! bidder on-fulfil)
        (set-bidder.rejected! bidder (if-given rejected on-rejected "#:rejected"))
        (set-bidder.lost! bidder (if-given lost on-lost "#:lost"))
        (set-bidder.settled! bidder (if-given settled on-settled "#:settled"))
        (set-bidder.end! bidder end-of-role)
        (set-bidder.context! bidder number)
        (coracle-bidder-start handle place bidder)))))

;; --- clients ---

(define on-admits
  (immediate-procedure (list size_t size_t)
    (lambda (role self bidder context)
      (if (and role ((role-ref role 'admits) (text-at bidder))) 1 0))
    (lambda (exception self bidder context)
      (fail-now self context exception)
      0)
    uint8))

(define-starter (start-contract-client node name (admits #f)) options
  "Start a client of contracts as an agent of NODE, and return it; ANNOUNCE lets it announce them,
and CLOSE-AGENT ends it. (ADMITS bidder) returns whether the bidder of that name may register; it
cannot wait. Without it, each may. Other keywords are those of OPEN-AGENT."
  (start-actor node name options `((admits . ,admits))
    (lambda (handle place number out)
      (let ((client (allot sizeof-contract_client)))
        (set-contract_client.size! client sizeof-contract_client)
        (set-contract_client.admits! client (if-given admits on-admits "#:admits"))
        (set-contract_client.end! client end-of-role)
        (set-contract_client.context! client number)
        (coracle-contract-client-start handle place client out)))))

(define (set-penalty at penalty what)
  (match penalty
    (#f #t)
    ((fixed . per-second)
     (set-penalty.fixed! at (amount-of fixed what))
     (set-penalty.per_second! at (amount-of per-second what)))
    (fixed (set-penalty.fixed! at (amount-of fixed what)))))

(define* (place-contract subject #:key (kind "") (items '()) units bid-within bid-holds lease
                         client-penalty bidder-penalty #:allow-other-keys)
  (let ((contract (allot sizeof-contract)))
    (set-contract.size! contract sizeof-contract)
    (set-contract.kind! contract (place-text kind "#:kind"))
    (set-contract.subject! contract (place-text subject "the subject"))
    (set-texts (contract.items contract) items "#:items")
    (set-contract.units! contract (count-of units "#:units"))
    (set-contract.bid_within! contract (span-of bid-within "#:bid-within"))
    (set-contract.bid_holds! contract (span-of bid-holds "#:bid-holds"))
    (set-contract.lease! contract (span-of lease "#:lease"))
    (set-penalty (contract.client_penalty contract) client-penalty "#:client-penalty")
    (set-penalty (contract.bidder_penalty contract) bidder-penalty "#:bidder-penalty")
    contract))

(define* (place-tender #:key (bidders '()) registered? prefix (where '()) (rule 'highest) vickrey?
                       reserve seed rounds back-off accept-within fulfil-within keep-bids?
                       #:allow-other-keys)
  (let ((tender (allot sizeof-tender)))
    (set-tender.size! tender sizeof-tender)
    (set-texts (tender.bidders tender) bidders "#:bidders")
    (set-tender.registered! tender (if registered? 1 0))
    (when (or prefix (pair? where)) (set-tender.search! tender (place-query prefix where #f)))
    (index-of rule '(highest lowest) "#:rule")
    (set-tender.rule! tender (place-text (symbol->string rule) "#:rule"))
    (set-tender.vickrey! tender (if vickrey? 1 0))
    (when reserve
      (set-tender.has_reserve! tender 1)
      (set-tender.reserve! tender (amount-of reserve "#:reserve")))
    (set-tender.seed! tender (count-of seed "#:seed" 64))
    (set-tender.rounds! tender (count-of rounds "#:rounds"))
    (set-tender.back_off! tender (span-of back-off "#:back-off"))
    (set-tender.accept_within! tender (span-of accept-within "#:accept-within"))
    (set-tender.fulfil_within! tender (span-of fulfil-within "#:fulfil-within"))
    (set-tender.keep_bids! tender (if keep-bids? 1 0))
    tender))

(define ends '#(fulfilled partly no-bids rejected not-fulfilled cancelled))

(define (read-settlement at items)
  (make-settlement
   (settlement.id at)
   (if (< (settlement.ended at) (vector-length ends))
       (vector-ref ends (settlement.ended at))
       'unknown)
   (map-in-order
    (lambda (number)
      (let ((part (+ (settlement.parts at) (* number sizeof-settlement_part))))
        (make-settlement-part (text-at (settlement_part.bidder part))
                              (set->items (settlement_part.items part) items)
                              (settlement_part.price part)
                              (text-at (settlement_part.result part)))))
    (iota (settlement.part_count at)))
   (text-at (settlement.why at)) (settlement.client_owes at) (settlement.bidders_owe at)))

(define* (announce client subject #:key kind (items '()) units bid-within bid-holds lease
                   client-penalty bidder-penalty (bidders '()) registered? prefix (where '())
                   (rule 'highest) vickrey? reserve seed rounds back-off accept-within
                   fulfil-within keep-bids? #:rest options)
  "Let CLIENT announce a contract about SUBJECT, and award it; return the settlement. Several may be
under way. The contract has a KIND, a string, and ITEMS, strings that can be bid for in bundles;
each takes UNITS of a bidder's capacity. Bidders bid within BID-WITHIN seconds, their bids hold for
BID-HOLDS seconds, and who works renews its LEASE. A penalty is an amount, or a pair of an amount
and one for each second. Asked are the BIDDERS, a list of names, if REGISTERED? is true also those
that have registered, and those that a search with PREFIX and WHERE finds. RULE is highest or
lowest; bids worse than RESERVE are ignored; if VICKREY? is true, the price is that of the best
loser. SEED draws among equal bids. There are up to ROUNDS announcements, BACK-OFF seconds apart. A
bidder accepts within ACCEPT-WITHIN and fulfils within FULFIL-WITHIN seconds. If KEEP-BIDS? is true,
the bids of losers stay open meanwhile."
  (performed (begin)
    (coracle-announce (acting-role client "a client of contracts")
                      (apply place-contract subject options) (apply place-tender options) 0 begin)
    (lambda (event)
      (read-result event
        (lambda (result)
          (with-scratch
           (let ((settlement (allot sizeof-settlement)))
             (coracle-result-settlement result settlement)
             (read-settlement settlement items))))))))
