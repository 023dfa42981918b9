;;;; Pipelines: sources, filters and sinks.

(in-package :coracle-tests)
(def-suite* pipelines :in coracle-tests)

(defvar *seen* '() "What the sinks of a test have consumed, the last one first.")
(defvar *why* :none "The reason with which a sink ended.")

(defclass numbers (d:source) ((most :initarg :most :initform 100 :reader most))
  (:default-initargs :gives 'integer))
(defmethod d:produce ((source numbers) number)
  (loop for item from number below (min (most source) (+ number 10)) do (d:put source item)))

(defclass twice (d:filter) () (:default-initargs :takes 'integer :gives 'integer))
(defmethod d:process ((filter twice) item)
  (d:put filter item)
  (d:put filter item))
(defmethod d:on-end ((filter twice) why)
  (unless why (d:put filter 1000)))

(defclass picky (d:filter) ((at :initarg :at :reader at) (how :initarg :how :reader how))
  (:default-initargs :takes 'integer :gives 'integer))
(defmethod d:process ((filter picky) item)
  (when (= item (at filter)) (funcall (how filter) filter item))
  (d:put filter item))

(defclass slow (d:filter) () (:default-initargs :takes 'integer :gives 'string))
(defmethod d:process ((filter slow) item)
  (c:in-thread (d:put filter (princ-to-string item))))

(defclass pile (d:sink) () (:default-initargs :takes 'integer))
(defmethod d:consume ((sink pile) item)
  (push item *seen*)
  (when (eql item 77777) (c:finish sink)))
(defmethod d:on-end ((sink pile) why) (setf *why* why))

(defun run-pipeline (text &rest kinds)
  "What the sinks consume, in order; and the reason of the end."
  (setf *seen* '() *why* :none)
  (with-loop-node (loop node t)
    (let ((keeper (c:start (make-instance 'd:keeper :name "keeper" :pipeline "line" :text text
                                                    :kinds kinds :window 16)
                           node)))
      (is (c:alive-p keeper))
      (c:await keeper :longest 20)
      (is (not (c:alive-p keeper)))
      (c:run-until loop (not (eq *why* :none))))
    (is (zerop (hash-table-count coracle::*roles*))))
  (values (reverse *seen*) *why*))

(test a-whole-pipeline
  (is (equal (append (loop for n below 100 collect n collect n) '(1000))
             (run-pipeline "a: Numbers; b: Twice; c: Pile; a -> b -> c"
                           '("Numbers" numbers) '("Twice" twice) '("Pile" pile))))
  (is (null *why*)))

(test items-of-a-function-that-waits
  (is (equal (loop for n below 20 collect (princ-to-string n))
             (run-pipeline "a: Numbers; b: Slow * 2 ordered; c: Pile; a -> b -> c"
                           '("Numbers" numbers :most 20) '("Slow" slow)
                           '("Pile" pile :takes string)))))

(test a-refusal-ends-the-stream
  (multiple-value-bind (items why)
      (run-pipeline "a: Numbers; b: Picky; c: Pile; a -> b -> c"
                    '("Numbers" numbers) '("Pile" pile)
                    (list "Picky" 'picky :at 10 :how (lambda (filter item)
                                                       (declare (ignore filter item))
                                                       (error 'c:refusal :reason "no further"))))
    (is (equal (loop for n below 10 collect n) items))
    (is (search "no further" why))))

(test a-filter-that-fails-begins-again
  (let* ((failed '()) (c:*on-failure* (lambda (stage why) (push (list stage why) failed))))
    (is (equal (loop for n below 100 collect n)
               (run-pipeline "a: Numbers; b: Picky; c: Pile; a -> b -> c"
                             '("Numbers" numbers) '("Pile" pile)
                             (list "Picky" 'picky
                                   :at 10 :how (lambda (filter item)
                                                 (declare (ignore filter item))
                                                 (unless failed (error "A bug.")))))))
    (is (= 1 (length failed)))
    (is (equal "line/Picky" (c:name (first (first failed)))))
    (is (null *why*))))

(test a-stage-takes-no-more
  (let ((items (run-pipeline "a: Numbers; b: Picky; c: Pile; a -> b -> c"
                             '("Numbers" numbers :most 1000000) '("Pile" pile)
                             (list "Picky" 'picky :at 10 :how (lambda (filter item)
                                                                (declare (ignore item))
                                                                (c:finish filter))))))
    (is (equal (loop for n to 10 collect n) items))))

(test items-of-the-wrong-kind
  (let* ((said '())
         (c:*on-failure* (lambda (stage why) (declare (ignore stage)) (push why said))))
    (run-pipeline "a: Numbers; b: Picky; c: Pile; a -> b -> c"
                  '("Numbers" numbers) '("Pile" pile)
                  (list "Picky" 'picky :at 10 :how (lambda (filter item)
                                                     (declare (ignore item))
                                                     (d:put filter "ten"))))
    (is (plusp (length said)))
    (is (typep (first said) 'c:wrong-type))
    (is (search "\"ten\"" (princ-to-string (first said))))
    (is (stringp *why*))))

(test impossible-pipelines
  (with-loop-node (loop node t)
    (flet ((begin (text &rest kinds)
             (c:start (make-instance 'd:keeper :name "keeper" :pipeline "line" :text text
                                               :kinds kinds)
                      node)))
      (fails c:wrong-type (begin "a: A; b: B; a -> b" '("A" numbers) '("B" pile :takes string)))
      (fails c:bad-options (begin "a: Nothing" '("A" numbers)))
      (fails c:bad-argument (begin "a: A" '("A" numbers :gives symbol)))
      (fails c:bad-argument (begin "a: A" '("A" numbers :gives nil)))
      (fails c:bad-argument (begin "a: A" '("A" adder)))
      (fails c:bad-argument (begin "a: A" '("A" numbers) '("A" numbers)))
      (is (zerop (hash-table-count coracle::*roles*)))
      (fails c:wrong-thread (d:put (make-instance 'numbers) 1)))))
