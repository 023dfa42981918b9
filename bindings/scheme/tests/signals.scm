;; While a thread waits, signals arrive, other threads of Guile run, and the collector works.
(use-modules (ice-9 popen)
             (ice-9 textual-ports)
             (ice-9 threads)
             (srfi srfi-1))

(define node (open-node "local:"))
(define ann (open-agent node "ann"))
(define me (current-thread))

;; A signal's handler may leave the wait; the message that comes later is for the next one.
(define (interrupted thunk)
  (call-with-escape-continuation
   (lambda (leave)
     (sigaction SIGUSR1 (lambda ignored (leave 'interrupted)))
     (call-with-new-thread (lambda () (kill (getpid) SIGUSR1)))
     (thunk))))
(do ((round 0 (+ round 1))) ((= round 20))
  (test-is 'interrupted (interrupted (lambda () (receive ann)))))
(send ann "ann" "x")
(test-is "x" (message-text (receive ann)))

;; A handler may use the society itself, in the middle of a wait.
(sigaction SIGUSR1 (lambda ignored (send ann "ann" "from the handler")))
(call-with-new-thread (lambda () (kill (getpid) SIGUSR1)))
(test-is "from the handler" (message-text (receive ann)))

;; In with-node, it begins a task.
(with-node (local "local:")
  (let ((bob (open-agent local "bob")))
    (sigaction SIGUSR1
      (lambda ignored (spawn-task (lambda () (send bob "bob" "from a task")))))
    (do ((round 0 (+ round 1))) ((= round 20))
      (call-with-new-thread (lambda () (kill (getpid) SIGUSR1)))
      (test-is "from a task" (message-text (receive bob))))))

;; Another thread computes, and collects garbage, before the message comes.
(call-with-new-thread
 (lambda ()
   (do ((round 0 (+ round 1))) ((= round 20)) (make-vector 100000) (gc))
   (send (open-agent node "bob") "ann" "done")))
(test-is "done" (message-text (receive ann)))
(close-node node)

;; Scripts in processes of their own; what they print, and their exit code.
(define guile-command
  (append (list (readlink "/proc/self/exe") "--no-auto-compile")
          (append-map (lambda (folder) (list "-L" folder)) %load-path)
          (append-map (lambda (folder) (list "-C" folder)) %load-compiled-path)))

(define (script text)
  (let* ((port (apply open-pipe* OPEN_READ (append guile-command (list "-c" text))))
         (output (get-string-all port)))
    (list output (status:exit-val (close-pipe port)))))

;; Ctrl-C leaves the society in order, whether an agent runs or all wait.
(define (left-by-interrupt agent)
  (script (format #f "
    (use-modules (coracle))
    (dynamic-wind
      (lambda () #t)
      (lambda ()
        (with-node (node \"local:\")
          (spawn node \"ann\" (lambda (me) ~s))
          (receive (open-agent node \"bob\"))))
      (lambda () (display \"left\")))" agent)))
(test-is '("left" 130) (left-by-interrupt '(begin (kill (getpid) SIGINT) (receive me))))
(test-is '("left" 130) (left-by-interrupt '(begin (kill (getpid) SIGINT) (while #t #t))))

;; A script may end while its node lives.
(test-is '("done" 0)
  (script "(use-modules (coracle))
           (define node (open-node \"local:\"))
           (spawn node \"ann\" (lambda (me) (receive me)))
           (display \"done\")"))
(done)
