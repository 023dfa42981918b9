;;;; Bidders, and clients of contracts.

(in-package :coracle-tests)
(def-suite* contracts :in coracle-tests)

(defclass carrier (f:bidder)
  ((price :initarg :price :reader price) (work :initarg :work :initform 'carry :reader work)
   (told :initform '() :accessor told)))
(defmethod f:bid-for ((bidder carrier) client contract)
  (assert (equal '("client" "transport" "a piano")
                 (list client (f:contract-kind contract) (f:contract-subject contract))))
  (let ((price (price bidder))) (if (functionp price) (funcall price) price)))
(defmethod f:fulfil ((bidder carrier) engagement) (funcall (work bidder) bidder engagement))
(defmethod f:on-rejection ((bidder carrier) client contract reason)
  (declare (ignore client contract reason))
  (push :rejected (told bidder)))
(defmethod f:on-settled ((bidder carrier) client contract price penalty)
  (declare (ignore client contract penalty))
  (push (list :settled price) (told bidder)))

(defun carry (bidder engagement)
  (assert (c:wanted-p))
  (c:in-thread (format nil "~a carries ~a for ~d" (c:name bidder)
                       (f:contract-subject (f:engagement-contract engagement))
                       (f:engagement-price engagement))))
(defun drop (bidder engagement)
  (declare (ignore bidder engagement))
  (c:in-thread (error 'c:refusal :reason "it fell")))

(defclass careful (f:client) ())
(defmethod f:admits ((client careful) bidder)
  (if (string= bidder "broken") (error "It is broken.") (string= bidder "dear")))

(defmacro with-carriers ((client &rest carriers) &body body)
  "Evaluates BODY with a client and carriers, each (NAME PRICE OPTION...)."
  `(with-loop-node (loop node t)
     (let ((,client (c:start (make-instance 'careful :name "client") node))
           ,@(loop for (name price . options) in carriers
                   collect `(,name (c:start (make-instance 'carrier
                                                           :name ,(string-downcase name)
                                                           :price ,price ,@options)
                                            node))))
       (declare (ignorable ,@(mapcar #'first carriers)))
       ,@body)))

(defun settled (settlement)
  (list (f:settlement-ended settlement)
        (loop for part in (f:settlement-parts settlement)
              collect (list (f:part-bidder part) (f:part-price part) (f:part-result part)))))

(test the-next-best-does-what-the-best-cannot
  (with-carriers (client (dear 90) (cheap 50) (clumsy 20 :work 'drop) (lazy nil))
    (is (equal '(:fulfilled (("cheap" 50 "cheap carries a piano for 50")))
               (settled (f:announce client "transport" "a piano" :rule "lowest" :keep-bids t
                                    :bidders '("dear" "cheap" "clumsy" "lazy")))))
    (c:run-until loop (and (told dear) (told cheap)))
    (is (equal '(:rejected) (told dear)))
    (is (equal '((:settled 50)) (told cheap)))
    (is (null (told lazy)))
    (is (eq :no-bids (f:settlement-ended (f:announce client "transport" "a piano"))))
    (fails c:bad-options (f:announce client "transport" "a piano" :rule "loudest"))
    (fails c:bad-argument (f:announce client "transport" "a piano" :bid-within -1))
    (c:finish client)
    (fails c:bad-handle (f:announce client "transport" "a piano"))))

(test bundles-of-items
  (with-carriers (client (dear (lambda () '((("bench") 5) (("piano") 9)))) (cheap nil))
    (let ((settlement (f:announce client "transport" "a piano" :items '("bench" "piano")
                                  :bidders '("dear" "cheap"))))
      (is (eq :partly (f:settlement-ended settlement)))
      (is (equal '(2) (mapcar #'f:part-items (f:settlement-parts settlement)))))))

(test a-bidder-registers-if-it-is-admitted
  (with-carriers (client (dear 3 :clients '("client")) (cheap 1 :clients '("client"))
                         (broken 1 :clients '("client")))
    (loop until (eq :fulfilled (f:settlement-ended
                                (f:announce client "transport" "a piano" :registered t))))
    (is (equal '("dear") (mapcar #'f:part-bidder
                                 (f:settlement-parts
                                  (f:announce client "transport" "a piano"
                                              :registered t :rule "lowest")))))
    (is (c:alive-p client))
    (c:await cheap :longest 20)))

(test bids-that-are-none
  (dolist (bid (list "ten" '(("bench" 5)) '((("piano") 5)) 1/2))
    (let* ((said nil) (c:*on-failure* (lambda (role why) (declare (ignore role)) (setf said why))))
      (with-carriers (client (dear bid))
        (is (eq :no-bids (f:settlement-ended
                          (f:announce client "transport" "a piano" :bidders '("dear")
                                                                   :bid-within 1/10))))
        (is (typep said 'c:bad-argument))
        (fails c:agent-failed (c:await dear :longest 20))))))
