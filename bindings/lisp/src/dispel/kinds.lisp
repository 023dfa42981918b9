;;;; The kinds of items, requests and results: types of Lisp, and their names in C++.

(in-package :coracle/dispel)

(defparameter *kinds*
  '((string "text/plain") (integer "integer") (float "floating") (boolean "boolean")
    (vector "application/octet-stream"))
  "Types of Lisp and what they are called in a society. Any other type is named by a text.")

(defun kind-name (kind)
  "The name of a kind: one of *KINDS*, or a text such as \"plan/v1\"; NIL stays."
  (cond ((or (null kind) (stringp kind)) kind)
        ((second (assoc kind *kinds*)))
        (t (fail-argument "~s is no kind of items; give STRING, INTEGER, FLOAT, BOOLEAN, VECTOR ~
                           for bytes, or the name of a type as a text." kind))))

(defun fits-kind-p (value kind)
  (let ((name (kind-name kind)))
    (case (first (find name *kinds* :key #'second :test #'equal))
      (string (stringp value))
      (integer (typep value '(or (signed-byte 64) (unsigned-byte 64))))
      (float (realp value))
      (boolean (member value '(t :false)))
      (vector (typep value '(vector (unsigned-byte 8))))
      (t t))))

(defun place-item (arena value kind what)
  "A copy in CBOR of a value that must be of its kind, and its size."
  (unless (fits-kind-p value kind)
    (fail 'coracle:wrong-type "~a is ~s, but it must be of the type ~a." what value kind))
  (place-value arena (if (and (eql (kind-name kind) "floating") (realp value))
                         (coerce value 'double-float)
                         value)))

(defclass typed ()
  ((takes :initarg :takes :initform nil :reader takes)
   (gives :initarg :gives :initform nil :reader gives))
  (:documentation "A role with what it takes and what it gives: STRING, INTEGER, FLOAT, BOOLEAN,
VECTOR for bytes, or the name of another type of C++ as a text."))

(defun answer-item (role)
  "A function that answers by a value of the kind that ROLE gives."
  (lambda (handle values)
    (if (null values)
        (fail 'coracle:wrong-type "~a gives nothing, but it must give a value of the type ~a."
              (name role) (gives role))
        (with-arena (arena)
          (multiple-value-bind (place size)
              (place-item arena (first values) (gives role)
                          (format nil "The answer of ~a" (name role)))
            (uninterrupted (coracle::%answer handle place size)))))))

(defun require-kinds (role &rest needed)
  (loop for (reader keyword) in needed
        unless (kind-name (funcall reader role))
          do (fail-argument "~a needs ~s, the type of what it ~(~a~)." role keyword keyword)))
