;;;; Receiving.

(in-package :coracle)

(defun place-match (arena from conversation type tap addressed longest)
  (place-struct arena match
    (from (place-name? arena from))
    (conversation conversation)
    (type (place-name? arena type))
    (tap tap)
    (addressed (if addressed 1 0))
    (longest (span longest))))

(defmacro define-receiver (name (&rest more) documentation &body body)
  "Defines a function with the conditions of a match; in BODY, MATCH is a form for their struct."
  `(defun ,name (port ,@more &key from conversation type tap addressed longest then hold)
     ,documentation
     (macrolet ((match () '(place-match arena from conversation type tap addressed longest)))
       ,@body)))

(defun keep-or-detach (message hold)
  "What a function gives of a message: all of it; a request must stay open."
  (if (or hold (request-p message)) (entrust message) (detach message)))

(define-receiver take ()
  "Receives a message that stays in hand until somebody releases it."
  (progn hold
         (operating (port then #'event-message :arena arena) (begin handle)
           (%receive handle (match) (nowhere) begin))))

(defun receive (port &rest options &key from conversation type tap addressed longest then hold)
  "Receives the oldest message that fits, and waits for one, for at most LONGEST seconds; then it
returns NIL.

It must be FROM that agent, of that CONVERSATION and TYPE, overheard by that TAP; with ADDRESSED, not
overheard. The message is acknowledged at once; WITH-MESSAGE and DO-MESSAGES acknowledge it when
their body ends. A request, or any message with HOLD, stays in hand until it is replied to or
released. THEN is called by the port's loop with the message, which is released after that."
  (declare (ignore from conversation type tap addressed longest) (dynamic-extent options))
  (if then
      (apply #'take port :then (releasing then hold) options)
      (uninterrupted
        (let ((message (apply #'take port options)))
          (when message (keep-or-detach message hold))))))

(defun releasing (then hold)
  "Calls THEN with a message, which is released after that."
  (lambda (message condition)
    (when (and message hold) (entrust message))
    (unwind-protect (funcall (the function then) message condition)
      (when (and message (not hold)) (release message)))))

(define-receiver try-receive ()
  "The oldest message that fits, or NIL; never waits. The arguments are those of RECEIVE."
  (progn
    (when (or longest then) (fail-argument "TRY-RECEIVE does not wait; use RECEIVE."))
    (with-arena (arena)
      (let ((out (allocate-zeros arena 8)) (handle (live-port port)))
        (uninterrupted
          (check (%try-receive handle (match) out))
          (let ((handle (cffi:mem-ref out :uint64)))
            (unless (zerop handle)
              (keep-or-detach (make-message handle port) hold))))))))

(define-receiver take-many (most)
  "Receives messages that stay in hand."
  (progn hold
         (operating (port then #'event-messages :arena arena) (begin handle)
           (%receive-many handle (match) most (nowhere) begin))))

(defun receive-many (port most &rest options
                     &key from conversation type tap addressed longest then hold)
  "Waits like RECEIVE, and returns a list of all messages that fit, at most MOST of them."
  (declare (ignore from conversation type tap addressed longest) (dynamic-extent options))
  (flet ((finish (messages) (mapcar (lambda (each) (keep-or-detach each hold)) messages)))
    (if then
        (apply #'take-many port most
               :then (lambda (messages condition) (funcall then (finish messages) condition))
               options)
        (uninterrupted (finish (apply #'take-many port most options))))))

(defmacro with-message ((message port &rest options) &body body)
  "Receives a message, evaluates BODY with it, and acknowledges it. MESSAGE is NIL if none came in
time. The options are those of RECEIVE. If BODY ends by an error that ends its agent, the sender of
a request is told."
  `(uninterrupted
     (let ((,message (take ,port ,@options)))
       (unwind-protect (interruptible ,@body)
         (when ,message (end-message ,message))))))

(defmacro do-messages ((message port &rest options &key result &allow-other-keys) &body body)
  "Evaluates BODY for each message, which is acknowledged then, until none came in time; returns
RESULT then. RETURN leaves the loop. The options are those of RECEIVE."
  (let ((options (without options :result)))
    `(loop
       (with-message (,message ,port ,@options)
         (unless ,message (return ,result))
         ,@body))))
