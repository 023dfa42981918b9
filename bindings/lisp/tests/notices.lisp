;;;; Notices of tuples, and evaluators.

(in-package :coracle-tests)
(def-suite* notices :in coracle-tests)

(defun news (port &rest days)
  (dolist (day days)
    (c:tuple-out port "board" (list "other" day))
    (c:tuple-out port "board" (list "news" day))))

(defmacro with-board ((node ann bob loop) &body body)
  "Evaluates BODY with a tuple space and two ports, on a node that a loop runs."
  `(with-loop-node (,loop ,node t)
     (c:start-space ,node "board")
     (c:with-port (,ann ,node "ann")
       (c:with-port (,bob ,node "bob")
         ,@body))))

(test notices-come-in-their-order
  (with-board (node ann bob loop)
    (news bob 0)
    (c:with-notices (notices ann "board" '("news" :integer))
      (news bob 1 2 3)
      (is (equal '("news" 1) (c:tuple-next ann notices)))
      (is (equal '("news" 2) (c:tuple-in bob "board" '("news" 2)))) ; it was taken
      (let ((found '()))
        (is (eq :over (c:do-notices (tuple ann notices :longest 0.01 :result :over)
                        (push (second tuple) found))))
        (is (equal '(3 2) found)))
      (is (null (c:tuple-next ann notices :longest 0.001)))
      (is (zerop (c:tuple-missed ann notices)))
      (news bob 4)
      (is (= 4 (c:do-notices (tuple ann notices) (return (second tuple))))))))

(test the-end-of-notices
  (with-board (node ann bob loop)
    (let ((kept nil))
      (c:with-notices (notices ann "board" '("news" :integer))
        (setf kept notices)
        (news bob 1))
      (news bob 2)
      (is (null (c:try-receive ann)))
      (fails c:bad-argument (c:tuple-next ann kept))
      (fails c:bad-argument (c:tuple-unnotify ann kept)))
    (is (eq :left (catch 'away
                    (c:with-notices (notices ann "board" '("news" :integer))
                      (throw 'away (prog1 :left (c:tuple-missed ann notices)))))))
    (news bob 3)
    (is (null (c:try-receive ann)))
    (c:with-notices (notices ann "board" '("news" :integer) :lease 0.01)
      (is (null (c:tuple-next ann notices :longest 0.05)))
      (news bob 4)
      (is (null (c:tuple-next ann notices :longest 0.01))))
    (c:with-notices (notices bob "board" '("news" :integer))
      (c:close-port bob) ; leaves nothing to end
      (fails c:bad-handle (c:tuple-next bob notices)))))

(test notices-as-events
  (with-board (node ann bob loop)
    (let* ((notices (c:tuple-notify ann "board" '("news" :integer))) (found nil)
           (wait (c:tuple-next ann notices :then (lambda (tuple condition)
                                                   (declare (ignore tuple))
                                                   (setf found condition)))))
      (c:cancel wait)
      (c:run-until loop found)
      (is (typep found 'c:cancelled))
      (c:tuple-next ann notices :then (lambda (tuple condition)
                                        (declare (ignore condition))
                                        (setf found tuple)))
      (news bob 1)
      (c:run-until loop (listp found))
      (is (equal '("news" 1) found)))))

(test notices-without-room-are-counted
  (with-board (node ann bob loop)
    (c:with-port (small node "small" :messages 1)
      (c:with-notices (notices small "board" '("news" :integer))
        (news bob 1 2 3)
        (is (equal '("news" 1) (c:tuple-next small notices)))
        (news bob 4)
        (is (equal '("news" 4) (c:tuple-next small notices)))
        (is (= 2 (c:tuple-missed small notices)))))))

(test wrong-notices
  (with-board (node ann bob loop)
    (fails c:bad-argument (c:tuple-notify ann "board" '()))
    (fails c:bad-argument (c:tuple-notify ann "board" "news"))
    (fails c:bad-argument (c:tuple-notify ann "board" '("news") :lease -1))
    (fails c:bad-argument (c:tuple-next ann 7))))

(defclass clerk (c:evaluator) ((port :initarg :port :initform nil :reader port-of))
  (:default-initargs :name "clerk" :space "board" :at-once 2
                     :functions '(square-of same-fields relay ask-aside fail-evaluation
                                  refuse-evaluation no-list ("two_words" two-words))))

(defun square-of (clerk number) (declare (ignore clerk)) (list "square" number (* number number)))
(defun same-fields (clerk &rest fields) (declare (ignore clerk)) (cons "same" fields))
(defun relay (clerk text)
  (c:tuple-out (port-of clerk) "board" (list "relayed" text) :then (c:later () nil)))
(defun ask-aside (clerk text)
  (c:in-thread (list "taken" (second (c:tuple-in (port-of clerk) "board" (list text :text))))))
(defun fail-evaluation (clerk) (declare (ignore clerk)) (error "It is ~a." "broken"))
(defun refuse-evaluation (clerk)
  (declare (ignore clerk))
  (error 'c:refusal :reason "not today"))
(defun no-list (clerk) (declare (ignore clerk)) "text")
(defun two-words (clerk) (declare (ignore clerk)) (values))

(defun failure-of (port function &rest arguments)
  (c:tuple-eval port "board" function arguments)
  (third (c:tuple-in port "board" '("eval failed" :text :text) :longest 20)))

(test evaluations
  (with-board (node ann bob loop)
    (c:start (make-instance 'clerk :port bob) node)
    (c:tuple-eval ann "board" 'square-of '(7))
    (is (equal '("square" 7 49) (c:tuple-in ann "board" '("square" 7 :integer))))
    (c:tuple-eval ann "board" "same_fields" (list :false t 2.5d0 "ü" (octets 0)))
    (is (equalp (list "same" :false t 2.5d0 "ü" (octets 0))
                (c:tuple-in ann "board" '("same" :boolean :boolean :number :text :bytes))))
    (c:tuple-eval ann "board" 'relay '("x"))
    (is (equal '("relayed" "x") (c:tuple-in ann "board" '("relayed" :text))))
    (c:tuple-eval ann "board" 'ask-aside '("word"))
    (c:tuple-eval ann "board" 'two-words '()) ; beside it
    (c:tuple-out ann "board" '("word" "deep"))
    (is (equal '("taken" "deep") (c:tuple-in ann "board" '("taken" :text))))))

(test failures-of-an-evaluation
  (with-board (node ann bob loop)
    (let ((c:*on-failure* (lambda (role why) (fail "~a: ~a" role why))))
      (c:start (make-instance 'clerk) node)
      (is (equal "It is broken." (failure-of ann 'fail-evaluation)))
      (is (equal "not today" (failure-of ann 'refuse-evaluation)))
      (is (search "is no tuple" (failure-of ann 'no-list)))
      (is (stringp (failure-of ann 'square-of "x")))
      (is (stringp (failure-of ann 'square-of)))
      (fails c:refused (c:tuple-eval ann "board" "cube" '(1)))
      (c:tuple-eval ann "board" 'square-of '(2))
      (is (equal '("square" 2 4) (c:tuple-in ann "board" '("square" 2 :integer)))))))

(test impossible-evaluators
  (with-board (node ann bob loop)
    (fails c:bad-argument (c:start (make-instance 'clerk :functions '()) node))
    (fails c:bad-argument (c:start (make-instance 'clerk :space nil) node))
    (fails c:bad-name (c:start (make-instance 'clerk :space "a//b") node))
    (fails c:name-taken (c:start (make-instance 'clerk :name "ann") node))
    (let ((clerk (c:start (make-instance 'clerk) node)))
      (fails c:bad-argument (c:start clerk node))
      (fails c:unsupported (c:finish clerk))
      (is (c:alive-p clerk))
      (c:stop node)
      (is (not (c:alive-p clerk))))))
