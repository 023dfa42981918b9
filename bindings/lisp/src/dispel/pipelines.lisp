;;;; Pipelines: sources, filters and sinks, and the keepers that make them.

(in-package :coracle/dispel)

(define-functions
  (pipeline-start :pointer :uint64 :pointer :pointer)
  (question-put :pointer :uint64 :pointer :size))

(cffi:defcstruct source
  (size :size) (gives :pointer) (produce :pointer) (end :pointer) (context :uint64))
(cffi:defcstruct filter
  (size :size) (takes :pointer) (gives :pointer) (process :pointer) (finish :pointer) (end :pointer)
  (context :uint64))
(cffi:defcstruct sink
  (size :size) (takes :pointer) (consume :pointer) (finish :pointer) (end :pointer)
  (context :uint64))
(cffi:defcstruct part
  (kind :pointer) (source :pointer) (filter :pointer) (sink :pointer) (takes :pointer)
  (gives :pointer))
(cffi:defcstruct pipeline
  (size :size) (name :pointer) (text :pointer) (kinds :pointer) (kind_count :size)
  (only (:struct texts)) (stand_in_for (:struct texts)) (window :uint32) (batch :uint32)
  (restarts :uint32) (end :pointer) (context :uint64))

;;; --- stages ---

(defclass stage (typed role)
  ((place :accessor stage-place)) ; its maker and its agent
  (:documentation "A part of a pipeline: a SOURCE, a FILTER or a SINK. Its KEEPER makes it."))

(defclass source (stage) ()
  (:documentation "Gives the items that its method of PRODUCE puts."))
(defgeneric produce (source number)
  (:documentation "PUTs one or more items; none ends the stream. NUMBER is that of the next item: it
begins at 0 or, when the source was begun again, at the first item that may still be needed."))

(defclass filter (stage) ()
  (:documentation "Takes items, and gives those that its method of PROCESS puts."))
(defgeneric process (filter item)
  (:documentation "PUTs no item, one, or several. A REFUSAL ends the stream at this item; another
error ends the filter, and its keeper begins it again."))

(defclass sink (stage) ()
  (:documentation "Takes the items at the end of a pipeline by the method of CONSUME."))
(defgeneric consume (sink item)
  (:documentation "Does with an item what the sink is for."))

(defgeneric on-end (stage why)
  (:documentation "The stream of a filter or a sink has ended. WHY is a text if it ended too early,
else NIL. A filter may PUT last items.")
  (:method (stage why) (declare (ignore stage why))))

(defmethod rests-when-finishing-p ((stage stage)) t)

(defun put (stage item)
  "Gives an item of a source or a filter, in the function that answers for it."
  (unless (eq stage (question-role (present-question)))
    (fail 'coracle:wrong-thread "The stage ~a puts an item outside of its own function."
          (name stage)))
  (with-arena (arena)
    (multiple-value-bind (place size)
        (place-item arena item (gives stage) (format nil "An item of ~a" (name stage)))
      (check (%question-put (question-handle (present-question)) place size))))
  (values))

(define-asked %produce ((stage) (number :uint64)) () #'answer-done
  (produce stage number))
(define-asked %process ((stage) (item :pointer) (size :size)) ((item (octets-at item size)))
    #'answer-done
  (process stage (decode item)))
(define-asked %consume ((stage) (item :pointer) (size :size)) ((item (octets-at item size)))
    #'answer-done
  (consume stage (decode item)))
;;; --- kinds of stages ---

(defstruct (maker (:constructor make-maker (make stage)) (:copier nil))
  "Makes a stage for each agent of a kind."
  make                        ; a function
  stage                       ; one that no agent has yet, or NIL
  (stages (make-hash-table))) ; from the agent to its stage

(defmethod role-in ((maker maker) self)
  (with-roles-locked ()
    (or (gethash self (maker-stages maker))
        (let ((stage (or (shiftf (maker-stage maker) nil) (funcall (maker-make maker)))))
          (setf (stage-place stage) (cons maker self)
                (gethash self (maker-stages maker)) stage)))))

(defun leave-place (stage)
  "The agent of the stage has ended, or will end."
  (with-roles-locked ()
    (destructuring-bind (maker . self) (stage-place stage)
      (remhash self (maker-stages maker)))))

(defmethod note-failed-function :after ((stage stage) condition)
  (declare (ignore condition))
  (leave-place stage))

(define-told %finish-sink (sink (why :pointer)) ((why (name-at why)))
  (progn (leave-place sink)
         (on-end sink why)))

(cffi:defcallback %finish-filter :void
    ((self :uint64) (question :uint64) (why :pointer) (context :uint64))
  (guarding-library ()
    (let ((filter (role-in (enrolled context) self)))
      (leave-place filter)
      (answering-at-once (filter self question) (on-end filter (name-at why))))))

;;; --- keepers ---

(defclass keeper (self-ending-role)
  ((pipeline :initarg :pipeline :reader pipeline)
   (text :initarg :text :reader text)
   (kinds :initarg :kinds :reader kinds)
   (only :initarg :only :initform '() :reader only)
   (stand-in-for :initarg :stand-in-for :initform '() :reader stand-in-for)
   (window :initarg :window :initform nil :reader window)
   (batch :initarg :batch :initform nil :reader batch)
   (restarts :initarg :restarts :initform nil :reader restarts))
  (:documentation "Makes the stages of the PIPELINE with that name, and those that crash again.
TEXT is its structure. KINDS are (KIND CLASS INITARG...), where CLASS is one of stages; a class
without the method of its role is that of stages which other processes make. ONLY are the parts
that are made here, if not all; it stands in for other parts when their process is gone. At most
WINDOW items are given to a stage that has not finished them, BATCH in a message. RESTARTS limits
those of a minute. The keeper ends when its stages have ended."))

(defun place-stage (arena stage key)
  "The struct of a stage, and the name of its slot in a part."
  (macrolet ((place (struct &rest slots)
               `(place-struct arena ,struct
                  ,@slots (end (cffi:callback %end-role)) (context key))))
    (flet ((takes () (place-name arena (kind-name (takes stage))))
           (gives () (place-name arena (kind-name (gives stage)))))
      (etypecase stage
        (source (require-kinds stage '(gives :gives))
         (place source (gives (gives)) (produce (cffi:callback %produce))))
        (filter (require-kinds stage '(takes :takes) '(gives :gives))
         (place filter (takes (takes)) (gives (gives)) (process (cffi:callback %process))
                (finish (cffi:callback %finish-filter))))
        (sink (require-kinds stage '(takes :takes))
         (place sink (takes (takes)) (consume (cffi:callback %consume))
                (finish (cffi:callback %finish-sink))))))))

(defun function-of (stage)
  (etypecase stage (source 'produce) (filter 'process) (sink 'consume)))

(defun put-part (arena part keeper name class initargs)
  (let* ((its-name (format nil "~a/~a" (pipeline keeper) name))
         (make (lambda ()
                 (let ((stage (apply #'make-instance class :name its-name initargs)))
                   (setf (port-node stage) (port-node keeper)
                         (port-loop stage) (port-loop keeper))
                   stage)))
         (stage (funcall make)))
    (unless (typep stage '(or source filter sink))
      (fail-argument "The kind ~s is of the class ~s, which is no source, filter or sink."
                     name class))
    (setf (slot-at part part kind) (place-name arena name))
    (if (has-method-p (function-of stage) stage)
        (let ((place (place-stage arena stage (enrol-part keeper (make-maker make stage)))))
          (etypecase stage
            (source (setf (slot-at part part source) place))
            (filter (setf (slot-at part part filter) place))
            (sink (setf (slot-at part part sink) place))))
        (macrolet ((put-kind (slot)
                     `(when (,slot stage)
                        (setf (slot-at part part ,slot)
                              (place-name arena (kind-name (,slot stage)))))))
          (put-kind takes)
          (put-kind gives)))))

(defmethod begin-role ((keeper keeper) node options arena)
  (let* ((count (length (kinds keeper)))
         (parts (allocate-zeros arena (* count (size-of part))))
         (pipeline (place-struct arena pipeline
                     (name (place-name arena (pipeline keeper)))
                     (text (place-name arena (text keeper)))
                     (kinds parts)
                     (kind_count count)
                     (window (window keeper))
                     (batch (batch keeper))
                     (restarts (restarts keeper))
                     (end (cffi:callback %end-role))
                     (context (role-key keeper)))))
    (loop for (name class . initargs) in (kinds keeper)
          for number from 0
          do (put-part arena (cffi:mem-aptr parts '(:struct part) number) keeper
                       name class initargs))
    (put-texts arena (slot-place pipeline pipeline only) (only keeper))
    (put-texts arena (slot-place pipeline pipeline stand_in_for) (stand-in-for keeper))
    (check (%pipeline-start (live-node node) options pipeline))))
