;;;; Contracts: bidders and their clients.

(in-package :coracle/caf)

(define-functions
  (bidder-start :pointer :uint64 :pointer :pointer)
  (answer-bid :pointer :uint64 :pointer)
  (answer-fulfilment :pointer :uint64 :uint8 :pointer)
  (contract-client-start :pointer :uint64 :pointer :pointer :pointer)
  (announce :pointer :uint64 :pointer :pointer :pointer :pointer)
  (result-settlement :pointer :uint64 :pointer))

(define-record penalty "What a party owes when it ends a contract."
  (fixed :int64 "At once.")
  (per-second :int64 "For each second."))

(define-record contract "Work that a client announces."
  (size :size)
  (id :uint64 "Its number, which the client gives.")
  (round :uint32 "Counts the announcements.")
  (kind :text "The kind of the work.")
  (subject :text "The work itself.")
  (items :texts "What can be bid for in bundles; none: the whole is one item.")
  (units :uint32 "Of a bidder's capacity that each item takes.")
  (bid-within :span "The seconds for bids.")
  (bid-holds :span "The seconds for which a bid holds.")
  (lease :span "The seconds after which a silent party is given up.")
  (client-penalty (:record penalty) "What the client owes if it ends the contract.")
  (bidder-penalty (:record penalty) "What the bidder owes."))

(define-record engagement "An award that a bidder works on."
  (client :text "The name of the client.")
  (contract (:record contract t) "The contract.")
  (award :uint32 "The number of the award.")
  (items :uint64 "The items, as bits; see ITEMS-IN.")
  (price :int64 "The price."))

(define-record part "What one bidder has done."
  (bidder :text "Its name.")
  (items :uint64 "The items, as bits.")
  (price :int64 "The price.")
  (result :text "What the bidder has reported."))

(define-record settlement "How a contract has ended."
  (id :uint64 "The number of the contract.")
  (ended (:one-of (:fulfilled :partly :no-bids :rejected :not-fulfilled :cancelled))
         ":FULFILLED, :PARTLY, :NO-BIDS, :REJECTED, :NOT-FULFILLED or :CANCELLED.")
  (parts (:records part %part-count) "The PARTs.")
  (%part-count :size)
  (why :text "Why it is not fulfilled.")
  (client-owes :int64 "The penalty of the client.")
  (bidders-owe :int64 "The penalty of the bidders."))

(cffi:defcstruct offering (items :uint64) (amount :int64))
(cffi:defcstruct bid (size :size) (offerings :pointer) (offering_count :size) (text :pointer))
(cffi:defcstruct bidder
  (size :size) (capacity :uint64) (promises_at_bid :uint8) (clients (:struct texts)) (bid :pointer)
  (fulfil :pointer) (rejected :pointer) (lost :pointer) (settled :pointer) (end :pointer)
  (context :uint64))
(cffi:defcstruct contract_client
  (size :size) (admits :pointer) (end :pointer) (context :uint64))
(cffi:defcstruct tender
  (size :size) (bidders (:struct texts)) (registered :uint8) (search :pointer) (rule :pointer)
  (vickrey :uint8) (has_reserve :uint8) (reserve :int64) (seed :uint64) (rounds :uint32)
  (back_off :int64) (accept_within :int64) (fulfil_within :int64) (keep_bids :uint8))

;;; --- bidders ---

(defclass bidder (role)
  ((capacity :initarg :capacity :initform nil :reader capacity)
   (promises-at-bid :initarg :promises-at-bid :initform nil :reader promises-at-bid)
   (clients :initarg :clients :initform '() :reader clients))
  (:documentation "Bids for contracts by the method of BID-FOR, and does the work by that of
FULFIL. A REFUSAL declines, or says why the work is not done. Awards take up its CAPACITY, by
default 1. With PROMISES-AT-BID it never refuses an award, and bids less often. It registers with
its CLIENTS when it begins."))

(defgeneric bid-for (bidder client contract)
  (:documentation "The bid of a bidder: an amount for the whole contract; or offerings (ITEMS
AMOUNT), of which at most one wins, where ITEMS is a list of items; or NIL, which declines. The
second value may be a text.")
  (:method (bidder client contract) (declare (ignore bidder client contract)) nil))
(defgeneric fulfil (bidder engagement)
  (:documentation "Does the work; the value is a text for the client, or NIL. Several may be under
way. WANTED-P is false when the award is lost."))
(defgeneric on-rejection (bidder client contract reason)
  (:documentation "A bid for the contract with the number CONTRACT is rejected.")
  (:method (bidder client contract reason) (declare (ignore bidder client contract reason))))
(defgeneric on-lost (bidder engagement reason penalty)
  (:documentation "An award is lost.")
  (:method (bidder engagement reason penalty) (declare (ignore bidder engagement reason penalty))))
(defgeneric on-settled (bidder client contract price penalty)
  (:documentation "The client has settled the contract with the number CONTRACT.")
  (:method (bidder client contract price penalty)
    (declare (ignore bidder client contract price penalty))))

(defmethod functions-needed append ((bidder bidder)) '(fulfil))

(defun whole-of (contract)
  "The bits of all items."
  (1- (ash 1 (max 1 (length (contract-items contract))))))

(defun bits-of (items contract)
  (let ((bits 0))
    (dolist (item items bits)
      (setf (ldb (byte 1 (or (position item (contract-items contract) :test #'equal)
                             (fail-argument "~s is no item of the contract ~s." item
                                            (contract-subject contract))))
                 bits)
            1))))

(defun items-in (bits contract)
  "The items whose bits are set."
  (loop for item in (contract-items contract)
        for number from 0
        when (logbitp number bits) collect item))

(defun offerings-of (bid contract)
  "A list of (BITS AMOUNT)."
  (typecase bid
    ((signed-byte 64) (list (list (whole-of contract) bid)))
    ((cons (cons list (cons (signed-byte 64) null)))
     (loop for (items amount) in bid collect (list (bits-of items contract) amount)))
    (t (fail-argument "~s is no bid; give an amount, or a list of (ITEMS AMOUNT)." bid))))

(defun place-bid (arena bid text contract)
  (let* ((offerings (offerings-of bid contract))
         (places (allocate-zeros arena (* (size-of offering) (length offerings)))))
    (loop for (items amount) in offerings
          for number from 0
          do (let ((place (cffi:mem-aptr places '(:struct offering) number)))
               (setf (slot-at place offering items) items
                     (slot-at place offering amount) amount)))
    (place-struct arena bid
      (offerings places)
      (offering_count (length offerings))
      (text (place-name? arena text)))))

(defun answer-bid (contract)
  (lambda (handle values)
    (destructuring-bind (&optional bid text) values
      (with-arena (arena)
        (uninterrupted
          (%answer-bid handle (if bid (place-bid arena bid text contract) (cffi:null-pointer))))))))

(defun answer-fulfilment (handle values)
  (with-arena (arena)
    (let ((text (first values)))
      (uninterrupted (%answer-fulfilment handle 1 (if text
                                                      (place-name arena text)
                                                      (cffi:null-pointer)))))))

(defun refuse-fulfilment (handle text) (%answer-fulfilment handle 0 text))

(defun decline (handle text)
  (declare (ignore text))
  (%answer-bid handle (cffi:null-pointer)))

(define-asked %bid-for ((bidder) (client :pointer) (contract :pointer))
    ((client (name-at client)) (contract (contract-at contract)))
    (answer-bid contract)
  (bid-for bidder client contract)
  #'decline)
(define-asked %fulfil ((bidder) (engagement :pointer)) ((engagement (engagement-at engagement)))
    #'answer-fulfilment
  (fulfil bidder engagement)
  #'refuse-fulfilment)
(define-told %on-rejection (bidder (client :pointer) (contract :uint64) (reason :pointer))
    ((client (name-at client)) (reason (name-at reason)))
  (on-rejection bidder client contract reason))
(define-told %on-lost (bidder (engagement :pointer) (reason :pointer) (penalty :int64))
    ((engagement (engagement-at engagement)) (reason (name-at reason)))
  (on-lost bidder engagement reason penalty))
(define-told %on-settled (bidder (client :pointer) (contract :uint64) (price :int64)
                                 (penalty :int64))
    ((client (name-at client)))
  (on-settled bidder client contract price penalty))

(defmethod begin-role ((bidder bidder) node options arena)
  (let ((struct (place-struct arena bidder
                  (capacity (capacity bidder))
                  (promises_at_bid (if (promises-at-bid bidder) 1 0))
                  (bid (cffi:callback %bid-for))
                  (fulfil (cffi:callback %fulfil))
                  (rejected (cffi:callback %on-rejection))
                  (lost (cffi:callback %on-lost))
                  (settled (cffi:callback %on-settled))
                  (end (cffi:callback %end-role))
                  (context (role-key bidder)))))
    (put-texts arena (slot-place struct bidder clients) (clients bidder))
    (check (%bidder-start (live-node node) options struct))))

;;; --- clients ---

(defclass client (role) ()
  (:documentation "Announces contracts by ANNOUNCE, and awards them."))

(defgeneric admits (client bidder)
  (:documentation "True if a bidder may register; each may by default. It is called within the
library, and must not wait. An error means no.")
  (:method (client bidder) (declare (ignore client bidder)) t))

(cffi:defcallback %admits :uint8 ((self :uint64) (bidder :pointer) (context :uint64))
  (guarding-library ()
    (let ((client (role-in (enrolled context) self)))
      (answering-at-once (client nil 0) (if (admits client (name-at bidder)) 1 0)))))

(defmethod begin-role ((client client) node options arena)
  (acting-by (client out arena)
    (%contract-client-start (live-node node) options
                            (place-struct arena contract_client
                              (admits (cffi:callback %admits))
                              (end (cffi:callback %end-role))
                              (context (role-key client)))
                            out)))

(defun put-penalty (place penalty)
  (when penalty
    (destructuring-bind (fixed &optional (per-second 0)) (uiop:ensure-list penalty)
      (setf (slot-at place penalty fixed) fixed
            (slot-at place penalty per-second) per-second))))

(defun place-contract (arena kind subject id items units bid-within bid-holds lease client-penalty
                       bidder-penalty)
  (let ((place (place-struct arena contract
                 (id id)
                 (kind (place-name arena kind))
                 (subject (place-name arena subject))
                 (units units)
                 (bid-within (span bid-within))
                 (bid-holds (span bid-holds))
                 (lease (span lease)))))
    (put-texts arena (slot-place place contract items) items)
    (put-penalty (slot-place place contract client-penalty) client-penalty)
    (put-penalty (slot-place place contract bidder-penalty) bidder-penalty)
    place))

(defun event-settlement (event port)
  (declare (ignore port))
  (with-event-result (result event)
    (cffi:with-foreign-object (out '(:struct settlement))
      (check (%result-settlement result out))
      (settlement-at out))))

(defun announce (client kind subject
                 &key id items units bid-within bid-holds lease client-penalty bidder-penalty
                   bidders registered prefix where (rule "highest") vickrey reserve seed rounds
                   back-off accept-within fulfil-within keep-bids then)
  "Announces a contract of that KIND, awards it, and returns its SETTLEMENT when it has ended.

Its SUBJECT is one thing, or consists of ITEMS, each of which takes so many UNITS of a capacity.
Times are in seconds; a penalty is (FIXED PER-SECOND).

BIDDERS are names; those that have REGISTERED, and those that the directory finds by PREFIX and
WHERE \(see FIND-AGENTS), are asked, too. RULE is \"highest\" or \"lowest\"; with VICKREY, the
price is that of the best bid that lost. Bids worse than RESERVE are ignored, and SEED draws among
equal ones. The client announces up to ROUNDS times, and rests for BACK-OFF. With KEEP-BIDS, the
bids of losers stay open while the awardee works."
  (operating (client then #'event-settlement :arena arena) (begin handle)
    (let ((tender (place-struct arena tender
                    (registered (if registered 1 0))
                    (search (and (or prefix where) (coracle::place-query arena prefix where nil)))
                    (rule (place-name arena rule))
                    (vickrey (if vickrey 1 0))
                    (has_reserve (if reserve 1 0))
                    (reserve reserve)
                    (seed seed)
                    (rounds rounds)
                    (back_off (span back-off))
                    (accept_within (span accept-within))
                    (fulfil_within (span fulfil-within))
                    (keep_bids (if keep-bids 1 0)))))
      (put-texts arena (slot-place tender tender bidders) bidders)
      (%announce handle
                 (place-contract arena kind subject id items units bid-within bid-holds lease
                                 client-penalty bidder-penalty)
                 tender (nowhere) begin))))
