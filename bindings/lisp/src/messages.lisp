;;;; Messages. One that is in hand has a handle; releasing it acknowledges it. What a program asks of
;;;; a message is read once, and can be asked again after that.

(in-package :coracle)

(defvar *image* 0 "Counts how often this image was started; handles of an earlier start are void.")

(defstruct (message (:constructor make-message (handle port &optional request-p)) (:copier nil))
  "A message that an agent has received."
  (handle 0 :type handle)
  (port nil :read-only t)
  (image *image* :read-only t)
  (has-finalizer nil)
  (is-answered nil)
  (is-known nil)
  %source %target %content-type %reply-to %conversation %sequence-number %tap %gap
  %gap-reason %notice (%copied-kind :plain)
  (request-p nil) (redelivered-p nil) (earlier-p nil)
  (octets nil) (headers :unknown))

(defmethod print-object ((message message) stream)
  (print-unreadable-object (message stream :type t :identity t)
    (if (message-is-known message)
        (format stream "~s from ~a" (message-%content-type message) (message-%source message))
        (format stream "~:[in hand~;released~]" (zerop (message-handle message))))))

(defun live-message (message)
  (let ((handle (message-handle message)))
    (when (or (zerop handle) (not (eql (message-image message) *image*)))
      (fail 'bad-handle "The message was released; read what you need of it before, or DETACH it."))
    handle))

(defstruct (notice (:copier nil) (:predicate nil) (:conc-name %notice-))
  "A report on a message that was overheard."
  (stage nil :read-only t) (outcome nil :read-only t) (drop-reason nil :read-only t)
  (receiver nil :read-only t))

(defun notice-stage (notice)
  "How far the message has come: :KEPT, :HANDED-OUT or :ENDED."
  (%notice-stage notice))

(defun notice-outcome (notice)
  "Of an ended message: :CONSUMED, :EXPIRED, :REFUSED, :UNDELIVERABLE, :DROPPED or :STORE-LOST."
  (%notice-outcome notice))

(defun notice-drop-reason (notice)
  "Of a dropped message: :OLDEST, :NEWEST, :REPLACED, :LATE-REPLY or :RECEIVER-GONE."
  (%notice-drop-reason notice))

(defun notice-receiver (notice)
  "The agent to which the message was sent; for one to a group, a member of the group."
  (%notice-receiver notice))

(defparameter *notice-stages* '(nil :kept :handed-out :ended))
(defparameter *outcomes*
  '(nil :consumed :expired :refused :undeliverable :dropped :store-lost))
(defparameter *drop-reasons* '(nil :oldest :newest :replaced :late-reply :receiver-gone))
(defparameter *gap-reasons* '(nil :mailbox :rate :notices :unknown))
(defparameter *copied-kinds* '(:plain :request :reply :failure))

(defun know-overheard (message info)
  "Reads what only a message has that was overheard."
  (macrolet ((one-of (slot names) `(nth (slot-at info message_info ,slot) ,names)))
    (setf (message-%gap-reason message) (one-of gap_reason *gap-reasons*)
          (message-%copied-kind message) (one-of copied_kind *copied-kinds*))
    (let ((stage (one-of notice *notice-stages*)))
      (when stage
        (setf (message-%notice message)
              (make-notice :stage stage
                           :outcome (one-of outcome *outcomes*)
                           :drop-reason (one-of drop_reason *drop-reasons*)
                           :receiver (name-at (slot-at info message_info receiver))))))))

(defun know (message)
  "Reads everything about the message but its content and headers."
  (unless (message-is-known message)
    (let ((port (message-port message)))
      (with-arena (arena)
        (let ((info (place-struct arena message_info)))
          (check (%message-read (live-message message) info))
          (macrolet ((info (slot) `(slot-at info message_info ,slot)))
            (setf (message-%source message)
                  (setf (port-last-source port)
                        (name-at (info source) (port-last-source port)))
                  (message-%target message) (name-at (info target) (name port))
                  (message-%content-type message) (name-at (info type) "text/plain")
                  (message-%reply-to message) (name-at (info reply_to))
                  (message-%conversation message) (info conversation)
                  (message-%sequence-number message) (info sequence)
                  (message-%tap message) (info tap)
                  (message-%gap message) (info gap)
                  (message-request-p message) (/= 0 (info is_request))
                  (message-redelivered-p message) (/= 0 (info redelivered))
                  (message-earlier-p message) (/= 0 (info earlier))
                  (message-is-known message) t)
            (unless (zerop (info tap)) (know-overheard message info)))))))
  message)

(defmacro define-questions (&rest questions)
  `(progn ,@(loop for (name accessor documentation) in questions
                  collect `(defun ,name (message)
                             ,documentation
                             (,accessor (know message))))))

(define-questions
  (source message-%source "The name of the agent that sent the message.")
  (target message-%target "The agent or the group to which the message was sent.")
  (content-type message-%content-type "The type of the content, for example \"text/plain\".")
  (reply-to message-%reply-to "The name to which replies shall go, or \"\".")
  (conversation message-%conversation "The number of the conversation, or 0.")
  (sequence-number message-%sequence-number "Counts the messages of one source.")
  (tap message-%tap "The tap that overheard the message; 0: it was sent to this agent.")
  (gap message-%gap "Of a gap marker: how many copies are missing; 2^64-1: unknown. Else 0.")
  (gap-reason message-%gap-reason
              "Of a gap marker: :MAILBOX, :RATE, :NOTICES, or :UNKNOWN. Else NIL.")
  (notice message-%notice "A NOTICE of what has become of a message that was overheard, or NIL.")
  (copied-kind message-%copied-kind
               "Of a copy: what was overheard, :PLAIN, :REQUEST, :REPLY or :FAILURE. Else :PLAIN.")
  (request-p message-request-p "True if the sender waits for a reply.")
  (redelivered-p message-redelivered-p "True if the message may have been read before.")
  (earlier-p message-earlier-p "True if it was sent to a group before this agent joined."))

(defmacro with-content ((place size message) &body body)
  "Evaluates BODY with the address and the size of a content that is in hand."
  `(cffi:with-foreign-objects ((,place :pointer) (,size :size))
     (check (%message-content (live-message ,message) ,place ,size))
     (let ((,place (cffi:mem-ref ,place :pointer)) (,size (cffi:mem-ref ,size :size)))
       ,@body)))

(defun text (message)
  "The content as a string."
  (let ((octets (message-octets message)))
    (if octets
        (text-of-octets octets (length octets))
        (with-content (place size message) (text-at place size)))))

(defun octets (message)
  "The content as a vector of bytes."
  (or (message-octets message)
      (setf (message-octets message)
            (with-content (place size message) (octets-at place size)))))

(defun value (message)
  "The typed content as a value; see DECODE. Fails with BAD-ENCODING."
  (decode (octets message)))

(defun read-headers (message)
  (cffi:with-foreign-objects ((key :pointer) (value :pointer))
    (loop for number from 0
          do (check (%message-header-at (live-message message) number key value))
          until (cffi:null-pointer-p (cffi:mem-ref key :pointer))
          collect (cons (name-at (cffi:mem-ref key :pointer))
                        (name-at (cffi:mem-ref value :pointer))))))

(defun headers (message)
  "The headers as pairs (KEY . VALUE)."
  (let ((known (message-headers message)))
    (if (eq known :unknown)
        (setf (message-headers message) (read-headers message))
        known)))

(defun header (message key)
  "The value of a header, or NIL."
  (cdr (assoc key (headers message) :test #'string=)))

;;; --- the end of a message ---

(defun disown (message)
  "Takes the handle from a message, which has none then."
  (when (message-has-finalizer message)
    (setf (message-has-finalizer message) nil)
    (tg:cancel-finalization message))
  (if (eql (message-image message) *image*)
      (shiftf (message-handle message) 0)
      (setf (message-handle message) 0)))

(defun release (message)
  "Acknowledges the message; a request without a reply ends for its sender. Once is enough."
  (unless (zerop (message-handle message))
    (uninterrupted (%message-free (disown message))))
  nil)

(defun detach (message)
  "Reads all of the message, releases it, and returns it."
  (unless (zerop (message-handle message))
    (know message)
    (headers message)
    (octets message)
    (release message))
  message)

(defun entrust (message)
  "Leaves the message to the program; if the program loses it, the collector releases it."
  (let ((handle (message-handle message)) (image (message-image message)))
    (setf (message-has-finalizer message) t)
    (tg:finalize message
                 (lambda () (when (eql image *image*) (uninterrupted (%message-free handle)))))
    message))

(defun acknowledge (message)
  "Consumes the message now, so that it is not given again; it stays readable."
  (check (%message-acknowledge (live-message message)))
  nil)

(defun give-back (message)
  "Puts the message back into its mailbox, where it has its old place."
  (live-message message)
  (check (%message-give-back (disown message)))
  nil)

(defun keep-open (message)
  "Keeps a request open: its sender goes on waiting when the message is released without a reply."
  (check (%message-keep (live-message message)))
  (setf (message-is-answered message) t)
  nil)

(defun event-message (event port)
  (let ((handle (slot-at event event message)))
    (unless (zerop handle) (make-message handle port))))

(defun event-messages (event port)
  "A list of all messages of a list, in its order."
  (let ((list (slot-at event event messages)))
    (unless (zerop list)
      (cffi:with-foreign-object (out :uint64)
        (prog1 (loop do (check (%messages-next list out))
                     until (zerop (cffi:mem-ref out :uint64))
                     collect (make-message (cffi:mem-ref out :uint64) port))
          (%messages-free list))))))

(defun end-message (message)
  "Releases a message at the end of its handling, unless a refusal is under way: if its agent has
failed, the sender of a request learns why."
  (let ((port (message-port message)))
    (unless (and (port-failure port)
                 (not (zerop (message-handle message)))
                 (not (message-is-answered message))
                 (request-p message)
                 (refuse-quietly message (port-failure port)))
      (release message))))
