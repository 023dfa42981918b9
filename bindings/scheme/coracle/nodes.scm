;; Nodes, and agents: their beginning and their end.
(define-module (coracle nodes)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle loops)
  #:use-module (coracle memory)
  #:use-module (coracle places)
  #:use-module (coracle tasks)
  #:use-module (ice-9 threads)
  #:use-module (srfi srfi-1)
  #:use-module (srfi srfi-9)
  #:use-module (srfi srfi-9 gnu)
  #:export (open-node node? stop-node close-node call-with-node with-node stop-report?
            stop-report-clean? stop-report-still-alive stop-report-undelivered stop-report-kept
            stop-report-text open-agent close-agent agent? agent-name agent-node spawn stop-agent
            redefine-agent await
            ;; for the other modules
            node-handle node-scheduler node-stopping? node-questions set-close-procedure!
            make-role-agent agent-role agent-port agent-handle agent-in-hand set-agent-in-hand!
            agent-held set-agent-held! set-message-procedures! add-free-procedure! node-on-failure
            report-failure guard-object!))

(define-record-type <node>
  (make-node handle realization on-failure scheduler mutex agents stopping? questions)
  node?
  (handle node-handle set-node-handle!)
  (realization node-realization)
  (on-failure node-on-failure)
  (scheduler node-scheduler)  ; of the thread that runs the agents; #f: the node has threads
  (mutex node-mutex)  ; guards what follows
  (agents node-agents set-node-agents!)  ; those that have a procedure
  (stopping? node-stopping? set-node-stopping!)
  (questions node-questions))  ; a table of those that its roles have not answered

(define-record-type <agent>
  (make-agent port role name node task in-hand held)
  agent?
  (port agent-port)  ; #f if the library acts for it, because it has a role
  (role agent-role)  ; of an agent with a role by which the program acts; else 0
  (name agent-name)
  (node agent-node)
  (task agent-task set-agent-task!)  ; #f if the caller's thread acts for it
  (in-hand agent-in-hand set-agent-in-hand!)  ; the messages of its last receive
  (held agent-held set-agent-held!))  ; those that the program wants to keep

(set-record-type-printer! <node>
  (lambda (node port) (format port "#<node ~a>" (node-realization node))))
(set-record-type-printer! <agent>
  (lambda (agent port) (format port "#<agent ~a>" (agent-name agent))))

;; --- nodes ---

(define (report-failure agent exception)
  (format (current-error-port) "agent ~a failed: ~a\n" (agent-name agent)
          (exception->text exception)))

(define* (open-node #:optional realization
                    #:key identity workers content-limit connect-time patience
                    (on-failure report-failure))
  "Open a node of a society: REALIZATION is \"local:\", \"central://...\" or \"distributed:\";
without it the variable CORACLE_REALIZATION decides. In with-node, the node has no threads: its
agents run while the body waits. Elsewhere it has WORKERS threads. When the procedure of an agent
fails, (ON-FAILURE agent exception) is called; it prints a line unless another one is given."
  (let* ((scheduler (and (not workers) (current-scheduler)))
         (handle
          (with-scratch
           (let ((options (allot sizeof-node_options))
                 (out (allot 8)))
             (set-node_options.size! options sizeof-node_options)
             (set-node_options.realization! options (place-text realization "the realization"))
             (set-node_options.identity! options (place-text identity "#:identity"))
             (set-node_options.workers! options (count-of workers "#:workers"))
             (set-node_options.content_limit! options (count-of content-limit "#:content-limit"))
             (set-node_options.connect_time! options (span-of connect-time "#:connect-time"))
             (set-node_options.patience! options (span-of patience "#:patience"))
             (set-node_options.loop! options
               (if scheduler (loop-handle (scheduler-loop scheduler)) 0))
             (coracle-node-open options out)
             (peek-u64 out))))
         (node (make-node handle (or realization (getenv "CORACLE_REALIZATION") "local:")
                          on-failure scheduler (make-mutex) '() #f (make-hash-table))))
    (when scheduler (on-close! scheduler (lambda () (close-node node))))
    (guard-object! node)
    node))

(define-record-type <stop-report>
  (make-stop-report clean? still-alive undelivered kept text)
  stop-report?
  (clean? stop-report-clean?)
  (still-alive stop-report-still-alive)
  (undelivered stop-report-undelivered)
  (kept stop-report-kept)
  (text stop-report-text))

(set-record-type-printer! <stop-report>
  (lambda (report port) (format port "#<stop-report ~a>" (stop-report-text report))))

(define* (stop-node node #:key (within 10))
  "Stop NODE, for at most WITHIN seconds, and return a report. Its agents end: what they wait for
fails with an error of the kind stopped, which ends their procedures."
  (define longest (time-of within "#:within"))
  (define until (+ (get-internal-real-time) (* within internal-time-units-per-second)))
  (set-node-stopping! node #t)
  (let ((report
         (with-scratch
          (let ((report (allot sizeof-stop_report)))
            (set-stop_report.size! report sizeof-stop_report)
            (call-with-blocked-asyncs  ; it calls procedures, which signals must not leave
             (lambda () (coracle-node-stop (node-handle node) longest report)))
            (make-stop-report (true? (stop_report.clean report))
                              (stop_report.still_alive report)
                              (stop_report.undelivered report)
                              (stop_report.kept report)
                              (text-at (stop_report.text report)))))))
    (when (current-scheduler)
      (let wait ()
        (when (and (pair? (node-agents node)) (< (get-internal-real-time) until))
          (yield-task)
          (wait))))
    report))

(define (close-node node)
  "Stop NODE at once if it runs, and free it."
  (set-node-stopping! node #t)
  (call-with-blocked-asyncs (lambda () (coracle-node-close (node-handle node))))
  (hash-for-each (lambda (question ignored) (coracle-question-free question))
                 (node-questions node))
  (hash-clear! (node-questions node))
  (end-roles node))

(define end-roles #f)
(define (set-close-procedure! end)
  (set! end-roles end))

(define (call-with-node realization options use)
  "Open a node as OPEN-NODE does, with the list OPTIONS of keywords and values; call (USE node) as a
task, stop the node and return the value. When USE fails, the node is closed."
  (call-with-tasks
   (lambda ()
     (let* ((node (apply open-node realization options))
            (value (with-exception-handler
                    (lambda (exception)
                      (close-node node)
                      (raise-exception exception))
                    (lambda () (use node))
                    #:unwind? #t)))
       (catch-stopped (lambda () (stop-node node)))
       (close-node node)
       value))))

(define (catch-stopped thunk)
  (with-exception-handler
   (lambda (exception)
     (unless (or (coracle-error? exception 'stopped) (coracle-error? exception 'bad-handle))
       (raise-exception exception)))
   thunk #:unwind? #t))

;; (with-node (NAME REALIZATION KEYWORD VALUE ...) BODY ...): opens a node, runs BODY while its
;; agents run, stops the node, and returns the value of BODY.
(define-syntax with-node
  (syntax-rules ()
    ((_ (name) body ...)
     (call-with-node #f '() (lambda (name) body ...)))
    ((_ (name realization option ...) body ...)
     (call-with-node realization (list option ...) (lambda (name) body ...)))))

;; --- agents ---

(define overflows '(wait fail drop-oldest drop-newest keep-latest redirect))

(define* (place-agent-options name #:key mailbox-messages mailbox-bytes (overflow 'wait) redirect
                              (properties '()) take-over?)
  (let ((options (allot sizeof-agent_options)))
    (set-agent_options.size! options sizeof-agent_options)
    (set-agent_options.name! options (place-text name "the name of an agent"))
    (set-agent_options.mailbox_messages! options (count-of mailbox-messages "#:mailbox-messages"))
    (set-agent_options.mailbox_bytes! options (count-of mailbox-bytes "#:mailbox-bytes"))
    (set-agent_options.overflow! options (index-of overflow overflows "#:overflow"))
    (set-agent_options.redirect! options (place-text redirect "#:redirect"))
    (set-agent_options.properties! options (place-properties properties))
    (set-agent_options.property_count! options (length properties))
    (set-agent_options.take_over! options (if take-over? 1 0))
    options))
(export place-agent-options)

(define (open-agent node name . options)
  "Join the society of NODE under NAME, and return an agent for which the caller acts. The keywords
are #:mailbox-messages, #:mailbox-bytes, #:overflow with wait, fail, drop-oldest, drop-newest,
keep-latest or redirect, #:redirect with the name for what does not fit, #:properties with a list of
pairs for the directory, and #:take-over? to take the name over from a holder with the same
identity."
  (unless (node? node) (fail 'bad-argument "an agent is opened on a node, not on " node))
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-port-open (node-handle node) (apply place-agent-options name options) 0
                         (begin-at loop key))))
   (lambda (event)
     (let ((agent (make-agent (event.port event) 0 name node #f '() '())))
       (guard-object! agent)
       agent))))

(define (make-role-agent node name role)
  "Return an agent for which the library acts. ROLE is 0, or the handle by which the program does."
  (let ((agent (make-agent #f role name node #f '() '())))
    (unless (eqv? 0 role) (guard-object! agent))
    agent))

(define (agent-handle agent)
  (or (agent-port agent)
      (fail 'bad-argument "the agent " (agent-name agent) " acts by its role alone; open another "
            "agent, which sends and receives")))

(define (close-agent agent)
  "Leave the society. Unread messages stay for the next holder of the name. The procedure of an
agent that was spawned gets an error of the kind stopped from what it waits for. A client, a master
and a planner end after the operations that have begun; other roles end with their node."
  (release-messages agent)
  (coracle-role-free (agent-role agent))
  (when (agent-port agent) (coracle-port-close (agent-port agent))))

(define message-free #f)
(define message-end #f)
(define message-asks? #f)
(define (set-message-procedures! free end asks?)
  (set! message-free free)
  (set! message-end end)
  (set! message-asks? asks?))

(define (release-messages agent)
  (for-each message-free (agent-in-hand agent))
  (for-each message-free (agent-held agent))
  (set-agent-in-hand! agent '())
  (set-agent-held! agent '()))

(define (end-messages agent)
  ;; Messages in hand go back to the mailbox.
  (give-back-messages agent (const #t))
  (release-messages agent))

(define (give-back-messages agent which?)
  (for-each message-end (filter which? (append (agent-held agent) (agent-in-hand agent)))))

(define (fail-agent agent exception)
  ;; The library tells those who wait for a reply.
  (give-back-messages agent (negate message-asks?))
  (catch #t
    (lambda ()
      (with-scratch
       (coracle-port-fail (agent-port agent)
                          (place-text (exception->line exception) "the failure"))))
    (lambda ignored #f))  ; the node has stopped
  (release-messages agent))

(define (end-agent agent outcome)
  ;; Is called when the procedure of the agent has ended.
  (let ((node (agent-node agent)))
    (cond
     ((stopped? outcome) (end-messages agent))
     ((failure? outcome)
      (let ((exception (failure-exception outcome)))
        (fail-agent agent exception)
        (catch #t
          (lambda () ((node-on-failure node) agent exception))
          (lambda ignored #f)))))
    (close-agent agent)
    (with-mutex (node-mutex node)
      (set-node-agents! node (delq agent (node-agents node))))))

(define (spawn node name procedure . options)
  "Join the society of NODE under NAME, and call (PROCEDURE agent) beside the caller: as a task of
this thread, or of a thread for all agents that are spawned outside of with-node. The agent leaves
when PROCEDURE returns. Return the agent. The keywords are those of OPEN-AGENT."
  (require-procedure procedure)
  (let* ((agent (apply open-agent node name options))
         (scheduler (or (current-scheduler) (background-scheduler)))
         (task (make-task scheduler (lambda () (procedure agent))
                          (lambda (outcome) (end-agent agent outcome)))))
    (set-agent-task! agent task)
    (with-mutex (node-mutex node)
      (set-node-agents! node (cons agent (node-agents node))))
    (start-task! task)
    agent))

(define (require-procedure procedure)
  (unless (procedure? procedure)
    (fail 'bad-argument "an agent acts by a procedure of one argument, not by " procedure)))

(define (order agent what)
  (unless (agent-task agent)
    (fail 'bad-argument "the agent " (agent-name agent) " has no procedure: it was opened, not "
          "spawned"))
  (let ((task (agent-task agent)))
    (post! (task-scheduler task) (lambda () (interrupt-task! task what)))))

(define (stop-agent agent)
  "Ask an agent that was spawned to stop: what it waits for raises an error of the kind stopped."
  (order agent 'stop))

(define (redefine-agent agent procedure)
  "Let AGENT, which was spawned, begin again with PROCEDURE. It keeps its name, its mailbox and its
groups. What it waits for raises an error of the kind stopped, which ends the old procedure;
messages in hand go back to the mailbox."
  (require-procedure procedure)
  (order agent (lambda ()
                 (end-messages agent)
                 (procedure agent))))

(define (await what)
  "Wait until WHAT, a spawned agent or a task, has ended, and return the value of its procedure: #f
if it was stopped. Raise its error if it failed."
  (cond
   ((task? what) (await-task what))
   ((and (agent? what) (agent-task what)) => await-task)
   (else (fail 'bad-argument "await wants a spawned agent or a task, not " what))))

;; --- what the program has lost ---

(define lost (make-guardian))
(define free-procedures '())

(define (add-free-procedure! is? free)
  "Let (FREE object) free the objects for which IS? is true when they have become garbage."
  (set! free-procedures (acons is? free free-procedures)))

(define (guard-object! object)
  ;; Registers it, and frees what has become garbage in the meantime.
  (let next ((old (lost)))
    (when old
      (for-each (lambda (each) (when ((car each) old) ((cdr each) old))) free-procedures)
      (next (lost))))
  (lost object))

(add-free-procedure! node? close-node)
(add-free-procedure! agent? close-agent)
