;;;; A million messages, and the program does not grow.

(in-package :coracle-tests)

(defclass passer (c:agent) ((left :initarg :left :accessor left)))

(defmethod c:begin ((passer passer))
  (when (string= (c:name passer) "pong") (c:send passer "ping" "the ball")))

(defmethod c:handle ((passer passer) message)
  (c:send passer message (c:text message))
  (when (zerop (decf (left passer))) (c:finish passer)))

(defun resident-bytes ()
  (with-open-file (in "/proc/self/statm")
    (read in)
    (* 4096 (read in))))

(defun lisp-bytes ()
  (tg:gc :full t)
  #+sbcl (sb-kernel:dynamic-usage)
  #-sbcl 0)

(defun exchange (count)
  "Lets two agents of a loop exchange so many messages, and two threads a hundredth of them."
  (with-loop-node (loop node t)
    (let ((agents (loop for name in '("ping" "pong")
                        collect (c:start (make-instance 'passer :name name :left (floor count 2))
                                         node))))
      (c:run-until loop (notany #'c:alive-p agents))))
  (with-ports (ann bob) ()
    (let ((server (bt:make-thread (lambda ()
                                    (dotimes (n (floor count 100))
                                      (c:reply (c:receive bob) "!"))))))
      (dotimes (n (floor count 100)) (c:ask ann "bob" "?"))
      (bt:join-thread server))))

(defun run-memory ()
  "Ends Lisp with 1 if the program grows."
  (exchange 200000)
  (let ((lisp (lisp-bytes)) (resident (resident-bytes)))
    (exchange 1000000)
    (let ((more-lisp (- (lisp-bytes) lisp)) (more-resident (- (resident-bytes) resident)))
      (format t "~d bytes more in Lisp, ~d resident~%" more-lisp more-resident)
      (uiop:quit (if (and (< more-lisp 2000000) (< more-resident 40000000)) 0 1)))))
