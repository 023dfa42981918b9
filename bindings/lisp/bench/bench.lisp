;;;; processes|agents|mailboxes [--size 64] [--seconds 1]: the time of a round trip, as a line of JSON:
;;;; between two processes, between two agents of one thread, or between two threads by the mailboxes
;;;; of SBCL.

(asdf:load-system "coracle")
(require :sb-concurrency)

(defpackage #:coracle-bench (:use #:common-lisp))
(in-package #:coracle-bench)

(defconstant +batch+ 100)

(defconstant +clock-monotonic+ 1 "The clock of <time.h>; the internal real time has steps of 4 ms.")

(defun now ()
  "Nanoseconds of that clock."
  (cffi:with-foreign-object (time :long 2) ; a struct timespec
    (cffi:foreign-funcall "clock_gettime" :int +clock-monotonic+ :pointer time :int)
    (+ (* (cffi:mem-aref time :long 0) 1d9) (cffi:mem-aref time :long 1))))

(defun serve (realization)
  (coracle:with-node (node realization)
    (coracle:with-port (me node "pong")
      (loop (coracle:with-message (message me)
              (coracle:send me message (coracle:octets message)))))))

(defun measure (play seconds)
  "Calls PLAY until the time is over, and returns the times of the batches, the shortest first."
  (funcall play)
  (let* ((begin (+ (now) (* seconds 0.2d9)))
         (end (+ begin (* seconds 1d9)))
         (times '()))
    (loop for before = (now)
          do (loop repeat +batch+ do (funcall play))
             (when (>= before begin) (push (/ (- (now) before) +batch+) times))
          until (and times (>= (now) end)))
    (sort times #'<)))

(defun show (scenario times)
  (let ((count (length times)))
    (flet ((at (share) (nth (min (1- count) (floor (* count share))) times)))
      (format t "{\"system\":\"lisp\",\"scenario\":\"~a\",\"version\":\"~a\",~
                 \"value\":~,1f,\"p50\":~,1f,\"p99\":~,1f,\"n\":~d}~%"
              scenario (coracle:library-version) (/ (reduce #'+ times) count) (at 1/2) (at 99/100)
              (* +batch+ count)))))

(defun content (size)
  (make-array size :element-type '(unsigned-byte 8) :initial-element 0))

(defun play-processes (size seconds)
  (let ((realization (format nil "distributed:society=binding-lisp-~36r" (random (expt 36 9))))
        (content (content size)))
    (coracle:with-node (node realization)
      (coracle:with-port (me node "ping")
        (let ((other (uiop:launch-program
                      (list (uiop:getenv "BINDING_PROGRAM") "serve" realization))))
          (unwind-protect
               (show "processes" (measure (lambda ()
                                            (coracle:send me "pong" content)
                                            (coracle:with-message (message me) message))
                                          seconds))
            (uiop:terminate-process other :urgent t)))))))

(defun play-agents (size seconds)
  (let ((content (content size)))
    (coracle:with-event-loop (loop)
      (coracle:with-node (node "local:" :loop loop)
        (coracle:with-port (ping node "ping")
          (coracle:with-port (pong node "pong")
            (show "agents" (measure (lambda ()
                                      (coracle:send ping "pong" content)
                                      (coracle:with-message (message pong)
                                        (coracle:send pong message (coracle:octets message)))
                                      (coracle:with-message (message ping) message))
                                    seconds))))))))

(defun play-mailboxes (size seconds)
  (let ((there (sb-concurrency:make-mailbox))
        (back (sb-concurrency:make-mailbox))
        (content (content size)))
    (sb-thread:make-thread
     (lambda ()
       (loop (sb-concurrency:send-message back (sb-concurrency:receive-message there)))))
    (show "mailboxes" (measure (lambda ()
                                 (sb-concurrency:send-message there content)
                                 (sb-concurrency:receive-message back))
                               seconds))
    (finish-output)
    (uiop:quit 0 nil)))

(defun option (name otherwise words)
  (let ((found (member name words :test #'string=)))
    (if found (let ((*read-eval* nil)) (read-from-string (second found))) otherwise)))

(let* ((words (rest (member "--" sb-ext:*posix-argv* :test #'string=)))
       (work (first words)))
  (setf *random-state* (make-random-state t))
  (if (equal work "serve")
      (serve (second words))
      (let ((play (cdr (assoc work '(("processes" . play-processes)
                                     ("agents" . play-agents)
                                     ("mailboxes" . play-mailboxes))
                              :test #'equal))))
        (unless play
          (format *error-output* "binding-lisp: there is no scenario ~a~%" work)
          (uiop:quit 1))
        (funcall play (option "--size" 64 words) (option "--seconds" 1 words)))))
