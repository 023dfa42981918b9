;;;; Objects after their end, impossible arguments, and images: an error each, and no crash.

(in-package :coracle-tests)
(def-suite* misuse :in coracle-tests)

(test ports-and-nodes-after-their-end
  (let* ((node (c:open-node "local:")) (ann (c:open-port node "ann")))
    (fails c:name-taken (c:open-port node "ann"))
    (c:close-port ann)
    (c:close-port ann)
    (fails c:bad-handle (c:send ann "ann" "x"))
    (fails c:bad-handle (c:receive ann))
    (let ((bob (c:open-port node "bob")))
      (c:close-node node)
      (fails c:bad-handle (c:send bob "bob" "x"))
      (c:close-port bob))
    (fails c:bad-handle (c:open-port node "cid"))
    (fails c:bad-handle (c:stop node))
    (is (search "closed" (princ-to-string node)))
    (is (search "closed" (princ-to-string ann)))))

(test messages-after-their-end
  (with-ports (ann bob) ()
    (c:send ann "bob" "x")
    (let ((kept nil))
      (c:with-message (message bob) (setf kept message))
      (fails c:bad-handle (c:text kept))
      (fails c:bad-handle (c:source kept))
      (fails c:bad-handle (c:acknowledge kept))
      (fails c:bad-handle (c:give-back kept))
      (fails c:bad-handle (c:reply kept "x"))
      (is (search "released" (princ-to-string kept))))
    (c:send ann "bob" "y")
    (let ((read (c:receive bob)))
      (is (string= "y" (c:text read)))
      (fails c:bad-handle (c:give-back read)))))

(test impossible-arguments
  (fails c:bad-realization (c:open-node "nowhere:"))
  (with-ports (ann) ()
    (fails c:bad-name (c:send ann "a//b" "x"))
    (fails c:bad-argument (c:send ann (format nil "a~cb" (code-char 0)) "x"))
    (fails c:bad-argument (c:send ann 42 "x"))
    (fails c:bad-argument (c:send ann nil "x"))
    (fails c:bad-argument (c:send ann "ann" "x" :expires -1))
    (fails c:bad-argument (c:receive ann :longest -1))
    (fails c:bad-argument (c:receive ann :longest "soon"))
    (fails c:bad-argument (c:receive-many ann 0))
    (fails c:bad-argument (c:open-port (coracle::port-node ann) "bob" :overflow :explode))))

(test a-lost-request-is-released-by-the-collector
  (with-ports (ann bob) ()
    (let ((asker (bt:make-thread (lambda ()
                                   (handler-case (c:ask ann "bob" "?" :longest 60)
                                     (c:unanswered () :unanswered))))))
      (bt:join-thread (bt:make-thread (lambda () (c:receive bob) nil)))
      (loop repeat 1000 while (bt:thread-alive-p asker)
            do (tg:gc :full t)
               (bt:thread-yield))
      (is (eq :unanswered (bt:join-thread asker))))))

(test conditions-are-one-hierarchy
  (dolist (name '(c:bad-name c:refused c:stopped c:unreachable))
    (is (subtypep name 'c:coracle-error))
    (is (documentation name 'type)))
  (is (subtypep 'c:refused 'c:delivery-error))
  (is (= 18 (c:code (make-condition 'c:refused :sentence "")))))

(test every-name-has-a-documentation
  (dolist (package '(:coracle :coracle/dispel :coracle/caf))
    (do-external-symbols (symbol package)
      (is (or (documentation symbol 'function) (documentation symbol 'type)
              (documentation symbol 'variable)
              (member symbol '(c:retry c:skip c:run-until f:make-worth))
              #+ecl (eq package :coracle/caf)) ; ECL keeps none of the readers of a struct
          "~s has no documentation" symbol))))
