;; Masters and slaves.
(define-module (coracle labour)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle questions)
  #:use-module (coracle tasks)
  #:use-module (coracle values)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-1)
  #:use-module (system foreign)
  #:export (start-slave start-master divide))

(define on-task
  (question-procedure (list size_t size_t)
    (lambda (role self question task size context)
      (let ((task (value-at task size)))
        (lambda ()
          (put-value coracle-answer question ((role-ref role 'work) task)
                     (role-ref role 'gives)))))
    #:may-refuse? #f))

(define-starter (start-slave node name (takes #f) (gives #f) (work #f) (leaves? #f)) options
  "Start a slave as an agent of NODE, and return it: (WORK task) returns the result. TAKES and GIVES
are their types, as for START-SERVER. An error in WORK ends the slave, and another one gets the
task. If LEAVES? is true, the slave ends when its master is gone; else it waits for another one.
Other keywords are those of OPEN-AGENT."
  (let ((takes (type-name takes "#:takes"))
        (gives (type-name gives "#:gives")))
    (start-role node name options
      `((work . ,(require-procedure work "#:work")) (gives . ,gives))
      (lambda (handle place number)
        (let ((slave (allot sizeof-slave)))
          (set-slave.size! slave sizeof-slave)
          (set-slave.takes! slave (place-text takes "#:takes"))
          (set-slave.gives! slave (place-text gives "#:gives"))
          (set-slave.leaves! slave (if leaves? 1 0))
          (set-slave.work! slave on-task)
          (set-slave.end! slave end-of-role)
          (set-slave.context! slave number)
          (coracle-slave-start handle place slave))))))

(define on-result
  (notice-procedure (list uint64 size_t size_t)
    (lambda (role self task value size context)
      (let ((value (value-at value size)))
        (lambda () ((role-ref role 'result) task value))))))

(define on-progress
  (notice-procedure (list uint64 uint64)
    (lambda (role self done all context)
      (lambda () ((role-ref role 'progress) done all)))))

(define on-refusal
  (notice-procedure (list size_t size_t)
    (lambda (role self slave why context)
      (let ((slave (text-at slave))
            (why (text-at why)))
        (lambda () ((role-ref role 'refusal) slave why))))))

(define-starter (start-master node name (tasks #f) (results #f) (slaves '()) (result #f)
                              (progress #f) (refusal #f))
  options
  "Start a master as an agent of NODE, and return it; DIVIDE gives it tasks, and CLOSE-AGENT ends
it. TASKS and RESULTS are the types of both, and SLAVES the names of its slaves, which any program
makes at any time. Each of these may be given: (RESULT number value) is called for each task that is
done, (PROGRESS done all) from time to time, and (REFUSAL slave why) when a slave does not work for
this master. Other keywords are those of OPEN-AGENT."
  (let ((tasks (type-name tasks "#:tasks"))
        (results (type-name results "#:results")))
    (start-actor node name options
      `((result . ,result) (progress . ,progress) (refusal . ,refusal))
      (lambda (handle place number out)
        (let ((master (allot sizeof-master)))
          (set-master.size! master sizeof-master)
          (set-master.task_type! master (place-text tasks "#:tasks"))
          (set-master.result_type! master (place-text results "#:results"))
          (set-texts (master.slaves master) slaves "#:slaves")
          (set-master.result! master (if-given result on-result "#:result"))
          (set-master.progress! master (if-given progress on-progress "#:progress"))
          (set-master.refusal! master (if-given refusal on-refusal "#:refusal"))
          (set-master.end! master end-of-role)
          (set-master.context! master number)
          (coracle-master-start handle place master out))))))

(define shares-of-slaves '(guided fixed dynamic))

(define (place-tasks contents)
  (place-all contents sizeof-value
    (lambda (at bytes place)
      (set-value.value! at (place-bytes bytes (bytevector-length bytes)))
      (set-value.size! at (bytevector-length bytes)))))

(define* (divide master tasks #:key type slave (shares 'guided) chunk most ordered? ahead attempts)
  "Let MASTER give TASKS, a list, to its slaves, and return the list of their results, in the order
of the tasks. TYPE is that of the tasks, if these are vectors or lists. SLAVE is the only one that
gets the tasks, of which there is one then. SHARES is guided, fixed or dynamic: chunks that become
smaller, an equal part for each slave, or CHUNK tasks at a time; a slave has MOST tasks at most. If
ORDERED? is true, results are reported in order, and up to AHEAD wait for it. The division fails
when ATTEMPTS slaves have died over one task."
  (unless (list? tasks) (fail 'bad-argument "the tasks are a list, not " tasks))
  (let* ((type (cond
                (type (type-name type "#:type"))
                ((pair? tasks) (type-of (car tasks)))
                (else "")))
         (contents (map (lambda (task) (typed->bytes task type)) tasks)))
    (performed (begin)
      (let ((division (allot sizeof-division)))
        (set-division.size! division sizeof-division)
        (set-division.tasks! division (place-tasks contents))
        (set-division.task_count! division (length contents))
        (set-division.slave! division (place-text slave "#:slave"))
        (set-division.shares! division (index-of shares shares-of-slaves "#:shares"))
        (set-division.chunk! division (count-of chunk "#:chunk"))
        (set-division.most! division (count-of most "#:most"))
        (set-division.ordered! division (if ordered? 1 0))
        (set-division.ahead! division (count-of ahead "#:ahead" 64))
        (set-division.attempts! division (count-of attempts "#:attempts" 8))
        (coracle-master-divide (acting-role master "a master") division 0 begin))
      read-values)))
