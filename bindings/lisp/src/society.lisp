;;;; Groups, eavesdropping and the directory.

(in-package :coracle)

(defun join (port group &key (last 0) then)
  "Joins a group, and receives up to LAST earlier messages of each sender."
  (operating (port then #'event-done :has-no-result t :arena arena) (begin handle)
    (%join handle (place-name arena group) last begin)))

(defun leave (port group &key then)
  "Leaves a group."
  (operating (port then #'event-done :has-no-result t :arena arena) (begin handle)
    (%leave handle (place-name arena group) begin)))

(defun members (port group &key then)
  "The names of the members of a group now."
  (operating (port then #'event-names :arena arena) (begin handle)
    (%members handle (place-name arena group) (nowhere) begin)))

;;; --- eavesdropping ---

(defun overhear (port &key source target text headers limit rate outcomes then)
  "Overhears the messages that fit, and returns the tap, a number. SOURCE and TARGET are regular
expressions for whole names, TEXT is one that is found in the content, HEADERS are pairs
(KEY . EXPRESSION). LIMIT copies may wait, by default 1,024; then a gap marker tells how many are
missing. Each worker of a node makes about RATE copies in a second, by default all. With OUTCOMES,
notices of what becomes of the messages come, too; see NOTICE. The copies come to RECEIVE, whose
argument TAP chooses them."
  (operating (port then #'event-number :arena arena) (begin handle)
    (%overhear handle
               (place-struct arena pattern
                 (source (place-name? arena source))
                 (target (place-name? arena target))
                 (text (place-name? arena text))
                 (components (and headers (place-headers arena headers)))
                 (component_count (length headers))
                 (limit limit)
                 (rate rate)
                 (outcomes (and outcomes 1)))
               (nowhere) begin)))

(defun stop-overhearing (port tap &key then)
  "Ends a tap."
  (operating (port then #'event-done :has-no-result t) (begin handle)
    (%stop-overhearing handle tap begin)))

;;; --- the directory ---

(defun describe-agent (port properties &key then)
  "Replaces the properties, pairs (KEY . VALUE), that the directory publishes for this agent. A
value is a text, a number, or T or NIL."
  (operating (port then #'event-done :has-no-result t :arena arena) (begin handle)
    (%describe handle (place-properties arena properties) (length properties) begin)))

(defparameter *comparisons* '(:exists := :/= :< :<= :> :>= :matches))

(defun place-conditions (arena conditions)
  "An array of the conditions (KEY COMPARISON VALUE)."
  (let ((places (allocate-zeros arena (* (length conditions) (size-of coracle_condition)))))
    (loop for (key comparison value) in conditions
          for number from 0
          do (let ((place (cffi:mem-aptr places '(:struct coracle_condition) number)))
               (setf (slot-at place coracle_condition comparison)
                     (number-of comparison *comparisons* "comparison"))
               (place-property arena
                               (cffi:foreign-slot-pointer place '(:struct coracle_condition) 'operand)
                               key value)))
    places))

(defun place-query (arena prefix where limit)
  (place-struct arena query
    (prefix (place-name? arena prefix))
    (conditions (and where (place-conditions arena where)))
    (condition_count (length where))
    (limit limit)))

(defun find-agents (port &key (prefix nil) where limit then)
  "The agents of the directory as a list (NAME (KEY . VALUE)...). Their names begin with PREFIX, and
all conditions WHERE, lists (KEY COMPARISON VALUE), hold. The comparisons are :EXISTS, :=, :/=, :<,
:<=, :>, :>=, and :MATCHES with a regular expression. At most LIMIT, by default 1,000."
  (operating (port then #'event-entries :arena arena) (begin handle)
    (%search handle (place-query arena prefix where limit) (nowhere) begin)))

(defun property-of (entries number property)
  (with-arena (arena)
    (let ((out (allocate-zeros arena (size-of property))))
      (check (%entries-property entries number property out))
      (cons (name-at (slot-at out property key))
            (ecase (slot-at out property kind)
              (0 (/= 0 (slot-at out property integer)))
              (1 (slot-at out property integer))
              (2 (slot-at out property number))
              (3 (name-at (slot-at out property text))))))))

(defun entry-of (entries number)
  (cffi:with-foreign-objects ((name :pointer) (count :size))
    (check (%entries-at entries number name count))
    (cons (name-at (cffi:mem-ref name :pointer))
          (loop for property below (cffi:mem-ref count :size)
                collect (property-of entries number property)))))

(defun event-entries (event port)
  (declare (ignore port))
  (let ((entries (slot-at event event entries)))
    (unless (zerop entries)
      (cffi:with-foreign-object (count :size)
        (unwind-protect
             (progn (check (%entries-count entries count))
                    (loop for number below (cffi:mem-ref count :size)
                          collect (entry-of entries number)))
          (%entries-free entries))))))

(defun event-names (event port)
  (mapcar #'first (event-entries event port)))

(defparameter *end-reasons* '(:stopped :crashed :unreachable :expired :fenced))

(defun event-reason (event port)
  (nth (event-number event port) *end-reasons*))

(defun watch (port name &key then)
  "Waits for the next end of the agent NAME, and returns the reason: :STOPPED, :CRASHED,
:UNREACHABLE, :EXPIRED or :FENCED."
  (operating (port then #'event-reason :arena arena) (begin handle)
    (%watch handle (place-name arena name) (nowhere) begin)))
