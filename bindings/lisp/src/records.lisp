;;;; Records: structs of coracle.h that the library shows, as structs of Lisp.

(in-package :coracle)

(cffi:defcstruct texts (texts :pointer) (count :size))

(defun texts-at (place)
  "The list of a coracle_texts."
  (let ((texts (slot-at place texts texts)))
    (loop for number below (slot-at place texts count)
          collect (name-at (cffi:mem-aref texts :pointer number)))))

(defun put-texts (arena place texts)
  "Writes a list into a coracle_texts."
  (when texts
    (setf (slot-at place texts texts) (place-names arena texts)
          (slot-at place texts count) (length texts))))

(defmacro slot-place (pointer type slot)
  `(cffi:foreign-slot-pointer ,pointer '(:struct ,type) ',slot))

(defun seconds-of (nanoseconds)
  "A span of time in seconds; NIL: without limit."
  (if (zerop nanoseconds) nil (/ nanoseconds 1d9)))

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun c-type-of (type)
    "The type in C of a slot."
    (cond ((consp type) (ecase (first type)
                          (:record (if (third type) :pointer (list :struct (second type))))
                          (:one-of :int)
                          (:records :pointer)
                          (:integers :pointer)))
          (t (case type
               (:text :pointer) (:texts '(:struct texts)) (:span :int64) (:truth :uint8)
               (t type)))))
  (defun reading-of (name slot type)
    "The form that reads a slot of the struct NAME at PLACE."
    (let ((it `(slot-at place ,name ,slot)) (there `(slot-place place ,name ,slot)))
      (flet ((reader-of (record) (intern (format nil "~a-AT" record) (symbol-package record))))
        (cond ((consp type)
               (destructuring-bind (kind what &optional count) type
                 (ecase kind
                   (:record `(,(reader-of what) ,(if count it there)))
                   (:one-of `(nth ,it ',what))
                   (:records `(loop for number below (slot-at place ,name ,count)
                                    collect (,(reader-of what)
                                             (cffi:mem-aptr ,it '(:struct ,what) number))))
                   (:integers `(loop for number below (length ,count)
                                     collect (cffi:mem-aref ,it ,what number))))))
              (t (case type
                   (:text `(name-at ,it)) (:texts `(texts-at ,there))
                   (:span `(seconds-of ,it)) (:truth `(/= 0 ,it))
                   (t it))))))))

(defmacro define-record (name documentation &rest slots)
  "Defines a struct of C and one of Lisp with the SLOTS (NAME TYPE [DOCUMENTATION]), and the
function NAME-AT, which copies. SIZE, and a slot whose name begins with %, is not in the struct of
Lisp."
  (flet ((is-hidden (slot)
           (or (eq (first slot) 'size) (char= #\% (char (string (first slot)) 0)))))
    (let ((shown (remove-if #'is-hidden slots))
          (reader (intern (format nil "~a-AT" name) (symbol-package name))))
      `(progn
         (cffi:defcstruct ,name
           ,@(loop for (slot type) in slots collect (list slot (c-type-of type))))
         (defstruct (,name (:copier nil)) ,documentation
           ,@(loop for (slot type) in shown
                   collect (list slot (if (member type '(:int64 :uint64 :uint32 :size)) 0 nil))))
         (defun ,reader (place)
           (let* ,(loop for (slot type) in shown collect (list slot (reading-of name slot type)))
             (,(intern (format nil "MAKE-~a" name) (symbol-package name))
              ,@(loop for (slot) in shown
                      collect (intern (string slot) :keyword)
                      collect slot))))
         ,@(loop for (slot nil text) in shown
                 when text
                   collect `(setf (documentation ',(intern (format nil "~a-~a" name slot)
                                                           (symbol-package name))
                                                 'function)
                                  ,text))))))
