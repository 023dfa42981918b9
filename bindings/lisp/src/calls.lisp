;;;; Remote calls: functions of other agents, and services that offer functions.

(in-package :coracle)

(cffi:defcstruct coracle_function (name :pointer) (call :pointer) (context :uint64))
(cffi:defcstruct service
  (size :size) (functions :pointer) (function_count :size) (at_once :uint32) (end :pointer)
  (context :uint64))

;;; --- results ---

(defun place-value (arena value)
  "A copy of VALUE in CBOR, and its size."
  (place-octets arena (encode value)))

(defun result-at (result number)
  (cffi:with-foreign-objects ((place :pointer) (size :size))
    (check (%result-value result number place size))
    (decode (octets-at (cffi:mem-ref place :pointer) (cffi:mem-ref size :size)))))

(defmacro with-event-result ((result event) &body body)
  "Evaluates BODY with the handle of a result, which is freed then."
  `(let ((,result (slot-at ,event event result)))
     (unwind-protect (progn ,@body) (%result-free ,result))))

(defun event-value (event port)
  (declare (ignore port))
  (with-event-result (result event) (result-at result 0)))

(defun event-values (event port)
  (declare (ignore port))
  (with-event-result (result event)
    (cffi:with-foreign-object (count :size)
      (check (%result-count result count))
      (loop for number below (cffi:mem-ref count :size) collect (result-at result number)))))

;;; --- answers ---

(defun answer-value (handle values)
  "Answers by one value in CBOR; by null if there is none."
  (if (null values)
      (uninterrupted (%answer-done handle))
      (with-arena (arena)
        (multiple-value-bind (place size) (place-value arena (first values))
          (uninterrupted (%answer handle place size))))))

(defun answer-done (handle values)
  (declare (ignore values))
  (uninterrupted (%answer-done handle)))

;;; --- calling ---

(defun call (port agent function arguments &key longest then)
  "Calls a function of the agent AGENT with a list of ARGUMENTS, and returns its result, within
LONGEST seconds. FUNCTION is a text, or a symbol: LIST-PORTS is \"list_ports\". Values are those of
ENCODE; the result of a function that returns nothing is :NULL. Fails with REFUSED if the function
failed, with NO-SUCH-FUNCTION or WRONG-TYPE if the agent does not offer it with such arguments, and
with DEADLOCK if agents would wait for each other in a circle."
  (operating (port then #'event-value :arena arena) (begin handle)
    (multiple-value-bind (place size) (place-value arena arguments)
      (%call handle (place-name arena agent) (place-name arena (function-name-of function))
             place size (span longest) (nowhere) begin))))

(defun call-blindly (port agent function arguments &key then)
  "Calls a function without a result; ends when the call is accepted."
  (operating (port then #'event-done :has-no-result t :arena arena) (begin handle)
    (multiple-value-bind (place size) (place-value arena arguments)
      (%call-blindly handle (place-name arena agent) (place-name arena (function-name-of function))
                     place size begin))))

;;; --- serving ---

(defclass offering (role)
  ((functions :initarg :functions :initform '() :reader functions-of)
   (at-once :initarg :at-once :initform 1 :reader at-once-of))
  (:documentation "A role whose functions have names for others."))

(defmethod note-failed-function ((role offering) condition)
  (declare (ignore condition))) ; who asked for it knows

(defclass service (offering) ()
  (:documentation "An agent that offers FUNCTIONS to calls. Each is a symbol, whose function is
called with the service and the arguments, or (NAME FUNCTION). Up to AT-ONCE calls are under way
at the same time. The value of a function is the result; an error in it, or a REFUSAL, goes to the
caller."))

(defstruct (offered (:constructor make-offered (role function)) (:copier nil))
  "A function of such a role, which has a context of its own."
  role function)

(defmethod role-in ((offered offered) self)
  (declare (ignore self))
  (values (offered-role offered) (offered-function offered)))

(defun place-offered (arena role type slot callback)
  "An array of a struct of that TYPE for each function of ROLE, with the CALLBACK in its SLOT."
  (let ((places (allocate-zeros arena (* (length (functions-of role))
                                         (cffi:foreign-type-size type)))))
    (loop for designator in (functions-of role)
          for number from 0
          do (destructuring-bind (name &optional (function name)) (uiop:ensure-list designator)
               (flet ((put (slot value)
                        (setf (cffi:foreign-slot-value (cffi:mem-aptr places type number) type slot)
                              value)))
                 (put 'name (place-name arena (function-name-of name)))
                 (put slot callback)
                 (put 'context (enrol-part role (make-offered role function))))))
    places))

(define-asked %serve ((service function) (arguments :pointer) (size :size))
    ((arguments (octets-at arguments size)))
    #'answer-value
  (apply function service (coerce (decode arguments) 'list)))

(defmethod begin-role ((service service) node options arena)
  (beginning (%service-start node options)
      (arena service
             (functions (place-offered arena service '(:struct coracle_function) 'call
                                       (cffi:callback %serve)))
             (function_count (length (functions-of service)))
             (at_once (at-once-of service))
             (end (cffi:callback %end-role))
             (context (role-key service)))))
