;; A hundred thousand questions are answered, and the process does not grow.
(use-modules (coracle dispel)
             (ice-9 textual-ports))

(define (resident-pages)
  (gc)
  (cadr (map string->number
             (string-tokenize (call-with-input-file "/proc/self/statm" get-string-all)))))

;; The pages that the process has more at the end than after a quarter of the work.
(define (growth work all)
  (let ((before #f))
    (work (lambda (number) (when (= number (quotient all 4)) (set! before (resident-pages)))))
    (- (resident-pages) before)))

;; Calls; every tenth function fails.
(define calls 40000)
(define (call-often look)
  (with-node (node "local:")
    (let ((ann (open-agent node "ann")))
      (start-service node "counter"
                     #:functions
                     `((add . ,(lambda (number)
                                 (when (zero? (modulo number 10)) (error "it broke"))
                                 (list (cons "number" number))))))
      (do ((number 1 (+ number 1))) ((> number calls))
        (look number)
        (kind-of (lambda () (call ann "counter" "add" number)))))))
(test-assert "calls" (< (growth call-often calls) 512))

;; A pipeline, whose source, filter and sink answer a question for each item.
(define items 20000)
(define taken 0)
(define (pass-items look)
  (with-node (node "local:")
    (let ((main (open-agent node "main")))
      (start-pipeline node "keeper" #:name "line"
        #:text "from: From; add: Add; to: To; from -> add -> to"
        #:kinds
        `((From . ,(make-source #:gives 'text
                                #:produce (lambda (stage number)
                                            (when (< number items)
                                              (put stage (number->string number))))))
          (Add . ,(make-filter #:takes 'text #:gives 'text
                               #:process (lambda (stage item)
                                           (put stage (string-append item "!")))))
          (To . ,(make-sink #:takes 'text
                            #:consume (lambda (stage item)
                                        (set! taken (+ taken 1))
                                        (look taken))
                            #:finish (lambda (stage error) (send main "main" "over"))))))
      (receive main))))
(test-assert "a pipeline" (< (growth pass-items items) 512))
(test-is items taken)
(done)
