;;;; The words in which the tests are written.

(defpackage :coracle-tests
  (:use :cl :fiveam)
  (:local-nicknames (:c :coracle) (:d :coracle/dispel) (:f :coracle/caf))
  (:export #:coracle-tests #:run-all #:run-memory))
(in-package :coracle-tests)

(def-suite coracle-tests :description "The binding for Common Lisp.")

(defmacro with-ports ((&rest names) (&rest node-options) &body body)
  "Evaluates BODY with a port for each of NAMES, a symbol, on a local node."
  (let ((node (gensym "NODE")))
    `(c:with-node (,node "local:" ,@node-options)
       (let ,(loop for name in names
                   collect `(,name (c:open-port ,node ,(string-downcase name))))
         (declare (ignorable ,@names))
         ,@body))))

(defmacro fails (condition form)
  "Checks that FORM signals CONDITION, with a sentence."
  `(let ((found (handler-case (progn ,form nil) (c:coracle-error (why) why))))
     (is (typep found ',condition) "~s ended with ~a" ',form found)
     (when found (is (plusp (length (c:sentence found)))))))

(defun run-all ()
  "Runs all tests; ends Lisp with 1 if one has failed."
  (uiop:quit (if (run! 'coracle-tests) 0 1)))
