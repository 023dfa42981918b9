;; The words in which the tests are written. A program ends with (done).
(use-modules (coracle)
             (ice-9 control)
             (ice-9 exceptions)
             (srfi srfi-64))

(test-runner-current
 (let ((runner (test-runner-null)))
   (test-runner-on-test-end! runner
     (lambda (runner)
       (unless (memq (test-result-kind runner) '(pass))
         (format #t "~a:~a: not true: ~a: ~s\n" (test-result-ref runner 'source-file)
                 (test-result-ref runner 'source-line) (test-runner-test-name runner)
                 (test-result-alist runner)))))
   runner))

(define (done)
  (let ((runner (test-runner-current)))
    (format #t "~a true, ~a not\n" (test-runner-pass-count runner) (test-runner-fail-count runner))
    (exit (and (zero? (test-runner-fail-count runner))
               (positive? (test-runner-pass-count runner))))))

;; The kind of the error that THUNK raises; `none` if it raises none.
(define (kind-of thunk)
  (with-exception-handler
   (lambda (error) (if (coracle-error? error) (coracle-error-kind error) error))
   (lambda () (thunk) 'none)
   #:unwind? #t))

(define-syntax-rule (test-fails kind expression)
  (test-eq (format #f "~s" 'expression) kind (kind-of (lambda () expression))))

(define-syntax-rule (test-is expected expression)
  (test-equal (format #f "~s" 'expression) expected expression))
