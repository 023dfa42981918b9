;;;; Makes the player of the contract as the file that the variable CORACLE_LISP_PLAYER names:
;;;; `sbcl --load setup.lisp --load contract/build.lisp`, or the same with ecl.

(asdf:load-system "coracle/player")
(asdf:load-system "coracle/tests")

#+sbcl
(sb-ext:save-lisp-and-die (uiop:getenv "CORACLE_LISP_PLAYER") :executable t :save-runtime-options t
                          :toplevel (lambda ()
                                      (uiop:symbol-call :coracle-player :main
                                                        (rest sb-ext:*posix-argv*))))

#+ecl
(let ((file (uiop:getenv "CORACLE_LISP_PLAYER"))
      (setup (asdf:system-relative-pathname "coracle" "setup.lisp")))
  (with-open-file (out file :direction :output :if-exists :supersede)
    (format out "#!/bin/sh
exec ecl --norc --eval '(load \"~a\" :verbose nil)' \\
  --eval '(asdf:load-system \"coracle/player\")' \\
  --eval \"(coracle-player:main '(\\\"$1\\\"))\"~%" (uiop:native-namestring setup)))
  (uiop:run-program (list "chmod" "+x" file))
  (ext:quit 0))
