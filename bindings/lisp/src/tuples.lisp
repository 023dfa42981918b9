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
  (let ((places (allocate-zeros arena (* (length values) (size-of field)))))
    (loop for value in values
          for number from 0
          do (place-field arena (cffi:mem-aptr places '(:struct field) number) value))
    places))

(defun field-of (tuple number)
  (with-arena (arena)
    (let ((out (allocate-zeros arena (size-of field))))
      (check (%tuple-field tuple number out))
      (macrolet ((out (slot) `(slot-at out field ,slot)))
        (ecase (out kind)
          (0 (if (zerop (out integer)) :false t))
          (1 (out integer))
          (2 (out number))
          (3 (text-at (out data) (out size)))
          (4 (octets-at (out data) (out size))))))))

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
  "Requests the evaluation of a function by an agent that offers it; ends when the space has accepted
the request. The result is a tuple in the space."
  (operating (port then #'event-done :has-no-result t :arena arena) (begin handle)
    (%tuple-eval handle (place-name arena space) (place-name arena function)
                 (place-fields arena arguments) (length arguments) begin)))
