;;;; The functions that a loop's own thread shall call soon: those of roles, for which the library
;;;; has asked, and operations that other threads want to begin. Any thread may ring.

(in-package :coracle)

(cffi:defcfun ("eventfd" %eventfd) :int (count :unsigned-int) (flags :int))
(cffi:defcfun ("read" %read) :long (descriptor :int) (place :pointer) (size :size))
(cffi:defcfun ("write" %write) :long (descriptor :int) (place :pointer) (size :size))
(cffi:defcfun ("close" %close) :int (descriptor :int))

(defconstant +closed-when-executed-and-never-waiting+ #o2004000)

(defstruct (bell (:constructor %make-bell (descriptor owner)) (:copier nil))
  "A queue of functions, and a descriptor that is readable while some wait."
  (descriptor 0 :type fixnum :read-only t)
  (owner nil :read-only t) ; the loop's thread
  (lock (bt:make-lock "coracle bell") :read-only t)
  (rung '() :type list)    ; guarded by the lock; the last one first
  (own '() :type list)     ; the same, but rung by the loop's thread, and used by it only
  (waiting '() :type list) ; in their order, used by it only
  (is-closed nil)
  (is-in-place nil)) ; the thread is in a call that does not return before functions have answered

(defun make-bell ()
  (let ((descriptor (%eventfd 0 +closed-when-executed-and-never-waiting+)))
    (when (minusp descriptor)
      (fail 'limit-reached "There is no descriptor left for a loop; close others."))
    (%make-bell descriptor (bt:current-thread))))

(defun make-audible (bell)
  (cffi:with-foreign-object (one :uint64)
    (setf (cffi:mem-ref one :uint64) 1)
    (%write (bell-descriptor bell) one 8)))

(defun ring-from-outside (bell function)
  "Returns false if the bell is closed."
  (bt:with-lock-held ((bell-lock bell))
    (unless (bell-is-closed bell)
      (unless (bell-rung bell) (make-audible bell))
      (push function (bell-rung bell))
      t)))

(defun ring (bell function)
  "Lets the loop's thread call FUNCTION. If the loop is closed before, it is called with T, else
with NIL, and without waiting."
  (cond ((not (eq (bt:current-thread) (bell-owner bell)))
         (unless (ring-from-outside bell function) (funcall (the function function) t)))
        ((bell-is-closed bell) (funcall (the function function) t))
        (t (push function (bell-own bell)))))

(defun bell-is-silent (bell)
  (not (or (bell-waiting bell) (bell-own bell) (bell-rung bell))))

(defun hear (bell)
  "Moves the functions that have come to those that wait."
  (let ((rung (when (bell-rung bell)
                (bt:with-lock-held ((bell-lock bell))
                  (cffi:with-foreign-object (count :uint64)
                    (%read (bell-descriptor bell) count 8))
                  (shiftf (bell-rung bell) '())))))
    (setf (bell-waiting bell) (nconc (bell-waiting bell)
                                     (nreverse (shiftf (bell-own bell) '()))
                                     (nreverse rung)))))

(defun close-bell (bell)
  (bt:with-lock-held ((bell-lock bell)) (setf (bell-is-closed bell) t)) ; nobody rings after this
  (hear bell)
  (%close (bell-descriptor bell))
  (loop while (bell-waiting bell)
        do (funcall (the function (pop (bell-waiting bell))) t)))
