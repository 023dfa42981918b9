;; bench.scm processes [--size 64] [--seconds 1]: the time of a round trip between two processes, as a
;; line of JSON.
(use-modules (coracle) (ice-9 match) (ice-9 popen) (rnrs bytevectors))

(define batch 100)
(define ticks-per-ns (/ internal-time-units-per-second 1e9))

(define (now) (exact->inexact (/ (get-internal-real-time) ticks-per-ns)))

(define (serve realization)
  (with-node (node realization)
    (let ((me (open-agent node "pong")))
      (spawn-task (lambda ()  ; this process ends with the one that began it
                    (await-input (current-input-port))
                    (primitive-_exit 0)))
      (while #t
        (let ((message (receive me)))
          (send me message (message-content message)))))))

;; Calls `play` until the time is over; returns the times of the batches, the shortest first.
(define (measure play seconds)
  (play)
  (let* ((begin (+ (now) (* seconds 0.2e9)))
         (end (+ begin (* seconds 1e9))))
    (let loop ((times '()))
      (let ((before (now)))
        (do ((count 0 (1+ count))) ((= count batch)) (play))
        (let ((times (if (< before begin) times (cons (/ (- (now) before) batch) times))))
          (if (and (>= (now) end) (pair? times)) (sort times <) (loop times)))))))

(define (show times)
  (let* ((count (length times))
         (at (lambda (share) (list-ref times (min (1- count) (floor (* count share)))))))
    (format #t "{\"system\":\"scheme\",\"scenario\":\"processes\",\"version\":\"0.1.0\",\
\"value\":~a,\"p50\":~a,\"p99\":~a,\"n\":~a}\n"
            (/ (apply + times) count) (at 1/2) (at 99/100) (* batch count))))

(define (run size seconds)
  (let* ((realization (format #f "distributed:society=binding-scheme-~a" (getpid)))
         (other (open-pipe* OPEN_WRITE (getenv "BINDING_PROGRAM") "serve" realization))
         (content (make-bytevector size 0)))
    (with-node (node realization)
      (let ((me (open-agent node "ping")))
        (show (measure (lambda () (send me "pong" content) (receive me)) seconds))
        (force-output)
        (primitive-_exit 0)))))  ; the other process ends with this one

(match (cdr (program-arguments))
  (("serve" realization) (serve realization))
  (("processes" . options)
   (let ((value (lambda (name otherwise)
                  (match (member name options)
                    ((_ text . _) (string->number text))
                    (_ otherwise)))))
     (run (value "--size" 64) (value "--seconds" 1))))
  (_ (display "binding-scheme: the only scenario is processes\n" (current-error-port))
     (exit 1)))
