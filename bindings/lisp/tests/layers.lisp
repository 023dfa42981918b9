;;;; Layers of behaviours: a lower one, and a higher one that suppresses it.

(in-package :coracle-tests)
(def-suite* layers :in coracle-tests)

(defclass wander (d:layer) ()
  (:default-initargs :name "wander" :layer 0 :outputs '(("wish" integer))))
(defmethod d:react ((layer wander))
  (d:output layer "wish" 1)
  (d:alarm layer 1/1000))

(defclass explore (d:layer) ((explored :initform 0 :accessor explored))
  (:default-initargs :name "explore" :layer 1 :outputs '(("wish" integer))))
(defmethod d:react ((layer explore))
  (cond ((not (d:alarm-rang-p layer)) (d:alarm layer 1/50))
        (t (incf (explored layer))
           (c:in-thread (d:output layer "wish" 2))
           (c:finish layer))))

(defclass body (d:layer) ((driven :initform '() :accessor driven) (was-fresh :initform t))
  (:default-initargs :name "body" :layer 0 :inputs '(("wish" integer))))
(defmethod d:react ((layer body))
  (multiple-value-bind (wish is-fresh) (d:input layer "wish")
    (when wish
      (assert is-fresh)
      (push wish (driven layer)))))

(defparameter *wires* '(("wander.wish" "body.wish")
                        ("explore.wish" "body.wish" :suppresses 1000)))

(test a-higher-layer-suppresses-a-lower-one
  (let ((wander (make-instance 'wander)) (explore (make-instance 'explore))
        (body (make-instance 'body)))
    (with-loop-node (loop node t)
      (d:start-subsumption node "robot" (list wander explore body) *wires*)
      (c:run-until loop (eql 2 (first (driven body))))
      (is (eql 1 (second (driven body))))
      (is (= 1 (explored explore)))
      (is (= 1 (count 2 (driven body)))))
    (is (notany #'c:alive-p (list wander explore body)))))

(test impossible-networks
  (with-loop-node (loop node t)
    (flet ((begin (wires &rest layers) (d:start-subsumption node "robot" layers wires)))
      (fails c:bad-options (begin '(("wander.wish" "body.nothing"))
                                  (make-instance 'wander) (make-instance 'body)))
      (fails c:bad-argument (begin '(("wander.wish" "body.wish" :shouts))
                                   (make-instance 'wander) (make-instance 'body)))
      (fails c:bad-argument (begin '() (make-instance 'wander :outputs '(("wish" symbol)))))
      (fails c:wrong-thread (d:input (make-instance 'body) "wish"))
      (is (zerop (hash-table-count coracle::*roles*))))))

(defclass clumsy (d:layer) () (:default-initargs :name "clumsy" :outputs '(("wish" integer))))
(defmethod d:react ((layer clumsy)) (d:output layer "nothing" 1))

(test a-behaviour-that-fails-ends
  (with-loop-node (loop node t)
    (let* ((said nil) (c:*on-failure* (lambda (layer why) (declare (ignore layer)) (setf said why)))
           (clumsy (make-instance 'clumsy)))
      (d:start-subsumption node "robot" (list clumsy) '())
      (fails c:agent-failed (c:await clumsy :longest 20))
      (is (typep said 'c:bad-argument)))))
