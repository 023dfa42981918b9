;;;; For work on the binding itself: `sbcl --load setup.lisp` finds the systems of this folder. Compiled
;;;; files go into the folder that the variable CORACLE_LISP_COMPILED names, if it is set.

(setf *load-verbose* nil *compile-print* nil *compile-verbose* nil)
(require :asdf)

(let ((compiled (uiop:getenv "CORACLE_LISP_COMPILED")))
  (when (and compiled (string/= compiled ""))
    (asdf:initialize-output-translations
     `(:output-translations (t (,(uiop:ensure-directory-pathname compiled) :implementation))
                            :ignore-inherited-configuration))
    #+ecl  ; tests wait for the compiler of C, not for what it makes
    (progn (require :cmp)
           (setf c::*cc-flags* "-g0 -O0 -fPIC -D_THREAD_SAFE -D_GNU_SOURCE" c::*cc-optimize* ""))))
(push (uiop:pathname-directory-pathname *load-truename*) asdf:*central-registry*)
