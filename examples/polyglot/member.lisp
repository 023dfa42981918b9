;;;; A cook of the kitchen, in Common Lisp: `member REALIZATION NAME DISH PRICE`. It votes for its
;;;; dish, bids its price for cooking, and adds its name to each plate that passes.

(require :asdf)
(asdf:load-system "coracle/dispel")
(asdf:load-system "coracle/caf")

(defclass voter (caf:peer) ((dish :initarg :dish :reader dish)))

(defmethod caf:propose ((voter voter) call) (list (dish voter)))

(defmethod caf:vote ((voter voter) agenda)
  (let ((dishes (caf:agenda-alternatives agenda)))
    (caf:rank (append (remove (dish voter) dishes :test #'string/=)
                      (remove (dish voter) dishes :test #'string=)))))

(defclass cook (caf:bidder)
  ((who :initarg :who :reader who) (price :initarg :price :reader price)))

(defmethod caf:bid-for ((cook cook) client contract) (price cook))

(defmethod caf:fulfil ((cook cook) work)
  (format nil "~a cooked ~a" (who cook) (caf:contract-subject (caf:engagement-contract work))))

(defclass add (dispel:filter) ((who :initarg :who :reader who))
  (:default-initargs :takes 'string :gives 'string))

(defmethod dispel:process ((add add) plate)
  (dispel:put add (format nil "~a ~a" plate (who add))))

(defparameter *chain*
  "orders: orders; cpp: cpp; c: c; python: python; guile: guile; sbcl: sbcl; plates: plates
   orders -> cpp -> c -> python -> guile -> sbcl -> plates")

(defun kinds (name)
  "Other processes make the stages of DISPEL's own classes, which have no methods."
  `(("orders" dispel:source :gives string)
    ("plates" dispel:sink :takes string)
    ,@(loop for each in '("cpp" "c" "python" "guile" "sbcl")
            collect (if (string= each name)
                        `(,each add :who ,name)
                        `(,each dispel:filter :takes string :gives string)))))

(destructuring-bind (realization name dish price) (last (uiop:raw-command-line-arguments) 4)
  (flet ((name-of (what) (format nil "~a/~a" name what)))
    (coracle:with-event-loop (loop)
      (coracle:with-node (node realization :loop loop)
        (dolist (role (list (make-instance 'voter :name (name-of "voter") :dish dish)
                            (make-instance 'cook :name (name-of "cook") :who name
                                                 :price (parse-integer price))
                            (make-instance 'dispel:keeper :name (name-of "keeper")
                                                          :pipeline "chain" :text *chain*
                                                          :kinds (kinds name) :only (list name))))
          (coracle:start role node))
        (format t "~a is ready~%" name)
        (finish-output)
        (loop until (and (member 0 (coracle:turn loop :longest nil :also '(0)))
                         (null (read-line *standard-input* nil)))))))) ; until the input ends
