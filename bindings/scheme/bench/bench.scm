;; bench.scm processes|agents|channels [--size 64] [--seconds 1]: the time of a round trip, as a line
;; of JSON: between two processes, between two agents of one thread, or between two threads of Guile
;; whose channels are queues with a mutex and a condition variable.
(use-modules (coracle) (ice-9 match) (ice-9 popen) (ice-9 q) (ice-9 threads) (rnrs bytevectors))

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

(define (show scenario times)
  (let* ((count (length times))
         (at (lambda (share) (list-ref times (min (1- count) (floor (* count share)))))))
    (format #t "{\"system\":\"scheme\",\"scenario\":\"~a\",\"version\":\"0.1.0\",\
\"value\":~a,\"p50\":~a,\"p99\":~a,\"n\":~a}\n"
            scenario (/ (apply + times) count) (at 1/2) (at 99/100) (* batch count))))

(define (run-processes size seconds)
  (let* ((realization (format #f "distributed:society=binding-scheme-~a" (getpid)))
         (other (open-pipe* OPEN_WRITE (getenv "BINDING_PROGRAM") "serve" realization))
         (content (make-bytevector size 0)))
    (with-node (node realization)
      (let ((me (open-agent node "ping")))
        (show "processes" (measure (lambda () (send me "pong" content) (receive me)) seconds))
        (force-output)
        (primitive-_exit 0)))))  ; the other process ends with this one

(define (run-agents size seconds)
  (with-node (node "local:")
    (let ((ping (open-agent node "ping"))
          (pong (open-agent node "pong"))
          (content (make-bytevector size 0)))
      (spawn-task (lambda ()
                    (while #t
                      (let ((message (receive pong)))
                        (send pong message (message-content message))))))
      (show "agents" (measure (lambda () (send ping "pong" content) (receive ping)) seconds)))))

(define (make-channel)
  (list (make-q) (make-mutex) (make-condition-variable)))

(define (put channel value)
  (match channel
    ((queue mutex changed)
     (with-mutex mutex
       (enq! queue value)
       (signal-condition-variable changed)))))

(define (take channel)
  (match channel
    ((queue mutex changed)
     (with-mutex mutex
       (while (q-empty? queue) (wait-condition-variable changed mutex))
       (deq! queue)))))

(define (run-channels size seconds)
  (let ((there (make-channel)) (back (make-channel)) (content (make-bytevector size 0)))
    (call-with-new-thread (lambda () (while #t (put back (take there)))))
    (show "channels" (measure (lambda () (put there content) (take back)) seconds))
    (force-output)
    (primitive-_exit 0)))

(match (cdr (program-arguments))
  (("serve" realization) (serve realization))
  ((scenario . options)
   (let ((value (lambda (name otherwise)
                  (match (member name options)
                    ((_ text . _) (string->number text))
                    (_ otherwise))))
         (run (assoc-ref `(("processes" . ,run-processes)
                           ("agents" . ,run-agents)
                           ("channels" . ,run-channels))
                         scenario)))
     (unless run
       (format (current-error-port) "binding-scheme: there is no scenario ~a\n" scenario)
       (exit 1))
     (run (value "--size" 64) (value "--seconds" 1)))))
