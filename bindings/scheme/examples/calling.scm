;; A function that another agent calls by its name.
(use-modules (coracle))

(define (miles metres)
  (when (negative? metres) (refuse "a way is not shorter than nothing"))
  (quotient metres 1852))

(with-node (node "local:")
  (start-service node "navigator" #:functions `(("miles" . ,miles)))
  (let ((captain (open-agent node "captain")))
    (format #t "it is ~a miles to the island\n"
            (call captain "navigator" "miles" 463000 #:within 10))
    (with-exception-handler
     (lambda (error) (format #t "~a\n" (coracle-error-sentence error)))
     (lambda () (call captain "navigator" "miles" -1))
     #:unwind? #t)))
