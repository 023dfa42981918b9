;; A waiter asks the cooks of the directory, who refuse, fail, or cook.
(use-modules (coracle))

(define (cook can)
  (lambda (me)
    (describe me `((role . "cook") (dish . ,can)))
    (while #t
      (let* ((order (receive me))
             (dish (assoc-ref (message-value order) "dish")))
        (cond
         ((equal? dish "fugu") (error "the cook will not touch" dish))
         ((equal? dish can)
          (reply me order `((dish . ,dish) (minutes . 12)) #:type "dish/1"))
         (else (refuse me order (string-append "no " dish " here"))))))))

(define (order-from me name dish)
  (with-exception-handler
   (lambda (error)
     (format #t "~a: ~a: ~a\n" name (coracle-error-kind error) (coracle-error-sentence error)))
   (lambda ()
     (let ((reply (ask me name `((dish . ,dish)) #:type "order/1" #:within 10)))
       (format #t "~a: ~a in ~a minutes\n" name dish
               (assoc-ref (message-value reply) "minutes"))))
   #:unwind? #t))

(define (waiter me)
  (for-each
   (lambda (entry)
     (order-from me (entry-name entry) "soup"))
   (search me #:where '((= role "cook"))))
  (order-from me "cid" "fugu"))

(with-node (node "local:" #:on-failure (lambda (agent error) #f))
  (spawn node "bob" (cook "soup"))
  (spawn node "cid" (cook "cake"))
  (let ((eve (open-agent node "eve")))
    (while (< (length (search eve #:where '((= role "cook")))) 2) (yield-task)))
  (await (spawn node "ann" waiter)))
