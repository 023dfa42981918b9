;;;; A council: three friends decide where they eat.

(require :asdf)
(asdf:load-system "coracle/caf")

(defclass friend (caf:peer) ((likes :initarg :likes :reader likes)))

(defmethod caf:propose ((friend friend) call) (list (first (likes friend))))

(defmethod caf:vote ((friend friend) agenda)
  (flet ((offered-p (dish) (find dish (caf:agenda-alternatives agenda) :test #'string=)))
    (caf:rank (remove-if-not #'offered-p (likes friend)))))

(coracle:with-event-loop (loop)
  (coracle:with-node (node "local:" :loop loop)
    (loop for (name . likes) in '(("ann" "noodles" "soup" "pizza") ("bob" "pizza" "soup" "noodles")
                                  ("cy" "soup" "pizza" "noodles"))
          do (coracle:start (make-instance 'friend :name name :likes likes) node))
    (coracle:start (make-instance 'caf:council :name "council" :members '("ann" "bob" "cy")
                                               :rule "schulze" :ties "second:borda,lexical")
                   node)
    (coracle:with-port (hungry node "hungry")
      (let ((decision (caf:decide hungry "council" "Where do we eat?")))
        (format t "~a ~a~%" (caf:decision-subject decision) (caf:decision-winner decision))))))
