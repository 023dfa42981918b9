;;;; Councils, their peers, and decisions.

(in-package :coracle/caf)

(define-functions
  (peer-start :pointer :uint64 :pointer :pointer)
  (answer-alternatives :pointer :uint64 :pointer :size)
  (answer-ballot :pointer :uint64 :pointer)
  (council-start :pointer :uint64 :pointer :pointer)
  (decide :pointer :uint64 :pointer :pointer :int64 :pointer :pointer)
  (result-decision :pointer :uint64 :pointer))

(define-record agenda "A call for alternatives, or for votes."
  (id :uint64 "The number of the decision.")
  (round :uint32 "How often the peers have been asked before.")
  (subject :text "What is decided.")
  (alternatives :texts "A list of texts; none in a call for alternatives.")
  (within :span "The seconds for the answer."))

(define-record decision "What a council has decided."
  (id :uint64 "Its number.")
  (subject :text "What was decided.")
  (decided :truth "False if there is no decision.")
  (winner :text "The alternative that has won; \"\" if it is not decided.")
  (co-winners :texts "All that have won before ties were broken.")
  (why :text "Why it is not decided."))

(define-record refused-message "A message of a peer that has had no effect."
  (id :uint64 "The number of the decision.")
  (round :uint32 "The round of the vote.")
  (what :text "What the peer sent.")
  (reason :text "Why it was refused."))

(cffi:defcstruct peer
  (size :size) (propose :pointer) (vote :pointer) (decision :pointer) (refused :pointer)
  (end :pointer) (context :uint64))
(cffi:defcstruct fraction (numerator :int64) (denominator :int64))
(cffi:defcstruct ballot
  (size :size) (ranking :pointer) (ranking_count :size) (approves :uint8) (approved :pointer)
  (approved_count :size) (scores :pointer) (score_count :size))
(cffi:defcstruct coracle_member (name :pointer) (weight (:struct fraction)) (proxy :pointer))
(cffi:defcstruct council
  (size :size) (members :pointer) (member_count :size) (rule :pointer) (ties :pointer)
  (propose_within :int64) (vote_within :int64) (secrecy :int) (absent :int) (vacant :int)
  (chair :pointer) (none_of_these :uint8) (adjourns_after :uint64)
  (end :pointer) (context :uint64))
(cffi:defcstruct motion
  (size :size) (subject :pointer) (alternatives (:struct texts)) (call_peers :uint8)
  (incumbent :pointer) (key :uint64))

;;; --- peers ---

(defclass peer (role) ()
  (:documentation "A member of councils, with methods of PROPOSE and VOTE."))

(defgeneric propose (peer call)
  (:documentation "A list of alternatives for the AGENDA CALL; none by default.")
  (:method (peer call) (declare (ignore peer call)) '()))
(defgeneric vote (peer agenda)
  (:documentation "The ballot of a peer: the value of CHOOSE, RANK, APPROVE or GRADE; NIL
abstains.")
  (:method (peer agenda) (declare (ignore peer agenda)) nil))
(defgeneric on-decision (peer decision)
  (:documentation "The council has decided.")
  (:method (peer decision) (declare (ignore peer decision))))
(defgeneric on-refusal (peer refused-message)
  (:documentation "A message of the peer has had no effect.")
  (:method (peer refused-message) (declare (ignore peer refused-message))))

(defun choose (alternative)
  "A ballot for one alternative, given by its text or by its place on the agenda."
  (list :rank (list alternative)))
(defun rank (alternatives)
  "A ballot that ranks alternatives, the best one first."
  (list :rank alternatives))
(defun approve (alternatives)
  "A ballot that approves of all of these."
  (list :approve alternatives))
(defun grade (scores)
  "A ballot with a score for each alternative of the agenda: a rational number from 0 to 10 in
steps of 1/1000."
  (list :grade scores))

(defun place-of (alternative agenda)
  (let ((count (length (agenda-alternatives agenda))))
    (cond ((typep alternative `(integer 0 (,count))) alternative)
          ((position alternative (agenda-alternatives agenda) :test #'equal))
          (t (fail-argument "~s is no alternative of ~s." alternative (agenda-subject agenda))))))

(defun put-fraction (place number)
  (unless (typep number 'rational) (fail-argument "~s is no rational number." number))
  (setf (slot-at place fraction numerator) (numerator number)
        (slot-at place fraction denominator) (denominator number)))

(defun place-places (arena alternatives agenda)
  (let ((places (allocate-zeros arena (* 8 (ceiling (length alternatives) 2)))))
    (loop for each in alternatives
          for number from 0
          do (setf (cffi:mem-aref places :uint32 number) (place-of each agenda)))
    places))

(defun place-scores (arena scores)
  (let ((places (allocate-zeros arena (* (size-of fraction) (length scores)))))
    (loop for score in scores
          for number from 0
          do (put-fraction (cffi:mem-aptr places '(:struct fraction) number) score))
    places))

(defun place-ballot (arena ballot agenda)
  (unless (and (consp ballot) (member (first ballot) '(:rank :approve :grade))
               (listp (second ballot)))
    (fail-argument "~s is no ballot; make one by CHOOSE, RANK, APPROVE or GRADE." ballot))
  (destructuring-bind (kind parts) ballot
    (let ((count (length parts)))
      (ecase kind
        (:rank (place-struct arena ballot
                 (ranking (place-places arena parts agenda)) (ranking_count count)))
        (:approve (place-struct arena ballot
                    (approves 1) (approved (place-places arena parts agenda))
                    (approved_count count)))
        (:grade (place-struct arena ballot
                  (scores (place-scores arena parts)) (score_count count)))))))

(defun answer-alternatives (handle values)
  (with-arena (arena)
    (uninterrupted (%answer-alternatives handle (place-names arena (first values))
                                         (length (first values))))))

(defun answer-ballot (agenda)
  (lambda (handle values)
    (with-arena (arena)
      (uninterrupted (%answer-ballot handle (if (first values)
                                                (place-ballot arena (first values) agenda)
                                                (cffi:null-pointer)))))))

(define-asked %propose ((peer) (call :pointer)) ((call (agenda-at call))) #'answer-alternatives
  (propose peer call))
(define-asked %vote ((peer) (agenda :pointer)) ((agenda (agenda-at agenda))) (answer-ballot agenda)
  (vote peer agenda))
(define-told %on-decision (peer (decision :pointer)) ((decision (decision-at decision)))
  (on-decision peer decision))
(define-told %on-refusal (peer (refused :pointer)) ((refused (refused-message-at refused)))
  (on-refusal peer refused))

(defmethod begin-role ((peer peer) node options arena)
  (beginning (%peer-start node options)
      (arena peer
             (propose (cffi:callback %propose))
             (vote (cffi:callback %vote))
             (decision (cffi:callback %on-decision))
             (refused (cffi:callback %on-refusal))
             (end (cffi:callback %end-role))
             (context (role-key peer)))))

;;; --- councils ---

(defparameter *secrecies* '(:open :tally-only :commit-reveal))
(defparameter *absences* '(:abstains :status-quo :by-proxy))
(defparameter *vacancies* '(:absent :wait :refuse))

(defclass council (self-ending-role)
  ((members :initarg :members :reader council-members)
   (charter :initform '() :reader charter))
  (:documentation "Decides by the votes of its MEMBERS, which are names, or (NAME :WEIGHT NUMBER
:PROXY NAME). Its charter are the other arguments: RULE and TIES are texts such as \"schulze\" and
\"second:borda,random\"; PROPOSE-WITHIN and VOTE-WITHIN are seconds; SECRECY is :OPEN, :TALLY-ONLY
or :COMMIT-REVEAL; ABSENT members are :ABSTAINS, :STATUS-QUO or :BY-PROXY, and VACANT ones
:ABSENT, :WAIT or :REFUSE; CHAIR is a name; with NONE-OF-THESE, that is an alternative, too; it
adjourns after ADJOURNS-AFTER decisions."))

(defmethod initialize-instance :after
    ((council council) &rest all
     &key name members rule ties propose-within vote-within secrecy absent vacant chair
       none-of-these adjourns-after &allow-other-keys)
  (declare (ignore name members rule ties propose-within vote-within secrecy absent vacant chair
                   none-of-these adjourns-after))
  (setf (slot-value council 'charter) all))

(defun place-members (arena members)
  (let ((places (allocate-zeros arena (* (length members) (size-of coracle_member)))))
    (loop for each in members
          for number from 0
          do (destructuring-bind (name &key weight proxy) (uiop:ensure-list each)
               (let ((place (cffi:mem-aptr places '(:struct coracle_member) number)))
                 (setf (slot-at place coracle_member name) (place-name arena name))
                 (when weight (put-fraction (slot-place place coracle_member weight) weight))
                 (when proxy
                   (setf (slot-at place coracle_member proxy) (place-name arena proxy))))))
    places))

(defmethod begin-role ((council council) node options arena)
  (destructuring-bind (&key rule ties propose-within vote-within (secrecy :open) (absent :abstains)
                         (vacant :absent) chair none-of-these adjourns-after &allow-other-keys)
      (charter council)
    (beginning (%council-start node options)
        (arena council
               (members (place-members arena (council-members council)))
               (member_count (length (council-members council)))
               (rule (place-name? arena rule))
               (ties (place-name? arena ties))
               (propose_within (span propose-within))
               (vote_within (span vote-within))
               (secrecy (number-of secrecy *secrecies* "secrecy"))
               (absent (number-of absent *absences* "rule for absent members"))
               (vacant (number-of vacant *vacancies* "rule for vacant seats"))
               (chair (place-name? arena chair))
               (none_of_these (if none-of-these 1 0))
               (adjourns_after adjourns-after)
               (end (cffi:callback %end-role))
               (context (role-key council))))))

(defun event-decision (event port)
  (declare (ignore port))
  (with-event-result (result event)
    (cffi:with-foreign-object (out '(:struct decision))
      (check (%result-decision result out))
      (decision-at out))))

(defun decide (port council subject &key alternatives call-peers incumbent key longest then)
  "Asks a council for a decision on SUBJECT, and returns the DECISION. Without ALTERNATIVES, or with
CALL-PEERS, the peers propose them. INCUMBENT is the alternative that holds now. The same KEY again
gets the same decision."
  (operating (port then #'event-decision :arena arena) (begin handle)
    (let ((motion (place-struct arena motion
                    (subject (place-name arena subject))
                    (call_peers (if call-peers 1 0))
                    (incumbent (place-name? arena incumbent))
                    (key key))))
      (put-texts arena (slot-place motion motion alternatives) alternatives)
      (%decide handle (place-name arena council) motion (span longest) (nowhere) begin))))
