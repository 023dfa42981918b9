;; The procedures of roles: the library calls them, while it takes events, by functions of C. Such a
;; function copies what it is given, and starts a task; the value of the task is the answer.
(define-module (coracle questions)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle loops)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle tasks)
  #:use-module (coracle values)
  #:use-module (ice-9 control)
  #:use-module (ice-9 threads)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-1)
  #:use-module (srfi srfi-9)
  #:use-module (system foreign)
  #:export (define-starter start-role start-actor call-with-role role-agent role-functions role-ref
            role-table context-of place-of end-of-role
            question-procedure notice-procedure immediate-procedure
            acting-role target-name if-given fail-now
            call-or-refuse end-question role-at place-all put-value set-texts texts-at value-at
            read-values read-result require-procedure))

;; --- roles ---

(define-record-type <role>
  (make-role agent quiet? functions failure table)
  role?
  (agent role-agent)
  (quiet? role-quiet?)  ; failures go to those who ask, and it continues
  (functions role-functions)  ; procedures, and what these need
  (failure role-failure set-role-failure!)  ; a text, of a procedure that gives no answer
  (table role-table))  ; for the agents of a kind, when there are several

(define (role-ref role key)
  (assq-ref (role-functions role) key))

;; C knows a role by its number.
(define roles (make-hash-table))
(define last-number 0)
(define mutex (make-mutex))

(define (add-role! agent functions quiet?)
  (with-mutex mutex
    (set! last-number (+ last-number 1))
    (hashv-set! roles last-number (make-role agent quiet? functions #f (make-hash-table)))
    last-number))

(define (remove-role! number)
  (with-mutex mutex (hashv-remove! roles number)))

;; A node that is closed calls nothing any more.
(define (remove-roles! node)
  (with-mutex mutex
    (for-each (lambda (number) (hashv-remove! roles number))
              (hash-fold (lambda (number role found)
                           (if (eq? node (role-node role)) (cons number found) found))
                         '() roles))))
(set-close-procedure! remove-roles!)

(define (role-node role)
  (agent-node (role-agent role)))

(define (role-at context)
  (with-mutex mutex (hashv-ref roles (logand context #xFFFFFFFF))))

;; A role that consists of several things gives each of them a context of its own.
(define (context-of number place) (logior number (ash place 32)))
(define (place-of context) (ash context -32))

(define* (call-with-role node agent functions start #:key quiet?)
  "Call (START number) with the number of a new role, which lasts until it or NODE has ended."
  (unless (node? node) (fail 'bad-argument "an agent with a role needs a node, not " node))
  (unless (node-scheduler node)
    (fail 'unsupported "the procedures of a role run as tasks, so its node must be opened in "
          "with-node, without #:workers"))
  (hurry! (node-scheduler node))
  (let ((number (add-role! agent functions quiet?)))
    (with-exception-handler
     (lambda (exception)
       (remove-role! number)
       (raise-exception exception))
     (lambda () (call-with-blocked-asyncs (lambda () (with-scratch (start number)))))
     #:unwind? #t)))

(define* (start-role node name options functions start #:key quiet?)
  "Start an agent with a role, and return it: (START node options number) begins it; the first two
are for the library. If QUIET? is true, failures of FUNCTIONS go to those who ask, and it goes on."
  (let ((agent (make-role-agent node name 0)))
    (call-with-role node agent functions
      (lambda (number)
        (start (node-handle node) (apply place-agent-options name options) number))
      #:quiet? quiet?)
    agent))

(define (start-actor node name options functions start)
  "The same for a role by which the program acts: START gets a place for its handle, too."
  (call-with-role node (make-role-agent node name 0) functions
    (lambda (number)
      (let ((out (allot 8)))
        (start (node-handle node) (apply place-agent-options name options) number out)
        (make-role-agent node name (peek-u64 out))))))

;; (define-starter (NAME NODE AGENT (KEY DEFAULT) ...) OPTIONS TEXT BODY ...): a procedure that
;; takes these keywords; OPTIONS are the other ones, which OPEN-AGENT knows.
(define-syntax-rule (define-starter (name node agent (key default) ...) options text body ...)
  (define* (name node agent #:key (key default) ... #:allow-other-keys #:rest all)
    text
    (let ((options (others (map symbol->keyword '(key ...)) all)))
      body ...)))

(define (others keywords options)
  (cond
   ((or (null? options) (null? (cdr options))) options)
   ((memq (car options) keywords) (others keywords (cddr options)))
   (else (cons* (car options) (cadr options) (others keywords (cddr options))))))

(define (require-procedure procedure what)
  "Return PROCEDURE."
  (unless (procedure? procedure) (fail 'bad-argument what " is a procedure, not " procedure))
  procedure)

(define (if-given procedure function what)
  "Return FUNCTION, an address, if there is a PROCEDURE, and null if not."
  (if procedure (begin (require-procedure procedure what) function) 0))

(define (target-name to)
  "Return the name of TO, which may be an agent."
  (if (agent? to) (agent-name to) to))

(define (call-or-refuse thunk refuse)
  "Call THUNK, or (REFUSE reason) when it refuses."
  (let ((reason
         (with-exception-handler
          (lambda (exception)
            (if (refusal? exception) (exception->line exception) (raise-exception exception)))
          (lambda () (thunk) #f)
          #:unwind? #t)))
    (when reason (refuse reason))))

(define (acting-role agent what)
  "Return the handle by which the program acts for AGENT."
  (when (or (not (agent? agent)) (eqv? 0 (agent-role agent)))
    (fail 'bad-argument what " is wanted, not " agent))
  (agent-role agent))

;; --- functions of C ---

(define kept '())  ; C calls them as long as the process lives

(define (c-function result types procedure)
  (let ((pointer (procedure->pointer result procedure types)))
    (set! kept (cons pointer kept))
    (pointer-address pointer)))

(define left
  (make-coracle-error 'bad-argument
                      "a procedure that answers at once was left by a continuation; let it return"))

(define (guarded thunk otherwise)
  ;; Returns the value of THUNK, or of (OTHERWISE exception); nothing leaves through C.
  (call-with-blocked-asyncs
   (lambda ()
     (call-outside-of-tasks
      (lambda ()
        (let/ec leave
          (let ((inside? #t))
            (dynamic-wind
              (lambda () #t)
              (lambda ()
                (let ((value (with-exception-handler otherwise thunk #:unwind? #t)))
                  (set! inside? #f)
                  value))
              (lambda ()
                (when inside? (leave (otherwise left))))))))))))

(define-syntax-rule (quietly body ...)
  ;; An answer that nobody wants any more is no failure.
  (with-exception-handler (lambda (exception) #f) (lambda () body ...) #:unwind? #t))

(define (obey-failure role self)
  ;; A procedure that gives no answer has failed before.
  (let ((failure (role-failure role)))
    (when failure
      (with-scratch (coracle-agent-end self (place-text failure "the failure"))))))

(define* (question-procedure types make-body #:key (may-refuse? #t))
  "Return the address of a function of C. It gets the arguments TYPES between a question and a
context: (MAKE-BODY role self question argument ... context) copies them, and returns the body of a
task, which answers the question. Where it is not so that it MAY-REFUSE?, a refusal is a failure."
  (c-function void (append (list size_t size_t) types (list size_t))
    (lambda (self question . arguments)
      (guarded
       (lambda ()
         (let ((role (role-at (last arguments))))
           (cond
            ((not role) (coracle-question-free question))
            ((node-stopping? (role-node role)) (add-question! role question))  ; nothing runs now
            (else
             (obey-failure role self)
             (start-body role question may-refuse?
                         (apply make-body role self question arguments))))))
       (lambda (exception)
         (fail-question question exception))))))

(define (add-question! role question)
  (hashv-set! (node-questions (role-node role)) question #t))

(define (start-task role body on-end)
  (start-task-later! (make-task (node-scheduler (role-node role)) body on-end)))

(define (start-body role question may-refuse? body)
  (add-question! role question)
  (start-task role body
              (lambda (outcome)
                (hashv-remove! (node-questions (role-node role)) question)
                (when (failure? outcome)
                  (end-question role question may-refuse? (failure-exception outcome))))))

(define (end-question role question may-refuse? exception)
  (cond
   ((and may-refuse? (refusal? exception)) (refuse-question question exception))
   (else
    (fail-question question exception)
    (unless (role-quiet? role) (report role exception)))))

(define (report role exception)
  ;; The library prints a line itself when the agent ends.
  (let ((on-failure (node-on-failure (role-node role))))
    (unless (or (coracle-error? exception 'stopped) (eq? on-failure report-failure))
      (quietly (on-failure (role-agent role) exception)))))

(define (refuse-question question refusal)
  (quietly
   (with-scratch
    (coracle-question-refuse question (place-text (exception->line refusal) "the reason")))))

(define (fail-question question exception)
  (quietly
   (with-scratch
    (coracle-question-fail question (place-text (exception->line exception) "the failure")))))

(define* (notice-procedure types make-body #:key last?)
  "Return the address of a function of C without a question; the rest is as above. When its task
fails, the role ends when the library calls it the next time, unless this is its LAST? call."
  (c-function void (append (list size_t) types (list size_t))
    (lambda (self . arguments)
      (guarded
       (lambda ()
         (let ((role (role-at (last arguments))))
           (when role
             (obey-failure role self)
             (start-task role (apply make-body role self arguments)
                         (lambda (outcome) (end-notice role outcome last?))))))
       (lambda (exception) #f)))))

(define (end-notice role outcome last?)
  (when (and (failure? outcome) (not (role-failure role)))
    (let ((exception (failure-exception outcome)))
      (unless (or last? (coracle-error? exception 'stopped))
        (set-role-failure! role (exception->line exception)))
      (report role exception))))

(define* (immediate-procedure types procedure otherwise #:optional (result void))
  "Return the address of a function of C: (PROCEDURE role argument ... context) answers at once, and
when it fails, (OTHERWISE exception argument ... context) does."
  (c-function result (append types (list size_t))
    (lambda arguments
      (guarded
       (lambda () (apply procedure (role-at (last arguments)) arguments))
       (lambda (exception) (apply otherwise exception arguments))))))

(define (fail-now self context exception)
  "End the agent SELF of a role, because one of its procedures has failed at once."
  (quietly
   (with-scratch (coracle-agent-end self (place-text (exception->line exception) "the failure")))
   (let ((role (role-at context)))
     (when role (report role exception)))))

;; The last call for a role.
(define end-of-role
  (c-function void (list size_t) (lambda (number) (guarded (lambda () (remove-role! number))
                                                           (lambda (exception) #f)))))

;; --- values and results ---

(define (place-all things size place-one)
  "Return the address of an array with SIZE bytes for each of THINGS: (PLACE-ONE address thing
place) writes it, where PLACE counts from 0. It is null for none."
  (if (null? things)
      0
      (let ((array (allot (* size (length things)))))
        (for-each (lambda (thing place) (place-one (+ array (* place size)) thing place))
                  things (iota (length things)))
        array)))

(define-syntax-rule (put-value write question value type argument ...)
  ;; Calls (WRITE question argument ... bytes size).
  (let ((bytes (typed->bytes value type)))
    (with-scratch
     (write question argument ... (place-bytes bytes (bytevector-length bytes))
            (bytevector-length bytes)))))

(define (set-texts address texts what)
  "Write TEXTS, a list of strings, as a coracle_texts at ADDRESS."
  (unless (list? texts) (fail 'bad-argument what " are a list of strings, not " texts))
  (set-texts.texts! address (place-texts texts what))
  (set-texts.count! address (length texts)))

(define (texts-at address)
  "Return the coracle_texts at ADDRESS as a list."
  (map (lambda (number) (text-at (peek-u64 (+ (texts.texts address) (* 8 number)))))
       (iota (texts.count address))))

(define (value-at address size)
  "Return the value of the CBOR at ADDRESS."
  (bytes->value (bytes-at address size)))

(define (read-result event read)
  "Return (READ result) for the handle of the result of EVENT, which is freed."
  (let ((result (event.result event)))
    (dynamic-wind
      (lambda () #t)
      (lambda () (read result))
      (lambda () (coracle-result-free result)))))

(define (read-values event)
  "Return the values of the result of EVENT, as a list."
  (read-result event
    (lambda (result)
      (with-scratch
       (let ((out (allot 16)))
         (coracle-result-count result out)
         (map-in-order
          (lambda (number)
            (coracle-result-value result number out (+ out 8))
            (value-at (peek-u64 out) (peek-u64 (+ out 8))))
          (iota (peek-u64 out))))))))
