;;;; Memory for the arguments of one call, and texts in UTF-8.

(in-package :coracle)

(deftype octets () "A vector of bytes." '(simple-array (unsigned-byte 8) (*)))
(deftype handle () "A number that names an object of the library." '(unsigned-byte 64))

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defconstant +room+ 1024 "The bytes of an arena; what does not fit is allocated."))

(declaim (inline make-arena)) ; so that it can be on the stack
(defstruct (arena (:constructor make-arena (base)))
  "Foreign memory that lasts as long as one call."
  (base (cffi:null-pointer) :type cffi:foreign-pointer)
  (used 0 :type fixnum)
  (others '() :type list))

(defun free-others (arena)
  (mapc #'cffi:foreign-free (arena-others arena)))

(defmacro with-arena ((arena) &body body)
  "Evaluates BODY with memory from which ALLOCATE takes its pieces."
  (let ((base (gensym "BASE")))
    `(cffi:with-foreign-pointer (,base ,+room+)
       (let ((,arena (make-arena ,base)))
         (declare (dynamic-extent ,arena))
         (unwind-protect (progn ,@body)
           (when (arena-others ,arena) (free-others ,arena)))))))

(defun allocate (arena size)
  "Memory for SIZE bytes that are not set."
  (declare (type fixnum size))
  (let ((begin (arena-used arena))
        (rounded (logandc2 (+ size 7) 7)))
    (declare (type (unsigned-byte 60) begin rounded))
    (cond ((<= (+ begin rounded) +room+)
           (setf (arena-used arena) (+ begin rounded))
           (cffi:inc-pointer (arena-base arena) begin))
          (t (let ((other (cffi:foreign-alloc :uint8 :count size)))
               (push other (arena-others arena))
               other)))))

(defun allocate-zeros (arena size)
  "Memory for SIZE bytes, a multiple of eight, that are zero."
  (declare (type (unsigned-byte 60) size))
  (let ((place (allocate arena size)))
    (loop for at of-type (unsigned-byte 60) below size by 8
          do (setf (cffi:mem-ref place :uint64 at) 0))
    place))

;;; --- to UTF-8 ---

(declaim (inline utf-8-size put-utf-8))

(defun utf-8-size (code)
  (declare (type (unsigned-byte 32) code))
  (cond ((< code #x80) 1) ((< code #x800) 2) ((< code #x10000) 3) (t 4)))

(defun put-utf-8 (code place at)
  "Writes a character; returns the index behind it. Half of a surrogate pair becomes U+FFFD."
  (declare (type (unsigned-byte 32) code) (type (unsigned-byte 60) at))
  (flet ((put (byte) (setf (cffi:mem-ref place :uint8 at) byte) (incf at))
         (rest-of (shift) (logior #x80 (ldb (byte 6 shift) code))))
    (declare (inline put rest-of))
    (when (<= #xD800 code #xDFFF) (setf code #xFFFD))
    (cond ((< code #x80) (put code))
          ((< code #x800) (put (logior #xC0 (ash code -6))) (put (rest-of 0)))
          ((< code #x10000)
           (put (logior #xE0 (ash code -12))) (put (rest-of 6)) (put (rest-of 0)))
          (t (put (logior #xF0 (ldb (byte 3 18) code)))
             (put (rest-of 12)) (put (rest-of 6)) (put (rest-of 0))))
    at))

(defmacro with-simple-string ((string) &body body)
  "Evaluates BODY once for each kind of simple string, so that each is compiled for itself."
  `(etypecase ,string
     ((simple-array character (*)) ,@body)
     (simple-base-string ,@body)
     (string (let ((,string (coerce ,string '(simple-array character (*))))) ,@body))))

(defun place-text (arena string)
  "A copy of STRING in UTF-8 that ends with a zero byte, and its size without that byte."
  (declare)
  (with-simple-string (string)
    (let ((size 0))
      (declare (type (unsigned-byte 60) size))
      (loop for each across string do (incf size (utf-8-size (char-code each))))
      (let ((place (allocate arena (1+ size))) (at 0))
        (declare (type (unsigned-byte 60) at))
        (loop for each across string do (setf at (put-utf-8 (char-code each) place at)))
        (setf (cffi:mem-ref place :uint8 at) 0)
        (values place size)))))

(defun place-name (arena string)
  "The same for a text that has no size in C, which so must not have a zero character."
  (when (find #\Nul (the string string))
    (fail-argument "The text ~s has a zero character, which names and keys must not have." string))
  (values (place-text arena string)))

(defun place-octets (arena octets)
  "A copy of a vector of bytes, and its size."
  (declare (type octets octets))
  (let ((place (allocate arena (length octets))))
    (loop for byte across octets
          for at of-type (unsigned-byte 60) from 0
          do (setf (cffi:mem-ref place :uint8 at) byte))
    (values place (length octets))))

;;; --- from UTF-8 ---

(defmacro define-utf-8-reader (name (bytes size) byte-at documentation)
  "Defines a function that makes a string of SIZE bytes, each read by BYTE-AT, a form with AT."
  `(defun ,name (,bytes ,size)
     ,documentation
     (declare (type (unsigned-byte 60) ,size))
     (let ((at 0) (written 0) (string (make-string ,size)))
       (declare (type (unsigned-byte 60) at written))
       (labels ((next (least most)
                  "The next byte if it lies between these; it is part of a character then."
                  (declare (type (unsigned-byte 8) least most))
                  (when (< at ,size)
                    (let ((byte ,byte-at))
                      (when (<= least byte most) (incf at) (logand byte #x3F)))))
                (tail (count code least most)
                  "The code of a character that has COUNT more bytes, or U+FFFD."
                  (declare (type (unsigned-byte 32) code count))
                  (loop repeat count
                        do (let ((bits (next least most)))
                             (unless bits (return-from tail #xFFFD))
                             (setf code (logior (ldb (byte 32 0) (ash code 6)) bits)
                                   least #x80 most #xBF)))
                  code)
                (code ()
                  (let ((byte ,byte-at))
                    (incf at)
                    (cond ((< byte #x80) byte)
                          ((<= #xC2 byte #xDF) (tail 1 (logand byte #x1F) #x80 #xBF))
                          ((= byte #xE0) (tail 2 0 #xA0 #xBF))
                          ((= byte #xED) (tail 2 #xD #x80 #x9F))
                          ((<= #xE1 byte #xEF) (tail 2 (logand byte #xF) #x80 #xBF))
                          ((= byte #xF0) (tail 3 0 #x90 #xBF))
                          ((<= #xF1 byte #xF3) (tail 3 (logand byte 7) #x80 #xBF))
                          ((= byte #xF4) (tail 3 4 #x80 #x8F))
                          (t #xFFFD)))))
         (loop while (< at ,size)
               do (setf (schar string written) (code-char (the (mod ,char-code-limit) (code))))
                  (incf written)))
       (if (= written ,size) string (subseq string 0 written)))))

(define-utf-8-reader text-at (pointer size)
  (cffi:mem-ref (the cffi:foreign-pointer pointer) :uint8 at)
  "The string of SIZE bytes at POINTER; bytes that are not UTF-8 become U+FFFD.")

(define-utf-8-reader text-of-octets (octets size) (aref (the octets octets) at)
  "The string of the first SIZE bytes of a vector; bytes that are not UTF-8 become U+FFFD.")

(defun octets-at (pointer size)
  "A vector of the SIZE bytes at POINTER."
  (declare (type (unsigned-byte 60) size))
  (let ((octets (make-array size :element-type '(unsigned-byte 8))))
    (dotimes (at size octets)
      (setf (aref octets at) (cffi:mem-ref (the cffi:foreign-pointer pointer) :uint8 at)))))

(defun name-at (pointer &optional (guess ""))
  "The string at POINTER, which ends with a zero byte; GUESS itself if it is equal to that."
  (declare (type simple-string guess))
  (when (cffi:null-pointer-p pointer) (return-from name-at nil))
  (let ((size 0) (is-equal t))
    (declare (type (unsigned-byte 60) size))
    (loop for byte of-type (unsigned-byte 8) = (cffi:mem-ref pointer :uint8 size)
          until (zerop byte)
          do (when (and is-equal (not (and (< size (length guess)) (< byte 128)
                                           (= byte (char-code (schar guess size))))))
               (setf is-equal nil))
             (incf size))
    (if (and is-equal (= size (length guess))) guess (text-at pointer size))))
