;;;; Tuple spaces: agents leave tuples for each other, and find them by their form.
;;;;
;;;; A tuple is a list of texts, integers, other reals, vectors of bytes, and truth values, which are
;;;; T and :FALSE. In a pattern, :TEXT, :INTEGER, :NUMBER, :BYTES and :BOOLEAN fit all of their kind.

(in-package :coracle)

(defparameter *kinds* '(:boolean :integer :number :text :bytes))

(defun place-field (arena place value)
  (macrolet ((put (kind slot form)
               `(setf (slot-at place field kind) ,kind (slot-at place field ,slot) ,form)))
    (flet ((put-run (kind data size)
             (put kind data data)
             (setf (slot-at place field size) size)))
      (typecase value
        (string (multiple-value-call #'put-run 3 (place-text arena value)))
        ((vector (unsigned-byte 8))
         (multiple-value-call #'put-run 4 (place-octets arena (as-octets value))))
        ((signed-byte 64) (put 1 integer value))
        (real (put 2 number (coerce value 'double-float)))
        ((eql t) (put 0 integer 1))
        ((eql :false) (put 0 integer 0))
        ((member :boolean :integer :number :text :bytes)
         (put (position value *kinds*) any 1))
        (t (fail-argument "~s is no field of a tuple." value))))))

(defun place-fields (arena values)
  (unless (listp values) (fail-argument "~s is no tuple; give a list of fields." values))
  (let ((places (allocate-zeros arena (* (length values) (size-of field)))))
    (loop for value in values
          for number from 0
          do (place-field arena (cffi:mem-aptr places '(:struct field) number) value))
    places))

(defun field-at (place)
  (macrolet ((out (slot) `(slot-at place field ,slot)))
    (ecase (out kind)
      (0 (if (zerop (out integer)) :false t))
      (1 (out integer))
      (2 (out number))
      (3 (text-at (out data) (out size)))
      (4 (octets-at (out data) (out size))))))

(defun fields-at (places count)
  "The list of COUNT fields."
  (loop for number below count
        collect (field-at (cffi:mem-aptr places '(:struct field) number))))

(defun field-of (tuple number)
  (with-arena (arena)
    (let ((out (allocate-zeros arena (size-of field))))
      (check (%tuple-field tuple number out))
      (field-at out))))

(defun event-tuple (event port)
  (declare (ignore port))
  (let ((tuple (slot-at event event tuple)))
    (unless (zerop tuple)
      (cffi:with-foreign-object (count :size)
        (unwind-protect
             (progn (check (%tuple-count tuple count))
                    (loop for number below (cffi:mem-ref count :size)
                          collect (field-of tuple number)))
          (%tuple-free tuple))))))

(defun start-space (node name &rest options
                    &key messages bytes overflow redirect properties take-over)
  "Starts a tuple space as an agent of the node. The options are those of OPEN-PORT."
  (declare (ignore messages bytes overflow redirect properties take-over))
  (with-arena (arena)
    (let ((options (apply #'place-agent-options arena name options)))
      (check (%space-start (live-node node) options))))
  name)

(defun tuple-out (port space tuple &key lease then)
  "Stores a tuple of 1 to 16 fields; after LEASE seconds it is removed."
  (operating (port then #'event-done :has-no-result t :arena arena) (begin handle)
    (%tuple-out handle (place-name arena space) (place-fields arena tuple) (length tuple)
                (span lease) begin)))

(defun tuple-in (port space pattern &key longest then)
  "Takes the oldest tuple that fits, as a list; waits for one. NIL if none came in LONGEST seconds."
  (operating (port then #'event-tuple :arena arena) (begin handle)
    (%tuple-in handle (place-name arena space) (place-fields arena pattern) (length pattern)
               (span longest) (nowhere) begin)))

(defun tuple-rd (port space pattern &key longest then)
  "The same, but the tuple stays in the space."
  (operating (port then #'event-tuple :arena arena) (begin handle)
    (%tuple-rd handle (place-name arena space) (place-fields arena pattern) (length pattern)
               (span longest) (nowhere) begin)))

(defun tuple-inp (port space pattern &key then)
  "Takes the oldest tuple that fits; NIL if there is none now."
  (operating (port then #'event-tuple :arena arena) (begin handle)
    (%tuple-inp handle (place-name arena space) (place-fields arena pattern) (length pattern)
                (nowhere) begin)))

(defun tuple-rdp (port space pattern &key then)
  "The same, but the tuple stays in the space."
  (operating (port then #'event-tuple :arena arena) (begin handle)
    (%tuple-rdp handle (place-name arena space) (place-fields arena pattern) (length pattern)
                (nowhere) begin)))

(defun tuple-eval (port space function arguments &key then)
  "Requests the evaluation of a function by an EVALUATOR that offers it; ends when the space has
accepted the request. FUNCTION is a text or a symbol, as for CALL. The result is a tuple in the
space. Fails with REFUSED when nobody offers the function."
  (operating (port then #'event-done :has-no-result t :arena arena) (begin handle)
    (%tuple-eval handle (place-name arena space) (place-name arena (function-name-of function))
                 (place-fields arena arguments) (length arguments) begin)))

;;; --- notices ---

(defun tuple-notify (port space pattern &key lease then)
  "Lets the port be told of each tuple that fits and comes from now on, for LEASE seconds, or until
TUPLE-UNNOTIFY. Returns a number for TUPLE-NEXT."
  (operating (port then #'event-number :arena arena) (begin handle)
    (%tuple-notify handle (place-name arena space) (place-fields arena pattern) (length pattern)
                   (span lease) (nowhere) begin)))

(defun tuple-next (port notices &key longest then)
  "The next tuple, as a list, that the port was told of by NOTICES, a number of TUPLE-NOTIFY. NIL if
none came in LONGEST seconds; the end of the lease or of the space does not end the wait. Another
agent may have taken the tuple by then."
  (operating (port then #'event-tuple) (begin handle)
    (%tuple-next handle notices (span longest) (nowhere) begin)))

(defun tuple-missed (port notices &key then)
  "The number of notices, of those known now, for which the port's mailbox had no room."
  (operating (port then #'event-number) (begin handle)
    (%tuple-missed handle notices (nowhere) begin)))

(defun tuple-unnotify (port notices &key then)
  "Ends NOTICES, a number of TUPLE-NOTIFY. Those that were not read are lost."
  (operating (port then #'event-done :has-no-result t) (begin handle)
    (%tuple-unnotify handle notices begin)))

(defmacro with-notices ((notices port space pattern &key lease) &body body)
  "Evaluates BODY while the port is told of the tuples that come to a space. NOTICES is a number for
TUPLE-NEXT and DO-NOTICES."
  (let ((whose (gensym "PORT")))
    `(let* ((,whose ,port) (,notices (tuple-notify ,whose ,space ,pattern :lease ,lease)))
       (unwind-protect (progn ,@body)
         (unless (zerop (port-handle ,whose)) (tuple-unnotify ,whose ,notices))))))

(defmacro do-notices ((tuple port notices &key longest result) &body body)
  "Evaluates BODY for each tuple of which the port is told by NOTICES, until none came in LONGEST
seconds; returns RESULT then. RETURN leaves the loop."
  (let ((whose (gensym "PORT")) (number (gensym "NOTICES")) (span (gensym "LONGEST")))
    `(let ((,whose ,port) (,number ,notices) (,span ,longest))
       (loop
         (let ((,tuple (tuple-next ,whose ,number :longest ,span)))
           (unless ,tuple (return ,result))
           ,@body)))))
