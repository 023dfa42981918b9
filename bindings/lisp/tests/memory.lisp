;;;; A million messages, and a hundred thousand questions, and the program does not grow.

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

(defun ask-a-role (count)
  "Lets a service answer so many questions."
  (with-calculator (ann loop)
    (let ((left count))
      (labels ((again (result condition)
                 (when condition (error condition))
                 (assert (eql result 3))
                 (unless (zerop (decf left)) (ask)))
               (ask () (c:call ann "calc" 'add '(1 2) :then #'again)))
        (ask)
        (c:run-until loop (zerop left)))
      (dotimes (n (floor count 1000)) (c:call ann "calc" 'add-aside '(1 2))))))

(defun growth-of (function small large)
  "The bytes by which Lisp, and the process, have grown between a small run and a large one."
  (funcall function small)
  (let ((lisp (lisp-bytes)) (resident (resident-bytes)))
    (funcall function large)
    (list (- (lisp-bytes) lisp) (- (resident-bytes) resident))))

(defun run-memory ()
  "Ends Lisp with 1 if the program grows."
  (uiop:quit (if (loop for (function small large) in '((exchange 200000 1000000)
                                                       (ask-a-role 20000 100000))
                       for (lisp resident) = (growth-of function small large)
                       do (format t "~(~a~): ~d bytes more in Lisp, ~d resident~%" function lisp
                                  resident)
                       always (and (< lisp 2000000) (< resident 40000000)))
                 0 1)))
