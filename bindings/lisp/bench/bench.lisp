;;;; processes [--size 64] [--seconds 1]: the time of a round trip between two processes, as a line of
;;;; JSON.

(asdf:load-system "coracle")

(defpackage #:coracle-bench (:use #:common-lisp))
(in-package #:coracle-bench)

(defconstant +batch+ 100)

(defun now ()
  (/ (get-internal-real-time) (/ internal-time-units-per-second 1d9)))

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

(defun show (times)
  (let ((count (length times)))
    (flet ((at (share) (nth (min (1- count) (floor (* count share))) times)))
      (format t "{\"system\":\"lisp\",\"scenario\":\"processes\",\"version\":\"~a\",~
                 \"value\":~,1f,\"p50\":~,1f,\"p99\":~,1f,\"n\":~d}~%"
              (coracle:library-version) (/ (reduce #'+ times) count) (at 1/2) (at 99/100)
              (* +batch+ count)))))

(defun play (size seconds)
  (let ((realization (format nil "distributed:society=binding-lisp-~36r" (random (expt 36 9))))
        (content (make-array size :element-type '(unsigned-byte 8) :initial-element 0)))
    (coracle:with-node (node realization)
      (coracle:with-port (me node "ping")
        (let ((other (uiop:launch-program
                      (list (uiop:getenv "BINDING_PROGRAM") "serve" realization))))
          (unwind-protect
               (show (measure (lambda ()
                                (coracle:send me "pong" content)
                                (coracle:with-message (message me) message))
                              seconds))
            (uiop:terminate-process other :urgent t)))))))

(defun option (name otherwise words)
  (let ((found (member name words :test #'string=)))
    (if found (let ((*read-eval* nil)) (read-from-string (second found))) otherwise)))

(let* ((words (rest (member "--" sb-ext:*posix-argv* :test #'string=)))
       (work (first words)))
  (setf *random-state* (make-random-state t))
  (cond ((equal work "serve") (serve (second words)))
        ((equal work "processes")
         (play (option "--size" 64 words) (option "--seconds" 1 words)))
        (t (format *error-output* "binding-lisp: the only scenario is processes~%")
           (uiop:quit 1))))
