;;;; Texts, values in CBOR, and the structs of the header.

(in-package :coracle-tests)
(def-suite* content :in coracle-tests)

(defun octets (&rest bytes)
  (coerce bytes '(simple-array (unsigned-byte 8) (*))))

(defun same (value) (c:decode (c:encode value)))

(defun decoded (&rest bytes) (c:decode (apply #'octets bytes)))

(defun pseudo-random (seed)
  "A function that gives numbers below its argument, the same in each run."
  (lambda (limit)
    (setf seed (mod (+ (* seed 1103515245) 12345) (expt 2 31)))
    (mod (ash seed -8) limit)))

(test values-come-back
  (dolist (value (list 0 -1 23 24 (1- (expt 2 63)) (- (expt 2 63)) 2.5d0 "" "ü🌍"
                       t :false :null #() #(1 "two" #(3 t)) (octets 0 255)))
    (is (equalp value (same value))))
  (is (equalp (octets #x1b 255 255 255 255 255 255 255 255) (c:encode (1- (expt 2 64)))))
  (fails c:bad-encoding (same (1- (expt 2 64))))
  (is (equalp #(1 2) (same '(1 2))))
  (is (equalp #() (same nil)))
  (is (= 0.5d0 (same 1/2)))
  (let ((map (make-hash-table :test 'equal)))
    (setf (gethash "price" map) 2.5d0 (gethash 7 map) '("a"))
    (let ((found (same map)))
      (is (= 2 (hash-table-count found)))
      (is (= 2.5d0 (gethash "price" found)))
      (is (equalp #("a") (gethash 7 found))))))

(test no-value-in-cbor
  (fails c:bad-argument (c:encode (expt 2 64)))
  (fails c:bad-argument (c:encode 'symbol))
  (fails c:bad-argument (c:encode '(1 . 2)))
  (fails c:bad-argument (c:encode (let ((list (list 1))) (setf (cdr list) list))))
  (fails c:bad-argument (c:encode (let ((value 1)) (dotimes (n 200 value)
                                                     (setf value (vector value)))))))

(test bytes-of-a-stranger
  (fails c:bad-encoding (decoded))
  (fails c:bad-encoding (decoded 1 2))
  (fails c:bad-encoding (decoded #x82 1))
  (fails c:bad-encoding (decoded #x9b #xff #xff #xff #xff #xff #xff #xff #xff))
  (fails c:bad-encoding (decoded #x7b #xff #xff #xff #xff #xff #xff #xff #xff))
  (fails c:bad-encoding (apply #'decoded (loop repeat 10000 collect #x81)))
  (let ((next (pseudo-random 7)))
    (dotimes (n 2000)
      (let ((bytes (loop repeat (funcall next 20) collect (funcall next 256))))
        (finishes (handler-case (apply #'decoded bytes)
                    (c:bad-encoding ())))))))

(test text-that-is-no-utf-8
  (with-ports (ann) ()
    (flet ((text-of (&rest bytes)
             (c:send ann "ann" (apply #'octets bytes) :type "text/plain")
             (c:text (c:receive ann))))
      (let ((wrong (string (code-char #xFFFD))))
        (is (string= "" (text-of)))
        (is (string= wrong (text-of #xff)))
        (is (string= (concatenate 'string wrong "a") (text-of #xc3 97)))
        (is (string= wrong (text-of #xe2 #x82)))
        (is (string= (concatenate 'string wrong wrong) (text-of #xc0 #xaf)))
        (is (string= (string (code-char #x10FFFF)) (text-of #xf4 #x8f #xbf #xbf)))
        (is (find (code-char #xFFFD) (text-of #xed #xa0 #x80)))
        (is (find (code-char #xFFFD) (text-of #xf4 #x90 #x80 #x80)))))))

(test contents-of-all-kinds
  (with-ports (ann) ()
    (c:send ann "ann" (octets 1 2 3))
    (let ((message (c:receive ann)))
      (is (equalp (octets 1 2 3) (c:octets message)))
      (is (string= "application/octet-stream" (c:content-type message))))
    (c:send ann "ann" '("offer" 2.5) :type "offer/v1")
    (is (equalp #("offer" 2.5d0) (c:value (c:receive ann :type "offer/v1"))))
    (c:send ann "ann" nil)
    (is (string= "" (c:text (c:receive ann))))
    (c:send ann "ann" "text")
    (fails c:bad-encoding (c:value (c:receive ann)))
    (fails c:bad-argument (c:send ann "ann" 42))))

;;; --- the header ---

(defparameter *structs*
  '(coracle::begin coracle::event coracle::node_options coracle::stop_report coracle::property
    coracle::agent_options coracle::header coracle::post coracle::match coracle::message_info
    coracle::pattern coracle::coracle_condition coracle::query coracle::field))

(defparameter *role-structs*
  '(coracle::texts coracle::coracle_function coracle::service coracle::evaluation
    coracle::evaluator
    d::server d::request d::source d::filter d::sink d::part d::pipeline d::slave d::master d::value
    d::division d::terminal d::layer d::wire d::subsumption
    f::agenda f::decision f::peer f::fraction f::ballot f::coracle_member f::council f::motion
    f::penalty f::contract f::engagement f::offering f::bid f::bidder f::contract_client f::tender
    f::settlement f::worth f::plan-node f::plan f::planner f::plan_request f::arbiter))

(defparameter *other-names*
  '((f::refused-message . "coracle_refusal") (f::part . "coracle_settlement_part")
    (f::outcome . "coracle_plan_outcome") (f::progress . "coracle_plan_progress")))

(defun all-structs () (append *structs* *role-structs* (mapcar #'first *other-names*)))

(defun c-name (struct)
  (let ((name (coracle::c-words struct)))
    (cond ((cdr (assoc struct *other-names*)))
          ((eql 0 (search "coracle_" name)) name)
          (t (format nil "coracle_~a" name)))))

(defun c-slot (slot)
  (string-left-trim "%" (coracle::c-words slot)))

(defun places-in-lisp ()
  "A line for each struct and slot, as the program in C prints them."
  (loop for struct in (all-structs)
        collect (format nil "~a ~d" (c-name struct) (cffi:foreign-type-size `(:struct ,struct)))
        append (loop for slot in (cffi:foreign-slot-names `(:struct ,struct))
                     collect (format nil "~a.~a ~d" (c-name struct) (c-slot slot)
                                     (cffi:foreign-slot-offset `(:struct ,struct) slot)))))

(defun write-program (file)
  (with-open-file (out file :direction :output :if-exists :supersede)
    (flet ((put (name value) (format out "  printf(\"~a %zu\\n\", ~a);~%" name value)))
      (format out "#include <coracle.h>~%#include <stdio.h>~%int main(void) {~%")
      (dolist (struct (all-structs))
        (let ((name (c-name struct)))
          (put name (format nil "sizeof(~a)" name))
          (dolist (slot (cffi:foreign-slot-names `(:struct ,struct)))
            (let ((slot (c-slot slot)))
              (put (format nil "~a.~a" name slot) (format nil "offsetof(~a, ~a)" name slot))))))
      (format out "  return 0;~%}~%"))))

(test structs-are-those-of-the-header
  (uiop:with-temporary-file (:pathname source :type "c" :keep nil)
    (let ((program (make-pathname :type "out" :defaults source))
          (headers (asdf:system-relative-pathname "coracle" "../c/include")))
      (write-program source)
      (unwind-protect
           (is (equal (uiop:run-program
                       (format nil "cc -I ~a -o ~a ~a 2>&1 && ~:*~:*~a"
                               (uiop:native-namestring headers)
                               (uiop:native-namestring program)
                               (uiop:native-namestring source))
                       :output :lines :ignore-error-status t)
                      (places-in-lisp)))
        (uiop:delete-file-if-exists program)))))
