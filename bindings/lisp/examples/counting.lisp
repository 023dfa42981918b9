;;;; A pipeline: a source, four filters and a sink count the errors in a log.

(require :asdf)
(asdf:load-system "coracle/dispel")

(defclass lines (dispel:source) () (:default-initargs :gives 'string))

(defmethod dispel:produce ((source lines) number)
  (loop for line from number below (min 1000 (+ number 100))
        do (dispel:put source (format nil "GET /page ~d" (if (zerop (mod line 9)) 404 200)))))

(defclass errors (dispel:filter) () (:default-initargs :takes 'string :gives 'integer))

(defmethod dispel:process ((filter errors) line)
  (let ((status (parse-integer line :start 10)))
    (when (>= status 400) (dispel:put filter status))))

(defclass tally (dispel:sink) ((count :initform 0 :accessor tally-count))
  (:default-initargs :takes 'integer))

(defmethod dispel:consume ((sink tally) status) (incf (tally-count sink)))

(defmethod dispel:on-end ((sink tally) why)
  (format t "~:[~d errors~;it ended too early: ~:*~a~]~%" why (tally-count sink)))

(coracle:with-event-loop (loop)
  (coracle:with-node (node "local:" :loop loop)
    (coracle:with-port (watcher node "watcher")
      (coracle:start (make-instance 'dispel:keeper
                                    :name "keeper" :pipeline "log"
                                    :text "lines: Lines; find: Find * 4; count: Count
                                           lines -> find -> count"
                                    :kinds '(("Lines" lines) ("Find" errors) ("Count" tally)))
                     node)
      (coracle:watch watcher "keeper"))))
