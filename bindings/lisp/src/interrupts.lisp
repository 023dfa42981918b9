;;;; A thread can be interrupted, by Ctrl-C for example, and then leave what it is doing. It must not
;;;; leave a function of the library in the middle, which would keep its locks. So all calls run
;;;; uninterrupted, and only the wait for a descriptor is interruptible.

(in-package :coracle)

(defmacro uninterrupted (&body body)
  "Evaluates BODY; interrupts wait until its end, or until an INTERRUPTIBLE part of it."
  #+sbcl `(sb-sys:without-interrupts (sb-sys:allow-with-interrupts ,@body))
  #+ecl `(mp:without-interrupts (mp:allow-with-interrupts ,@body))
  #-(or sbcl ecl) `(progn ,@body))

(defmacro interruptible (&body body)
  "Evaluates BODY with interrupts, if they were allowed where UNINTERRUPTED began."
  #+sbcl `(sb-sys:with-interrupts ,@body)
  #+ecl `(mp:with-interrupts ,@body)
  #-(or sbcl ecl) `(progn ,@body))
