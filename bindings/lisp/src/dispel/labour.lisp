;;;; Masters and slaves.

(in-package :coracle/dispel)

(define-functions
  (slave-start :pointer :uint64 :pointer :pointer)
  (master-start :pointer :uint64 :pointer :pointer :pointer)
  (master-divide :pointer :uint64 :pointer :pointer :pointer))

(cffi:defcstruct slave
  (size :size) (takes :pointer) (gives :pointer) (leaves :uint8) (work :pointer) (end :pointer)
  (context :uint64))
(cffi:defcstruct master
  (size :size) (task_type :pointer) (result_type :pointer) (slaves (:struct texts))
  (result :pointer) (progress :pointer) (refusal :pointer) (end :pointer) (context :uint64))
(cffi:defcstruct value (value :pointer) (size :size))
(cffi:defcstruct division
  (size :size) (tasks :pointer) (task_count :size) (slave :pointer) (shares :int) (chunk :uint32)
  (most :uint32) (ordered :uint8) (ahead :uint64) (attempts :uint8))

(defclass slave (typed role)
  ((leaves :initarg :leaves :initform nil :reader leaves))
  (:documentation "Does the tasks of a master by the method of WORK. If it LEAVES, it ends when its
master is gone; otherwise it waits for another one."))

(defgeneric work (slave task)
  (:documentation "The result of a task. An error ends the slave, and another one gets the task."))

(defmethod functions-needed append ((slave slave)) '(work))

(define-asked %work ((slave) (task :pointer) (size :size))
    ((task (octets-at task size)))
    (answer-item slave)
  (work slave (decode task)))

(defmethod begin-role ((slave slave) node options arena)
  (require-kinds slave '(takes :takes) '(gives :gives))
  (beginning (%slave-start node options)
      (arena slave
             (takes (place-name arena (kind-name (takes slave))))
             (gives (place-name arena (kind-name (gives slave))))
             (leaves (if (leaves slave) 1 0))
             (work (cffi:callback %work))
             (end (cffi:callback %end-role))
             (context (role-key slave)))))

(defclass master (typed role)
  ((slaves :initarg :slaves :initform '() :reader slaves))
  (:documentation "Divides work among SLAVES, a list of names, by DIVIDE. It gives tasks and takes
results."))

(defgeneric on-result (master task result)
  (:documentation "The task with the number TASK, from 0, is done.")
  (:method (master task result) (declare (ignore master task result))))
(defgeneric on-progress (master done all)
  (:documentation "So many tasks of ALL are done.")
  (:method (master done all) (declare (ignore master done all))))
(defgeneric on-refusal (master slave why)
  (:documentation "The master has given up a slave.")
  (:method (master slave why) (declare (ignore master slave why))))

(define-told %on-result (master (task :uint64) (value :pointer) (size :size))
    ((value (octets-at value size)))
  (on-result master task (decode value)))
(define-told %on-progress (master (done :uint64) (all :uint64)) ()
  (on-progress master done all))
(define-told %on-refusal (master (slave :pointer) (why :pointer))
    ((slave (name-at slave)) (why (name-at why)))
  (on-refusal master slave why))

(defmethod begin-role ((master master) node options arena)
  (require-kinds master '(gives :gives) '(takes :takes))
  (let ((struct (place-struct arena master
                  (task_type (place-name arena (kind-name (gives master))))
                  (result_type (place-name arena (kind-name (takes master))))
                  (result (cffi:callback %on-result))
                  (progress (cffi:callback %on-progress))
                  (refusal (cffi:callback %on-refusal))
                  (end (cffi:callback %end-role))
                  (context (role-key master)))))
    (put-texts arena (slot-place struct master slaves) (slaves master))
    (acting-by (master out arena) (%master-start (live-node node) options struct out))))

(defparameter *shares* '(:guided :fixed :dynamic))

(defun place-tasks (arena tasks kind)
  (let ((places (allocate-zeros arena (* (length tasks) (size-of value)))))
    (loop for task in tasks
          for number from 0
          do (multiple-value-bind (place size) (place-item arena task kind "A task")
               (let ((value (cffi:mem-aptr places '(:struct value) number)))
                 (setf (slot-at value value value) place
                       (slot-at value value size) size))))
    places))

(defun divide (master tasks &key slave (shares :guided) chunk most ordered ahead attempts then)
  "Gives the TASKS to the slaves, and returns the list of their results, in the order of the
tasks. One division is under way at a time. SHARES are :GUIDED, :FIXED or :DYNAMIC; CHUNK is the
size of the smallest share, MOST that of the largest. ORDERED results are reported in order. Up to
AHEAD tasks are given out beyond the first one whose result is missing. ATTEMPTS deaths over one
task end the division. SLAVE is the only one that gets the task, of which there is one then."
  (operating (master then #'event-values :arena arena) (begin handle)
    (%master-divide handle
                    (place-struct arena division
                      (tasks (place-tasks arena (coerce tasks 'list) (gives master)))
                      (task_count (length tasks))
                      (slave (place-name? arena slave))
                      (shares (number-of shares *shares* "way to share"))
                      (chunk chunk)
                      (most most)
                      (ordered (if ordered 1 0))
                      (ahead ahead)
                      (attempts attempts))
                    (nowhere) begin)))

(defun command (master slave task &key then)
  "Lets one slave do one task, and returns its result."
  (if then
      (divide master (list task) :slave slave
                                 :then (lambda (results condition)
                                         (funcall then (first results) condition)))
      (first (divide master (list task) :slave slave))))
