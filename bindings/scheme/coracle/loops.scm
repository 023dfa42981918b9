;; Loops: where the results of operations arrive, and how a thread waits for them.
(define-module (coracle loops)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle memory)
  #:use-module (srfi srfi-9)
  #:export (open-loop close-loop loop-handle loop-open? new-key begin-at on-event! forget-event!
            take-events! wait-readable spin make-failure failure? failure-exception value-of
            outcome-of release-event wait-here begun-hook out-address give-back))

(define-record-type <loop>
  (make-loop handle descriptor table key open?)
  loop?
  (handle loop-handle)
  (descriptor loop-descriptor)
  (table loop-table)  ; from the key of an operation to the procedure that takes its event
  (key loop-key set-loop-key!)
  (open? loop-open? set-loop-open!))

;; The outcome of an operation or a task that failed. Another outcome is a list of its value.
(define-record-type <failure>
  (make-failure exception)
  failure?
  (exception failure-exception))

(define-inlinable (value-of outcome)
  (if (failure? outcome) (raise-exception (failure-exception outcome)) (car outcome)))

(define (outcome-of failure read event)
  "Return FAILURE, or what READ makes of EVENT, or how it failed."
  (or failure
      (with-exception-handler make-failure (lambda () (list (read event))) #:unwind? #t)))

(define-syntax-rule (out-address (name) call read)
  ;; Makes a call that writes a result of 8 bytes at the address NAME, and reads it.
  (with-scratch (let ((name (allot 8))) call (read name))))

(define (open-loop)
  "Return a new loop, for one thread."
  (let ((handle (out-address (out) (coracle-loop-open out) peek-u64)))
    (make-loop handle
               (out-address (out) (coracle-loop-descriptor handle out) peek-u32)
               (make-hash-table) 0 #t)))

(define (close-loop loop)
  "Close LOOP; its operations are cancelled, and their messages go back to their mailboxes."
  (set-loop-open! loop #f)
  (coracle-loop-close (loop-handle loop)))

(define (new-key loop)
  (let ((key (+ (loop-key loop) 1)))
    (set-loop-key! loop key)
    key))

(define (begin-at loop key)
  "Return the address of a coracle_begin."
  (let ((address (allot sizeof-begin)))
    (set-begin.loop! address (loop-handle loop))
    (set-begin.key! address key)
    address))

(define (on-event! loop key take)
  "Let the procedure TAKE have the outcome of the operation KEY: (TAKE error event), where ERROR is
#f or a failure, and EVENT is the address of the event."
  (hashv-set! (loop-table loop) key take))

(define (forget-event! loop key)
  "Return #f if nothing waited for that event."
  (hashv-remove! (loop-table loop) key))

(define (release-event event)
  "Give back what an event brings that nobody wants."
  (unless (eqv? 0 (event.message event)) (give-back (event.message event)))
  (coracle-messages-free (event.messages event))
  (coracle-receipt-free (event.receipt event))
  (coracle-port-close (event.port event))
  (coracle-entries-free (event.entries event))
  (coracle-tuple-free (event.tuple event))
  (coracle-result-free (event.result event)))

(define (give-back message)
  (catch #t  ; it fails when the node has ended, and then the message has gone back
    (lambda () (coracle-message-give-back message))
    (lambda ignored (coracle-message-free message))))

(define (take-event! loop event)
  (let* ((key (event.key event))
         (take (hashv-ref (loop-table loop) key))
         (error (event.error event)))
    (hashv-remove! (loop-table loop) key)
    (cond
     ((not (eqv? error 0))
      (let ((exception (error-at error)))
        (when take (take (make-failure exception) event))))
     (take (take #f event))
     (else (release-event event)))))

(define (take-events! loop longest most)
  "Take up to MOST events of LOOP; wait for the first one, but no longer than LONGEST nanoseconds.
Return their number."
  (call-with-blocked-asyncs  ; so that none is lost
   (lambda ()
     (with-scratch
      (let ((count (allot 8))
            (events (place (* most sizeof-event))))
        (coracle-loop-wait (loop-handle loop) longest events most count)
        (let ((found (peek-u64 count)))
          (let next ((number 0))
            (when (< number found)
              (take-event! loop (+ events (* number sizeof-event)))
              (next (+ number 1))))
          found))))))

(define (wait-readable loop ports wait?)
  "Return those of PORTS, which may be descriptors, that can be read. If WAIT? is true, wait for
one, or until LOOP has something to do. Signals and other threads of Guile go on."
  (catch 'system-error
    (lambda ()
      (car (if wait?
               (select (cons (loop-descriptor loop) ports) '() '())
               (select ports '() '() 0))))
    (lambda why
      (if (= EINTR (system-error-errno why)) '() (apply throw why)))))

;; --- waiting in a thread that runs no tasks ---

;; A wait has a loop for itself: the handler of a signal may wait in the middle of another wait, and
;; must not take its event.
(define loop-of-thread (make-thread-local-fluid #f))
(define loops-of-ended-threads (make-guardian))

(define (take-loop)
  (let ((mine (fluid-ref loop-of-thread)))
    (fluid-set! loop-of-thread #f)
    (or mine
        (let ((new (open-loop)))
          (let free ((old (loops-of-ended-threads)))
            (when old
              (close-loop old)
              (free (loops-of-ended-threads))))
          (loops-of-ended-threads new)
          new))))

(define (return-loop loop)
  (if (fluid-ref loop-of-thread)
      (close-loop loop)
      (fluid-set! loop-of-thread loop)))

;; Is called when an operation has begun for which the thread then waits.
(define begun-hook (make-thread-local-fluid (lambda () #t)))

(define spin 1000000)  ; nanoseconds in which a thread waits at once, without a look at signals

(define (wait-here start read)
  "Wait in this thread for the end of an operation. START begins it, for a loop and a key, and READ
makes its result of the event."
  (let* ((loop (take-loop))
         (key (new-key loop))
         (outcome #f))
    (dynamic-wind
      (lambda () #t)
      (lambda ()
        (call-with-blocked-asyncs  ; so that no operation is left to itself
         (lambda ()
           (start loop key)
           (on-event! loop key (lambda (failure event)
                                 (set! outcome (outcome-of failure read event))))))
        ((fluid-ref begun-hook))
        (let wait ()
          (when (eqv? 0 (take-events! loop spin 1)) (wait-readable loop '() #t))
          (unless outcome (wait))))
      (lambda ()
        (unless outcome  ; START has failed, or a signal's handler has left the wait
          (when (forget-event! loop key)
            (coracle-cancel (loop-handle loop) key)
            (take-events! loop 100000000 1)))
        (return-loop loop)))
    (value-of outcome)))
