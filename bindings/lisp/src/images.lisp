;;;; The end of Lisp while a node lives, and images that are saved.

(in-package :coracle)

(defun close-all ()
  "Closes all nodes, and waits for the threads of their agents."
  (let ((threads (loop for node in (bt:with-lock-held (*nodes-lock*) (copy-list *nodes*))
                       append (loop for port in (node-ports node)
                                    when (and (typep port 'agent) (agent-thread port))
                                      collect (agent-thread port))
                       do (close-node node))))
    (dolist (thread (remove (bt:current-thread) threads))
      (ignore-errors (bt:join-thread thread))))
  (close-private-loops))

(defun on-start ()
  "Voids the handles of the run in which this image was saved."
  (incf *image*))

#+sbcl (progn (pushnew 'close-all sb-ext:*exit-hooks*)
              (pushnew 'close-all sb-ext:*save-hooks*)
              (pushnew 'on-start sb-ext:*init-hooks*))
#+ecl (pushnew 'close-all si:*exit-hooks*)
