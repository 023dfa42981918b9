;; Tasks: procedures that take turns on one thread of Guile. Each runs until it waits.
(define-module (coracle tasks)
  #:use-module (coracle bell)
  #:use-module (coracle failure)
  #:use-module (coracle library)
  #:use-module (coracle loops)
  #:use-module (coracle memory)
  #:use-module (ice-9 atomic)
  #:use-module (ice-9 control)
  #:use-module (ice-9 exceptions)
  #:use-module (ice-9 q)
  #:use-module (ice-9 threads)
  #:use-module (srfi srfi-9)
  #:export (perform performed call-with-tasks current-scheduler scheduler-loop background-scheduler
            on-close! post! make-task task? task-scheduler interrupt-task! start-task!
            start-task-later! hurry! call-outside-of-tasks
            stopped? spawn-task yield-task await-task await-input cancel-task))

(define-record-type <scheduler>
  (make-scheduler loop bell ready current inbox inputs closing patience)
  scheduler?
  (loop scheduler-loop)
  (bell scheduler-bell)  ; is rung for a thunk that comes while the thread may wait
  (ready scheduler-ready)  ; a queue of thunks
  (current scheduler-current set-scheduler-current!)
  (inbox scheduler-inbox)  ; an atomic box of thunks, with the latest first
  (inputs scheduler-inputs set-scheduler-inputs!)  ; pairs of a port, and what brings its task back
  (closing scheduler-closing set-scheduler-closing!)
  (patience scheduler-patience set-scheduler-patience!))  ; of a wait for events, in nanoseconds

(define-record-type <task>
  (new-task scheduler body on-end order cancel ended? outcome waiting mutex changed)
  task?
  (scheduler task-scheduler)
  (body task-body set-task-body!)
  (on-end task-on-end)  ; is called with the outcome
  (order task-order set-task-order!)  ; #f, or `stop`, or the procedure with which it begins again
  (cancel task-cancel set-task-cancel!)  ; a thunk that ends its wait early; #f if it does not wait
  (ended? task-ended? set-task-ended!)
  (outcome task-outcome set-task-outcome!)
  (waiting task-waiting set-task-waiting!)  ; procedures that want the outcome
  (mutex task-mutex)  ; for the threads that want it
  (changed task-changed))

(define scheduler-of-thread (make-thread-local-fluid #f))
(define tag (make-prompt-tag "coracle"))

(define (current-scheduler)
  (fluid-ref scheduler-of-thread))

(define (current-task)
  (let ((scheduler (current-scheduler)))
    (and scheduler (scheduler-current scheduler))))

(define (runs-task? scheduler)
  ;; Then it looks for other tasks before it waits.
  (and (eq? scheduler (current-scheduler)) (scheduler-current scheduler) #t))

(define (stopped? outcome)
  "Return true if OUTCOME is that of a task that was stopped, or whose node was."
  (and (failure? outcome) (coracle-error? (failure-exception outcome) 'stopped)))

;; --- running ---

(define (run-task task thunk)
  ;; Runs the thunk until it waits. REGISTER then gets the procedure that brings the task back with
  ;; an outcome; later calls of it have no effect.
  (let ((scheduler (task-scheduler task)))
    (set-scheduler-current! scheduler task)
    (call-with-prompt tag
      thunk
      (lambda (continue register)
        (set-scheduler-current! scheduler #f)
        (register
         (lambda (outcome)
           (when continue
             (let ((found continue))
               (set! continue #f)
               (set-task-cancel! task #f)
               (enq! (scheduler-ready scheduler)
                     (lambda () (run-task task (lambda () (found outcome)))))))))))
    (set-scheduler-current! scheduler #f)))

(define (require-waiting task)
  (obey task)
  (unless (suspendable-continuation? tag)
    (fail 'wrong-thread "an agent cannot wait inside of a procedure that is written in C and calls "
          "yours, such as sort or hash-for-each; make a list first, and wait outside of it")))

(define (obey task)
  (when (task-order task)
    (fail 'stopped "this agent was asked to stop, or to begin again with another procedure")))

(define (wait-in task register)
  (let ((outcome (abort-to-prompt tag register)))
    (obey task)
    (value-of outcome)))

(define (perform start read)
  "Wait for the end of an operation, as a task or as a thread. START begins it, for a loop and a
key, and READ makes its result of the event."
  (let ((scheduler (current-scheduler)))
    (cond
     ((not scheduler) (wait-here start read))
     ((scheduler-current scheduler) => (lambda (task) (perform-in task start read)))
     (else (fail 'wrong-thread "the handler of a signal cannot wait while the agents of its thread "
                 "do, nor can a procedure that answers at once; let it call spawn-task")))))

;; Performs an operation of the library with its arguments in places of the call. BEGIN is the
;; address of the coracle_begin.
(define-syntax-rule (performed (begin) call read)
  (perform
   (lambda (loop key) (with-scratch (let ((begin (begin-at loop key))) call)))
   read))

(define (perform-in task start read)
  (let* ((loop (scheduler-loop (task-scheduler task)))
         (key (new-key loop)))
    (require-waiting task)
    (start loop key)
    (set-task-cancel! task (lambda () (coracle-cancel (loop-handle loop) key)))
    (wait-in task
             (lambda (bring-back)
               (on-event! loop key
                          (lambda (failure event)
                            (bring-back
                             (cond
                              ((and (not failure) (task-order task))
                               (release-event event)
                               nothing)
                              (else (outcome-of failure read event))))))))))

(define nothing '(#t))  ; the outcome of what has no result

(define (yield-task)
  "Let the other tasks of this thread run, and come back."
  (let ((me (current-task)))
    (when me
      (require-waiting me)
      (wait-in me (lambda (bring-back) (bring-back nothing))))))

(define (make-task scheduler body on-end)
  "Return a task that does not run yet. ON-END is called with its outcome."
  (new-task scheduler body on-end #f #f #f #f '() (make-mutex) (make-condition-variable)))

(define (make-ready! task)
  (enq! (scheduler-ready (task-scheduler task))
        (lambda () (run-task task (lambda () (run-body task))))))

(define (start-task! task)
  "Let TASK run."
  (if (runs-task? (task-scheduler task))
      (call-with-blocked-asyncs (lambda () (make-ready! task)))
      (post! (task-scheduler task) (lambda () (make-ready! task)))))

(define (start-task-later! task)
  "Let TASK run after a procedure that the library calls has returned."
  (if (eq? (task-scheduler task) (current-scheduler))
      (make-ready! task)
      (post! (task-scheduler task) (lambda () (make-ready! task)))))

(define (call-outside-of-tasks thunk)
  "Call THUNK, which cannot wait, in a procedure that the library calls."
  (let* ((scheduler (current-scheduler))
         (task (and scheduler (scheduler-current scheduler))))
    (if task
        (dynamic-wind
          (lambda () (set-scheduler-current! scheduler #f))
          thunk
          (lambda () (set-scheduler-current! scheduler task)))
        (thunk))))

(define (passes-through? task outcome)
  ;; The end of the process, and Ctrl-C, are no failures of an agent. In the background, Guile
  ;; would end the thread only.
  (and (failure? outcome)
       (exception? (failure-exception outcome))
       (memq (exception-kind (failure-exception outcome)) '(quit signal))
       (not (eq? background (task-scheduler task)))))

(define (run-body task)
  (let ((outcome (with-exception-handler make-failure
                                         (lambda () (list ((task-body task))))
                                         #:unwind? #t)))
    (cond
     ((passes-through? task outcome) (value-of outcome))
     ((procedure? (task-order task))
      (set-task-body! task (task-order task))
      (set-task-order! task #f)
      (start-task! task))
     (else (end-task! task outcome)))))

(define (end-task! task outcome)
  (let ((seen (if (stopped? outcome) '(#f) outcome)))
    ((task-on-end task) outcome)
    (with-mutex (task-mutex task)
      (set-task-outcome! task seen)
      (set-task-ended! task #t)
      (broadcast-condition-variable (task-changed task)))
    (for-each (lambda (bring-back) (bring-back seen)) (task-waiting task))
    (set-task-waiting! task '())))

(define (interrupt-task! task order)
  "Tell TASK to stop, or to begin again with the procedure ORDER. The thread is its scheduler's."
  (unless (task-ended? task)
    (set-task-order! task order)
    (let ((cancel (task-cancel task)))
      (when cancel (cancel)))))

;; --- schedulers ---

(define (run scheduler done?)
  (let ((ready (scheduler-ready scheduler))
        (inbox (scheduler-inbox scheduler))
        (loop (scheduler-loop scheduler)))
    (define (idle?)
      (and (q-empty? ready) (null? (atomic-box-ref inbox))))
    (let next ()
      (unless (null? (atomic-box-ref inbox))
        (for-each (lambda (thunk) (thunk)) (reverse (atomic-box-swap! inbox '()))))
      (let turn ((left (q-length ready)))
        (unless (zero? left)
          ((deq! ready))
          (turn (- left 1))))
      (unless (done?)
        (take-events! loop (if (idle?) (scheduler-patience scheduler) 0) most)
        (when (or (idle?) (pair? (scheduler-inputs scheduler)))
          (look-at-inputs scheduler (idle?)))
        (next)))))

(define (look-at-inputs scheduler wait?)
  (let* ((inputs (scheduler-inputs scheduler))
         (bell (scheduler-bell scheduler))
         (ready (wait-readable (scheduler-loop scheduler)
                               (cons (bell-descriptor bell) (map car inputs))
                               wait?)))
    (when (memv (bell-descriptor bell) ready) (quiet-bell! bell))
    (for-each
     (lambda (input)
       (when (memq (car input) ready)
         (set-scheduler-inputs! scheduler (delq input (scheduler-inputs scheduler)))
         ((cdr input) nothing)))
     inputs)))

(define most 64)  ; events that are taken together

(define (new-scheduler)
  (make-scheduler (open-loop) (make-bell) (make-q) #f (make-atomic-box '()) '() '() spin))

(define (hurry! scheduler)
  "Let SCHEDULER look after each turn of its nodes whether the library has started a task."
  (set-scheduler-patience! scheduler 0))

(define (on-close! scheduler thunk)
  "Call THUNK when SCHEDULER ends, whatever the reason."
  (set-scheduler-closing! scheduler (cons thunk (scheduler-closing scheduler))))

(define (close-scheduler scheduler)
  (for-each (lambda (thunk) (thunk)) (scheduler-closing scheduler))
  (set-scheduler-closing! scheduler '())
  (close-loop (scheduler-loop scheduler))
  (free-bell (scheduler-bell scheduler)))

(define (call-with-interrupts thunk)
  ;; In a script, Ctrl-C would end the process at once, and the society would learn it late.
  (if (eqv? SIG_DFL (car (sigaction SIGINT)))
      (dynamic-wind
        (lambda () (sigaction SIGINT (lambda ignored (exit 130))))
        thunk
        (lambda () (sigaction SIGINT SIG_DFL)))
      (thunk)))

(define (call-with-tasks thunk)
  "Call THUNK as a task, run other tasks while it waits, and return its value."
  (if (current-scheduler)
      (thunk)
      (let* ((scheduler (new-scheduler))
             (main (make-task scheduler thunk (lambda (outcome) #t))))
        (dynamic-wind
          (lambda () (fluid-set! scheduler-of-thread scheduler))
          (lambda ()
            (call-with-interrupts
             (lambda ()
               (start-task! main)
               (run scheduler (lambda () (task-ended? main)))
               (value-of (task-outcome main)))))
          (lambda ()
            (fluid-set! scheduler-of-thread #f)
            (close-scheduler scheduler))))))

(define background #f)
(define background-mutex (make-mutex))

(define (background-scheduler)
  "Return the scheduler of a thread that runs the agents which are made outside of tasks."
  (with-mutex background-mutex
    (unless background
      (let ((scheduler (new-scheduler)))
        (set! background scheduler)
        (call-with-new-thread
         (lambda ()
           (fluid-set! scheduler-of-thread scheduler)
           (run scheduler (lambda () #f))))))
    background))

(define (post! scheduler thunk)
  "Call THUNK in the thread of SCHEDULER. Any thread may do so, and the handler of a signal."
  (let ((inbox (scheduler-inbox scheduler)))
    (let push ()
      (let ((old (atomic-box-ref inbox)))
        (unless (eq? old (atomic-box-compare-and-swap! inbox old (cons thunk old))) (push))))
    (unless (runs-task? scheduler)
      (when (loop-open? (scheduler-loop scheduler)) (ring-bell! (scheduler-bell scheduler))))))

;; --- for everybody ---

(define (spawn-task thunk)
  "Call THUNK as a task of this thread, beside the caller, and return the task. It may use the
agents of the caller, and ends with its value, for AWAIT."
  (unless (procedure? thunk) (fail 'bad-argument "a task is a procedure, not " thunk))
  (let ((scheduler (current-scheduler)))
    (unless scheduler
      (fail 'wrong-thread "tasks run in an agent or in with-node; use call-with-new-thread here"))
    (letrec ((task (make-task scheduler thunk (lambda (outcome) (report task outcome)))))
      (start-task! task)
      task)))

(define (report task outcome)
  (when (and (failure? outcome) (null? (task-waiting task))
             (not (stopped? outcome))
             (not (coracle-error? (failure-exception outcome) 'cancelled)))
    (format (current-error-port) "a task failed: ~a\n"
            (exception->text (failure-exception outcome)))))

(define (cancel-task task)
  "End what TASK waits for, early: it raises an error of the kind cancelled there. TASK was made by
SPAWN-TASK in this thread. Return #f if it does not wait."
  (let ((cancel (task-cancel task)))
    (and cancel (begin (cancel) #t))))

(define (await-input port)
  "Wait until something can be read from PORT, a file or a socket, while other tasks run."
  (let ((me (current-task)))
    (cond
     ((not me) (select (list port) '() '()))
     (else
      (require-waiting me)
      (let ((scheduler (task-scheduler me)))
        (wait-in me
                 (lambda (bring-back)
                   (let ((input (cons port bring-back)))
                     (set-scheduler-inputs! scheduler (cons input (scheduler-inputs scheduler)))
                     (set-task-cancel! me (lambda ()
                                            (set-scheduler-inputs!
                                             scheduler (delq input (scheduler-inputs scheduler)))
                                            (bring-back cancelled)))))))))
    #t))

(define cancelled
  (make-failure (make-coracle-error 'cancelled "it was cancelled while it waited")))

(define (await-task task)
  "Wait until TASK has ended, and return its value: #f if it was stopped. Raise its error if it
failed."
  (let ((me (current-task)))
    (cond
     ((task-ended? task) (value-of (task-outcome task)))
     ((and me (eq? (task-scheduler me) (task-scheduler task)))
      (require-waiting me)
      (wait-in me (lambda (bring-back)
                    (set-task-waiting! task (cons bring-back (task-waiting task)))
                    (set-task-cancel! me (lambda () (bring-back cancelled))))))
     (me (fail 'wrong-thread "the awaited agent runs in another thread of Guile"))
     ((not (loop-open? (scheduler-loop (task-scheduler task))))
      (fail 'stopped "the awaited agent ran in a with-node that has ended"))
     (else
      (with-mutex (task-mutex task)
        (let wait ()
          (unless (task-ended? task)
            (wait-condition-variable (task-changed task) (task-mutex task))
            (wait))))
      (value-of (task-outcome task))))))
