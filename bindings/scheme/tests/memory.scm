;; A million messages pass, and the process does not grow.
(use-modules (ice-9 textual-ports))

(define (resident-pages)
  (cadr (map string->number
             (string-tokenize (call-with-input-file "/proc/self/statm" get-string-all)))))

(define warm 200000)
(define all 1000000)
(define before #f)

(define (player other)
  (lambda (me)
    (let next ((count 0))
      (when (= count (/ warm 2)) (gc) (set! before (resident-pages)))
      (unless (= count (/ all 2))
        (send me other "the ball")
        (receive me)
        (next (+ count 1))))))

(with-node (node "local:")
  (let* ((ping (spawn node "ping" (player "pong")))
         (pong (spawn node "pong" (player "ping"))))
    (await ping)
    (await pong)))
(gc)
(test-assert "at most 4 MiB more" (< (- (resident-pages) before) 1024))
(done)
