;;;; A clerk deciphers the words of a telegram, which come to a blackboard; a reader is told of each.

(require :asdf)
(asdf:load-system "coracle")

(defclass clerk (coracle:evaluator) ()
  (:default-initargs :name "clerk" :space "blackboard" :functions '(decipher)))

(defmethod decipher ((clerk clerk) place signs)
  (unless (every #'alpha-char-p signs)
    (error 'coracle:refusal :reason (format nil "~a is no word" signs)))
  (list "word" place (string-upcase (reverse signs))))

(coracle:with-event-loop (loop)
  (coracle:with-node (node "local:" :loop loop)
    (coracle:start-space node "blackboard")
    (coracle:start (make-instance 'clerk) node)
    (coracle:with-port (reader node "reader")
      (coracle:with-notices (words reader "blackboard" '("word" :integer :text))
        (loop for (place signs) in '((0 "pihs") (1 "4") (2 "efas"))
              do (coracle:tuple-eval reader "blackboard" 'decipher (list place signs)))
        (coracle:do-notices (word reader words)
          (format t "~s~%" word)
          (when (= 2 (second word)) (return))))
      (format t "~s~%" (coracle:tuple-in reader "blackboard" '("eval failed" :text :text))))))
