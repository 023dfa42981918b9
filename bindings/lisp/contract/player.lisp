;;;; The player of the contract in Common Lisp: reads commands, acts as agents, and prints what
;;;; happened. bindings/contract/players.py describes the commands.

(defpackage :coracle-player
  (:use :cl)
  (:export #:main))
(in-package :coracle-player)

(defvar *loop*)
(defvar *node*)
(defvar *ports* (make-hash-table :test 'equal) "From the name to the port.")
(defvar *kept* (make-hash-table) "From the number of a command to its message or receipt.")
(defvar *begun* (make-hash-table) "From the number of a command to its operation.")

;;; --- lines ---

(defun words (line)
  (loop for begin = 0 then (1+ end)
        for end = (position #\Space line :start begin)
        for word = (subseq line begin end)
        unless (string= word "") collect word
        while end))

(defun unquote (text)
  "The text in which %XX stands for a byte."
  (let ((octets (make-array (length text) :element-type '(unsigned-byte 8) :fill-pointer 0)))
    (loop with at = 0
          while (< at (length text))
          do (cond ((char= (char text at) #\%)
                    (vector-push (parse-integer text :start (1+ at) :end (+ at 3) :radix 16) octets)
                    (incf at 3))
                   (t (vector-push (char-code (char text at)) octets)
                      (incf at))))
    (babel:octets-to-string (coerce octets '(simple-array (unsigned-byte 8) (*)))
                            :encoding :utf-8)))

(defun quoted (text)
  (with-output-to-string (out)
    (loop for byte across (babel:string-to-octets text :encoding :utf-8)
          do (if (and (< 32 byte 127) (/= byte 37))
                 (write-char (code-char byte) out)
                 (format out "%~2,'0x" byte)))))

(defun answer (number &rest fields)
  "Prints that the command has succeeded, with the fields KEY VALUE..."
  (format t "~d ok~{ ~a=~a~}~%" number
          (loop for (key value) on fields by #'cddr
                collect key
                collect (quoted (princ-to-string value)))))

(defun answer-error (number condition)
  (format t "~d error code=~d text=~a~%" number
          (if (typep condition 'coracle:coracle-error) (coracle:code condition) 1004)
          (quoted (princ-to-string condition))))

(defun bit-of (truth) (if truth 1 0))

(defun word (name)
  (substitute #\_ #\- (string-downcase name)))

(defun overheard-fields-of (message)
  "The fields that only a message has that was overheard."
  (let ((notice (coracle:notice message)))
    (append
     (when (coracle:gap-reason message) (list "gap_reason" (word (coracle:gap-reason message))))
     (when notice
       (loop for (key value) in `(("notice" ,(coracle:notice-stage notice))
                                  ("outcome" ,(coracle:notice-outcome notice))
                                  ("drop_reason" ,(coracle:notice-drop-reason notice)))
             when value collect key and collect (word value)))
     (when notice (list "receiver" (coracle:notice-receiver notice))))))

(defun fields-of (message)
  (list* "source" (coracle:source message)
         "target" (coracle:target message)
         "type" (coracle:content-type message)
         "reply_to" (coracle:reply-to message)
         "text" (coracle:text message)
         "conversation" (coracle:conversation message)
         "tap" (coracle:tap message)
         "gap" (coracle:gap message)
         "request" (bit-of (coracle:request-p message))
         "redelivered" (bit-of (coracle:redelivered-p message))
         "earlier" (bit-of (coracle:earlier-p message))
         "kind" (word (coracle:copied-kind message))
         (append (overheard-fields-of message)
                 (loop for (key . value) in (coracle:headers message)
                       collect (format nil "header.~a" key)
                       collect value))))

;;; --- commands ---

(defstruct command number verb fields)

(defun field (command key)
  (cdr (assoc key (command-fields command) :test #'string=)))

(defun number-field (command key)
  (let ((text (field command key)))
    (and text (parse-integer text))))

(defun seconds (command key)
  "A field of nanoseconds; zero, or no field, is no limit."
  (let ((nanoseconds (number-field command key)))
    (and nanoseconds (/= 0 nanoseconds) (/ nanoseconds 1000000000))))

(defun fields-with (command prefix)
  "The fields whose keys begin with PREFIX, as pairs without it."
  (loop for (key . value) in (command-fields command)
        when (and (> (length key) (length prefix)) (string= prefix key :end2 (length prefix)))
          collect (cons (subseq key (length prefix)) value)))

(defun read-command (line)
  (destructuring-bind (number verb . fields) (words line)
    (make-command :number (parse-integer number)
                  :verb (intern (string-upcase (substitute #\- #\_ verb)) :keyword)
                  :fields (loop for field in fields
                                for equal = (position #\= field)
                                collect (cons (subseq field 0 equal)
                                              (unquote (subseq field (1+ equal))))))))

(defun target-of (command)
  (cond ((field command "many") (words (field command "many")))
        ((field command "group") (list :group (field command "group")))
        (t (field command "to"))))

(defun post-of (command)
  "The arguments of SEND, but the port."
  (list (target-of command) (or (field command "text") "")
        :type (field command "type")
        :conversation (number-field command "conversation")
        :reply-to (field command "reply_to")
        :headers (fields-with command "header.")
        :expires (seconds command "expires")
        :patience (seconds command "patience")))

(defun match-of (command)
  "The conditions of RECEIVE."
  (list :from (field command "from")
        :conversation (number-field command "conversation")
        :type (field command "type")
        :tap (number-field command "tap")
        :addressed (field command "addressed")))

(defun properties-of (command)
  (append (fields-with command "string.")
          (loop for (key . value) in (fields-with command "integer.")
                collect (cons key (parse-integer value)))))

(defun open-agent (command then)
  (let ((name (field command "agent")))
    (coracle:open-port
     *node* name
     :loop *loop*
     :messages (number-field command "messages")
     :bytes (number-field command "bytes")
     :overflow (nth (or (number-field command "overflow") 0)
                    '(:wait :fail :drop-oldest :drop-newest :keep-latest :redirect))
     :redirect (field command "redirect")
     :take-over (field command "take_over")
     :properties (properties-of command)
     :then (lambda (port condition)
             (when port (setf (gethash name *ports*) port))
             (funcall then nil condition)))))

(defun begin (command port then)
  "Begins an operation and returns it; NIL if there is no such operation."
  (flet ((field (key) (field command key))
         (number-field (key) (number-field command key))
         (kept (key) (gethash (number-field command key) *kept*)))
    (macrolet ((call (function &rest arguments)
                 `(,function port ,@arguments :then then))
               (spread (function list &rest more)
                 `(apply #',function port (append ,list (list ,@more :then then)))))
      (ecase (command-verb command)
        (:open (open-agent command then))
        (:send (spread coracle:send (post-of command)))
        (:track (spread coracle:track (post-of command)))
        (:ask (spread coracle:ask (post-of command) :longest (seconds command "longest")))
        (:reached (coracle:reached (kept "receipt")
                                   (nth (number-field "stage")
                                        '(:accepted :stored :delivered :consumed))
                                   :longest (seconds command "longest") :then then))
        (:reply (coracle:reply (kept "message") (or (field "text") "") :type (field "type")
                                                                       :then then))
        (:refuse (coracle:refuse (kept "message") (field "text") :then then))
        (:receive (spread coracle:receive (match-of command)
                          :hold (field "keep") :longest (seconds command "longest")))
        (:receive-many (apply #'coracle:receive-many port (number-field "most")
                              :then then (match-of command)))
        (:conversation (call coracle:new-conversation))
        (:join (call coracle:join (field "group") :last (or (number-field "last") 0)))
        (:leave (call coracle:leave (field "group")))
        (:members (call coracle:members (field "group")))
        (:overhear (call coracle:overhear
                         :source (field "source") :target (field "target") :text (field "text")
                         :headers (fields-with command "component.")
                         :limit (number-field "limit")
                         :rate (number-field "rate") :outcomes (field "outcomes")))
        (:stop-overhearing (call coracle:stop-overhearing (number-field "tap")))
        (:describe (call coracle:describe-agent (properties-of command)))
        (:search (call coracle:find-agents
                       :prefix (field "prefix")
                       :where (loop for (key . value) in (properties-of command)
                                    collect (list key := value))))
        (:watch (call coracle:watch (field "name")))))))

(defun number-of (result)
  "The number by which the C interface gives a result."
  (typecase result
    (integer result)
    (keyword (position result '(:stopped :crashed :unreachable :expired :fenced)))
    ((eql t) 1)
    (t 0)))

(defun finish (command result condition)
  "Answers a command whose operation has ended."
  (let ((number (command-number command)))
    (remhash number *begun*)
    (cond (condition (answer-error number condition))
          ((typep result 'coracle:message)
           (when (field command "keep") (setf (gethash number *kept*) result))
           (apply #'answer number (fields-of result)))
          (t (case (command-verb command)
               (:receive-many (answer number "texts" (format nil "~{~a~^ ~}"
                                                             (mapcar #'coracle:text result))))
               (:members (answer number "names" (format nil "~{~a~^ ~}" result)))
               (:search (answer number "names" (format nil "~{~a~^ ~}" (mapcar #'first result))))
               (:track (setf (gethash number *kept*) result)
                (answer number))
               (t (answer number "number" (number-of result))))))))

(defun perform-now (command port)
  "Does what needs no wait; returns NIL if the command is an operation."
  (let ((number (command-number command)))
    (flet ((message (&optional forget)
             (let ((key (number-field command "message")))
               (prog1 (gethash key *kept*)
                 (when forget (remhash key *kept*))))))
      (case (command-verb command)
        (:stop (let ((report (coracle:stop *node* :longest (or (seconds command "longest") 0))))
                 (answer number "clean" (bit-of (coracle:report-clean-p report))
                                "alive" (coracle:report-still-alive report)
                                "undelivered" (coracle:report-undelivered report)
                                "kept" (coracle:report-kept report))
                 (return-from perform-now t)))
        (:try-receive (let ((message (apply #'coracle:try-receive port (match-of command))))
                        (apply #'answer number (if message (fields-of message) '("number" 0))))
         (return-from perform-now t))
        (:close (coracle:close-port port))
        (:acknowledge (coracle:acknowledge (message)))
        (:keep-open (coracle:keep-open (message)))
        (:free (coracle:release (message t)))
        (:give-back (coracle:give-back (message t)))
        (:cancel (let ((operation (gethash (number-field command "what") *begun*)))
                   (when operation (coracle:cancel operation))))
        (t (return-from perform-now nil)))
      (answer number)
      t)))

(defun begin-society (command way)
  (setf *node* (coracle:open-node (field command "realization")
                                  :loop (and (string= way "by_loop") *loop*)))
  (answer (command-number command)))

(defun end-society (command)
  (coracle:close-node *node*)
  (mapc #'clrhash (list *ports* *kept* *begun*))
  (answer (command-number command)))

(defun obey (line way)
  (let* ((command (read-command line))
         (port (gethash (field command "agent") *ports*)))
    (case (command-verb command)
      (:begin (return-from obey (begin-society command way)))
      (:end (return-from obey (end-society command))))
    (handler-case
        (unless (perform-now command port)
          (let ((operation (begin command port (lambda (result condition)
                                                 (finish command result condition)))))
            (setf (gethash (command-number command) *begun*) operation)))
      (coracle:coracle-error (condition) (answer-error (command-number command) condition)))))

(defun play (way)
  "Obeys the lines of the standard input."
  (coracle:with-event-loop (*loop*)
    (loop
      (finish-output)
      (when (coracle:turn *loop* :longest nil :also '(0))
        (loop (let ((line (read-line *standard-input* nil)))
                (unless line (return-from play))
                (obey line way))
              (unless (listen *standard-input*) (return)))))))

(defun main (arguments)
  (unless (= (length arguments) 1)
    (format *error-output* "usage: player by_loop|by_threads~%")
    (uiop:quit 2))
  (handler-case (apply #'play arguments)
    (error (condition)
      (format *error-output* "player: ~a~%" condition)
      (uiop:quit 1)))
  (uiop:quit 0))
