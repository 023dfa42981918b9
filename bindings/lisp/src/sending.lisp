;;;; Sending, requests and receipts.

(in-package :coracle)

(defun place-names (arena names)
  (let ((places (allocate arena (* 8 (length names)))))
    (loop for name in names
          for number from 0
          do (setf (cffi:mem-aref places :pointer number) (place-name arena name)))
    places))

(defun place-headers (arena headers)
  "An array of the pairs (KEY . VALUE)."
  (let ((places (allocate arena (* (length headers) (size-of header)))))
    (loop for (key . value) in headers
          for number from 0
          do (let ((place (cffi:mem-aptr places '(:struct header) number)))
               (setf (slot-at place header key) (place-name arena key)
                     (slot-at place header value) (place-name arena value))))
    places))

(defun place-content (arena content type)
  "The address, the size and the type of a content."
  (typecase content
    (null (values nil 0 type))
    (string (multiple-value-call #'values (place-text arena content) type))
    ((vector (unsigned-byte 8))
     (multiple-value-call #'values
       (place-octets arena (as-octets content)) (or type "application/octet-stream")))
    (t (unless type
         (fail-argument "The content ~s is a value in CBOR; give the name of its type as :TYPE."
                        content))
       (multiple-value-call #'values (place-octets arena (encode content)) type))))

(defun place-post (arena to content type &optional conversation reply-to headers expires patience)
  (multiple-value-bind (place size type) (place-content arena content type)
    (let ((post (place-struct arena post
                  (content place)
                  (content_size size)
                  (type (place-name? arena type))
                  (conversation conversation)
                  (reply_to (place-name? arena reply-to))
                  (headers (and headers (place-headers arena headers)))
                  (header_count (and headers (length headers)))
                  (expires (and expires (span expires)))
                  (patience (and patience (span patience))))))
      (macrolet ((put (slot form) `(setf (slot-at post post ,slot) ,form)))
        (typecase to
          (string (put to (place-name arena to)))
          (message (put to_sender_of (live-message to)))
          (null)
          ((cons (eql :group) (cons string null)) (put group (place-name arena (second to))))
          (list (put many (place-names arena to)) (put many_count (length to)))
          (t (fail-argument "~s is no target; give a name, a list of names, (:group NAME), or a ~
                             message whose sender it is." to))))
      post)))

(defmacro define-sender (name (&rest keys) documentation &body body)
  "Defines a function with the arguments of a message; in BODY, POST is a struct of them."
  `(defun ,name (port to content &key type conversation reply-to headers expires patience then
                                   ,@keys)
     ,documentation
     (macrolet ((sending ((convert &rest more) (begin handle post) call)
                  `(operating (port then ,convert :arena arena ,@more) (,begin ,handle)
                     (let ((,post (place-post arena to content type conversation reply-to headers
                                              expires patience)))
                       ,call))))
       ,@body)))

(define-sender send ()
  "Sends CONTENT; ends when every target's mailbox has taken it.

TO is a name, a list of names, (:GROUP NAME), or a message, whose sender is meant. CONTENT is a
string, a vector of bytes, or a value for ENCODE; then TYPE must be the name of its type. HEADERS
are pairs (KEY . VALUE). The message EXPIRES if it is not read in so many seconds; PATIENCE limits
the wait for room, by default to the node's. THEN is called by the port's loop with the result and
the condition, one of them NIL; then this function does not wait, and returns the operation."
  (sending (#'event-done :has-no-result t) (begin handle post) (%send handle post begin)))

(define-sender ask (longest)
  "Sends a request to one agent, waits for the reply, for at most LONGEST seconds, and returns it.
The other arguments are those of SEND."
  (let ((reply (sending (#'event-message) (begin handle post)
                 (%ask handle post (span longest) (nowhere) begin))))
    (if (message-p reply) (detach reply) reply)))

(defstruct (receipt (:constructor make-receipt (handle port)) (:copier nil))
  "Tells the outcome of a message."
  (handle 0 :type handle)
  (image *image*)
  port)

(defun release-receipt (handle image)
  (when (eql image *image*) (uninterrupted (%receipt-free handle))))

(defun event-receipt (event port)
  (let* ((handle (slot-at event event receipt))
         (receipt (make-receipt handle port))
         (image *image*))
    (tg:finalize receipt (lambda () (release-receipt handle image)))
    receipt))

(define-sender track ()
  "Sends like SEND, and returns a receipt for REACHED."
  (sending (#'event-receipt) (begin handle post) (%track handle post (nowhere) begin)))

(defparameter *stages* '(:accepted :stored :delivered :consumed))

(defun reached (receipt stage &key longest then)
  "Waits until a tracked message has reached the STAGE at every target: :ACCEPTED, :STORED,
:DELIVERED or :CONSUMED. Returns NIL if it will not, or after LONGEST seconds."
  (unless (eql (receipt-image receipt) *image*)
    (fail 'bad-handle "The receipt is of an earlier run of this image."))
  (let ((port (receipt-port receipt)))
    (operating (port then #'event-truth) (begin handle)
      (progn handle
             (%receipt-reached (receipt-handle receipt) (number-of stage *stages* "stage")
                               (span longest) (nowhere) begin)))))

;;; --- replying ---

(defun mark-answered (message)
  "Notes that a request has its reply; if the collector would release it, it is released now."
  (setf (message-is-answered message) t)
  (when (and (message-has-finalizer message) (not *handling*)) (detach message))
  t)

(defun reply (request content &key type then)
  "Replies to a request that was received. CONTENT and TYPE are those of SEND."
  (let ((port (message-port request)))
    (let ((result (operating (port then #'event-done :has-no-result t :arena arena) (begin handle)
                    (%reply handle (live-message request) (place-post arena nil content type)
                            begin))))
      (unless then (mark-answered request))
      result)))

(defun refuse (request reason &key then)
  "Refuses a request for a reason, a text, that its sender is told."
  (let ((port (message-port request)))
    (let ((result (operating (port then #'event-done :has-no-result t :arena arena) (begin handle)
                    (%refuse handle (live-message request) (place-name arena reason) begin))))
      (unless then (mark-answered request))
      result)))

(defun refuse-quietly (message reason)
  "Refuses a request of a failed agent; returns true if that is under way. If it fails, the sender
learns that the agent has ended."
  (setf (message-is-answered message) t)
  (ignore-errors
   (with-arena (arena)
     (let* ((port (message-port message)) (place (place-text arena (substitute #\? #\Nul reason)))
            (starter (lambda (begin) (%refuse (live-port port) (live-message message) place begin)))
            (loop (port-loop port)))
       (cond ((and loop (eq *handling* loop))
              (on-begun port)
              (begin-operation loop port #'event-done
                               (lambda (result condition)
                                 (declare (ignore result condition))
                                 (on-ended port nil))
                               starter))
             (t (perform port #'event-done nil starter)
                nil))))))
