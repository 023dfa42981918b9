;;;; Typed content: Lisp values as CBOR.
;;;;
;;;; text: a string. Bytes: a vector of (unsigned-byte 8). Integers, and other reals as numbers. An
;;;; array: any other vector, or a list; it is read as a vector. A map: a hash table, read as one
;;;; with the test EQUAL. True, false and null: T, :FALSE and :NULL.

(in-package :coracle)

(defconstant +most-depth+ 32 "Of arrays and maps in each other; the library has the same limit.")

(defun require-depth (depth type)
  (when (zerop depth)
    (fail type "A value has arrays or maps in more than ~d others; make it flatter." +most-depth+)))

(defun as-octets (vector)
  "The vector itself, or a copy that is one of OCTETS."
  (coerce vector 'octets))

(defun write-items (writer items depth)
  (check (%write-array writer (length items)))
  (map nil (lambda (each) (write-value writer each (1- depth))) items)
  (check (%write-end writer)))

(defun write-value (writer value depth)
  (require-depth depth 'bad-argument)
  (typecase value
    (string (with-arena (arena)
              (multiple-value-bind (place size) (place-text arena value)
                (check (%write-text writer place size)))))
    ((vector (unsigned-byte 8))
     (with-arena (arena)
       (multiple-value-bind (place size) (place-octets arena (as-octets value))
         (check (%write-bytes writer place size)))))
    (vector (write-items writer value depth))
    (list (unless (ignore-errors (list-length value))
            (fail-argument "A list that is circular, or does not end with NIL, is no array."))
          (write-items writer value depth))
    (hash-table (check (%write-map writer (hash-table-count value)))
                (loop for key being the hash-keys of value using (hash-value item)
                      do (write-value writer key (1- depth))
                         (write-value writer item (1- depth)))
                (check (%write-end writer)))
    ((signed-byte 64) (check (%write-integer writer value)))
    ((unsigned-byte 64) (check (%write-unsigned writer value)))
    (integer (fail-argument "The integer ~d has more than 64 bits." value))
    (real (check (%write-number writer (coerce value 'double-float))))
    ((eql t) (check (%write-boolean writer 1)))
    ((eql :false) (check (%write-boolean writer 0)))
    ((eql :null) (check (%write-null writer)))
    (t (fail-argument "~s cannot be sent; give strings, numbers, vectors, lists, hash tables, T, ~
                       :FALSE or :NULL." value))))

(defmacro with-object ((object open free) &body body)
  "Evaluates BODY with the handle that the call OPEN puts into the place OUT, and frees it."
  `(let ((,object 0))
     (declare (type handle ,object))
     (unwind-protect
          (progn (cffi:with-foreign-object (out :uint64)
                   (uninterrupted
                     (check ,open)
                     (setf ,object (cffi:mem-ref out :uint64))))
                 ,@body)
       (uninterrupted (,free ,object)))))

(defun encode (value)
  "The bytes of VALUE in CBOR."
  (with-object (writer (%writer-open out) %writer-free)
    (write-value writer value +most-depth+)
    (cffi:with-foreign-objects ((bytes :pointer) (size :size))
      (check (%writer-bytes writer bytes size))
      (octets-at (cffi:mem-ref bytes :pointer) (cffi:mem-ref size :size)))))

;;; --- reading ---

(defmacro read-with (type function reader)
  "The result of a function that reads one item."
  `(cffi:with-foreign-object (out ,type)
     (check (,function ,reader out))
     (cffi:mem-ref out ,type)))

(defmacro read-run (function reader make)
  "The text or the bytes that come next, made by MAKE."
  `(cffi:with-foreign-objects ((start :pointer) (size :size))
     (check (,function ,reader start size))
     (,make (cffi:mem-ref start :pointer) (cffi:mem-ref size :size))))

(defun read-value (reader depth)
  (require-depth depth 'bad-encoding)
  (ecase (read-with :int %read-shape reader)
    (0 (check (%read-null reader)) :null)
    (1 (if (zerop (read-with :uint8 %read-boolean reader)) :false t))
    (2 (read-with :int64 %read-integer reader))
    (3 (read-with :double %read-number reader))
    (4 (read-run %read-text reader text-at))
    (5 (read-run %read-bytes reader octets-at))
    (6 (let ((items (loop repeat (read-with :size %read-array reader)
                          collect (read-value reader (1- depth)))))
         (check (%read-end reader))
         (coerce items 'simple-vector)))
    (7 (let ((map (make-hash-table :test 'equal)))
         (loop repeat (read-with :size %read-map reader)
               do (let ((key (read-value reader (1- depth))))
                    (setf (gethash key map) (read-value reader (1- depth)))))
         (check (%read-end reader))
         map))
    (8 (fail 'bad-encoding "A value in CBOR ends too early."))))

(defun decode (octets)
  "The value of bytes in CBOR, which may come from a stranger. Fails with BAD-ENCODING."
  (with-arena (arena)
    (multiple-value-bind (place size) (place-octets arena (as-octets octets))
      (with-object (reader (%reader-open place size out) %reader-free)
        (prog1 (read-value reader +most-depth+)
          (check (%read-finish reader)))))))
