;;;; Councils and their peers.

(in-package :coracle-tests)
(def-suite* councils :in coracle-tests)

(defclass eater (f:peer)
  ((likes :initarg :likes :accessor likes) (told :initform '() :accessor told)
   (how :initarg :how :initform 'ranking :reader how))
  (:documentation "Likes dishes, the best one first."))
(defmethod f:propose ((peer eater) call)
  (assert (null (f:agenda-alternatives call)))
  (list (first (likes peer))))
(defmethod f:vote ((peer eater) agenda) (funcall (how peer) peer agenda))
(defmethod f:on-decision ((peer eater) decision) (push (f:decision-winner decision) (told peer)))
(defmethod f:on-refusal ((peer eater) refused)
  (push (f:refused-message-reason refused) (told peer)))

(defun ranking (peer agenda)
  (f:rank (remove-if-not (lambda (each)
                           (find each (f:agenda-alternatives agenda) :test #'string=))
                         (likes peer))))
(defun ranking-slowly (peer agenda) (c:in-thread (ranking peer agenda)))

(defparameter *likes* '(("ann" "noodles" "soup" "pizza") ("bob" "pizza" "soup" "noodles")
                        ("cy" "soup" "pizza" "noodles")))

(defun start-eaters (node &rest options)
  (loop for (name . likes) in *likes*
        collect (c:start (apply #'make-instance 'eater :name name :likes likes options) node)))

(test a-council-decides
  (dolist (how '(ranking ranking-slowly))
    (with-loop-node (loop node t)
      (let ((eaters (start-eaters node :how how)))
        (c:start (make-instance 'f:council :name "council" :members '("ann" "bob" "cy")
                                           :rule "schulze" :ties "second:borda,lexical")
                 node)
        (c:with-port (asker node "asker")
          (let ((decision (f:decide asker "council" "Where do we eat?")))
            (is (f:decision-decided decision))
            (is (equal '("soup" "Where do we eat?" ("soup"))
                       (list (f:decision-winner decision) (f:decision-subject decision)
                             (f:decision-co-winners decision)))))
          (c:run-until loop (every #'told eaters))
          (is (every (lambda (each) (equal '("soup") (told each))) eaters)))))))

(defun decided-by (rule vote)
  "The winner when ann votes so, and the others abstain."
  (with-loop-node (loop node t)
    (c:start (make-instance 'eater :name "ann" :likes '("x")
                                   :how (lambda (peer agenda)
                                          (declare (ignore peer agenda))
                                          (funcall vote)))
             node)
    (c:start (make-instance 'f:peer :name "bob") node)
    (c:start (make-instance 'f:council :name "council" :members '(("ann" :weight 3/2) "bob")
                                       :rule rule)
             node)
    (c:with-port (asker node "asker")
      (f:decision-winner (f:decide asker "council" "?" :alternatives '("a" "b" "c")
                                                        :longest 20)))))

(test kinds-of-ballots
  (is (equal "b" (decided-by "plurality" (lambda () (f:choose "b")))))
  (is (equal "c" (decided-by "plurality" (lambda () (f:rank '(2 "a"))))))
  (is (equal "b" (decided-by "approval" (lambda () (f:approve '("b"))))))
  (is (equal "b" (decided-by "score" (lambda () (f:grade '(5/2 7 0))))))
  (is (equal "" (decided-by "plurality" (constantly nil)))))

(test ballots-that-are-none
  (dolist (vote (list (lambda () "a") (lambda () (f:choose "z")) (lambda () (f:choose 7))
                      (lambda () (f:grade '(0.5d0 1 2))) (lambda () (error "It fainted."))))
    (let* ((said nil) (c:*on-failure* (lambda (peer why) (declare (ignore peer)) (setf said why))))
      (is (equal "" (decided-by "plurality" vote)))
      (is (plusp (length (princ-to-string said)))))))

(test impossible-councils
  (with-loop-node (loop node t)
    (flet ((begin (&rest charter)
             (c:start (apply #'make-instance 'f:council :name "council" charter) node)))
      (fails c:bad-options (begin :members '("ann") :rule "by shouting"))
      (fails c:bad-argument (begin :members '("ann") :secrecy :whispered))
      (fails c:bad-argument (begin :members '(("ann" :weight 0.5d0))))
      (c:with-port (asker node "asker")
        (fails c:bad-argument (f:decide asker "council" (format nil "a~cb" (code-char 0))))
        (fails c:expired (f:decide asker "nobody" "?" :longest 0.01))))))
