;;;; Layers of behaviours, after Brooks.

(in-package :coracle/dispel)

(define-functions
  (subsumption-start :pointer :uint64 :pointer)
  (question-input :pointer :uint64 :pointer :pointer :pointer :pointer)
  (question-alarm-rang :pointer :uint64 :pointer)
  (question-signal :pointer :uint64 :pointer :pointer :size)
  (question-alarm :pointer :uint64 :int64))

(cffi:defcstruct terminal (name :pointer) (type :pointer) (is_input :uint8))
(cffi:defcstruct layer
  (size :size) (name :pointer) (layer :unsigned-int) (terminals :pointer) (terminal_count :size)
  (react :pointer) (end :pointer) (context :uint64))
(cffi:defcstruct wire (from :pointer) (to :pointer) (effect :int) (constant :int64))
(cffi:defcstruct subsumption
  (size :size) (name :pointer) (layers :pointer) (layer_count :size) (wires :pointer)
  (wire_count :size) (end :pointer) (context :uint64))

(defclass layer (role)
  ((layer :initarg :layer :initform 0 :reader layer-number)
   (inputs :initarg :inputs :initform '() :reader inputs)
   (outputs :initarg :outputs :initform '() :reader outputs))
  (:documentation "A behaviour on a LAYER, from 0, of a network. INPUTS and OUTPUTS are (NAME
TYPE). An instance of a class without a method of REACT stands for one of another process."))

(defgeneric react (layer)
  (:documentation "Is called at the beginning, when signals have come, and when the alarm rings.
It reads each INPUT that it needs, sends signals by OUTPUT, and may set the ALARM."))

(defmethod rests-when-finishing-p ((layer layer)) t)

(define-asked %react ((layer)) () #'answer-done (react layer))

(defun handle-for (layer)
  "The handle of the question that the layer answers now."
  (unless (eq layer (question-role (present-question)))
    (fail 'coracle:wrong-thread "The behaviour ~a reacts outside of its own function."
          (name layer)))
  (question-handle (present-question)))

(defun input (layer name)
  "The last signal that came to an input, or NIL; and true if it came since the last reaction."
  (let ((handle (handle-for layer)))
    (with-arena (arena)
      (cffi:with-foreign-objects ((signal :pointer) (size :size) (is-fresh :uint8))
        (check (%question-input handle (place-name arena name) signal size is-fresh))
        (let ((place (cffi:mem-ref signal :pointer)))
          (unless (cffi:null-pointer-p place)
            (values (decode (octets-at place (cffi:mem-ref size :size)))
                    (/= 0 (cffi:mem-ref is-fresh :uint8)))))))))

(defun output (layer name signal)
  "Sends a signal from an output when the reaction ends."
  (let ((handle (handle-for layer)))
    (with-arena (arena)
      (multiple-value-bind (place size)
          (place-item arena signal (second (assoc name (outputs layer) :test #'string=)) "A signal")
        (check (%question-signal handle (place-name arena name) place size)))))
  (values))

(defun alarm (layer after)
  "Lets the behaviour react again so many seconds after this reaction."
  (check (%question-alarm (handle-for layer) (span after)))
  (values))

(defun alarm-rang-p (layer)
  "True if the alarm is the reason for this reaction."
  (cffi:with-foreign-object (out :uint8)
    (check (%question-alarm-rang (handle-for layer) out))
    (/= 0 (cffi:mem-ref out :uint8))))

;;; --- networks ---

(defparameter *effects* '(:signals :suppresses :inhibits))

(defun place-terminals (arena layer)
  (let ((places (allocate-zeros arena (* (size-of terminal)
                                         (+ (length (inputs layer)) (length (outputs layer)))))))
    (loop for (name kind is-input) in (append (loop for (name kind) in (inputs layer)
                                                    collect (list name kind 1))
                                              (loop for (name kind) in (outputs layer)
                                                    collect (list name kind 0)))
          for number from 0
          do (let ((place (cffi:mem-aptr places '(:struct terminal) number)))
               (setf (slot-at place terminal name) (place-name arena name)
                     (slot-at place terminal type) (place-name arena (kind-name kind))
                     (slot-at place terminal is_input) is-input)))
    places))

(defun put-layer (arena place layer)
  (macrolet ((put (slot form) `(setf (slot-at place layer ,slot) ,form)))
    (put size (size-of layer))
    (put name (place-name arena (name layer)))
    (put layer (layer-number layer))
    (put terminals (place-terminals arena layer))
    (put terminal_count (+ (length (inputs layer)) (length (outputs layer))))
    (when (has-method-p 'react layer) (put react (cffi:callback %react)))
    (put end (cffi:callback %end-role))
    (put context (role-key layer))))

(defun place-wires (arena wires)
  (let ((places (allocate-zeros arena (* (length wires) (size-of wire)))))
    (loop for (from to effect constant) in wires
          for number from 0
          do (let ((place (cffi:mem-aptr places '(:struct wire) number)))
               (setf (slot-at place wire from) (place-name arena from)
                     (slot-at place wire to) (place-name arena to)
                     (slot-at place wire effect) (number-of (or effect :signals) *effects* "effect")
                     (slot-at place wire constant) (span constant))))
    places))

(defun start-subsumption (node name layers wires)
  "Starts those LAYERS of the network NAME that have a method of REACT, as agents NAME/layer.
WIRES are (FROM TO), or (FROM TO EFFECT SECONDS) where EFFECT is :SUPPRESSES or :INHIBITS for so
long after each signal. FROM is \"behaviour.output\", TO \"behaviour.input\", or an output that is
inhibited."
  (enrol-roles (layers node)
    (with-arena (arena)
      (let ((places (allocate-zeros arena (* (length layers) (size-of layer)))))
        (loop for layer in layers
              for number from 0
              do (put-layer arena (cffi:mem-aptr places '(:struct layer) number) layer))
        (check (%subsumption-start (live-node node)
                                   (place-struct arena subsumption
                                     (name (place-name arena name))
                                     (layers places)
                                     (layer_count (length layers))
                                     (wires (place-wires arena wires))
                                     (wire_count (length wires))))))))
  layers)
