;; Tuple spaces: agents leave tuples for each other, and find them by their form.
(define-module (coracle tuples)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle loops)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle tasks)
  #:use-module (rnrs bytevectors)
  #:export (start-space tuple-out tuple-in tuple-rd tuple-inp tuple-rdp tuple-eval
            tuple-notify tuple-next tuple-missed tuple-unnotify
            ;; for evaluators
            place-fields read-field))

(define (start-space node name . options)
  "Start a tuple space as an agent of NODE. The keywords are those of OPEN-AGENT."
  (with-scratch
   (coracle-space-start (node-handle node) (apply place-agent-options name options))))

(define kinds '(boolean integer number text bytes))

(define (place-field at value is-pattern?)
  (cond
   ((and (symbol? value) is-pattern?)
    (set-field.kind! at (index-of value kinds "a field of a pattern"))
    (set-field.any! at 1))
   ((boolean? value)
    (set-field.kind! at 0)
    (set-field.integer! at (if value 1 0)))
   ((and (exact-integer? value) (<= (- (ash 1 63)) value (- (ash 1 63) 1)))
    (set-field.kind! at 1)
    (set-field.integer! at value))
   ((and (real? value) (inexact? value))
    (set-field.kind! at 2)
    (set-field.number! at value))
   ((string? value) (place-data at 3 (string->utf8 value)))
   ((bytevector? value) (place-data at 4 value))
   (else
    (fail 'bad-argument "a field is a truth value, a whole number of 64 bits, an inexact number, a "
          "string or a bytevector, not " value))))

(define (place-data at kind bytes)
  (set-field.kind! at kind)
  (set-field.data! at (place-bytes bytes (bytevector-length bytes)))
  (set-field.size! at (bytevector-length bytes)))

(define (place-fields fields is-pattern?)
  (unless (and (list? fields) (<= 1 (length fields) 16))
    (fail 'bad-argument "a tuple is a list of 1 to 16 fields, not " fields))
  (let ((array (allot (* sizeof-field (length fields)))))
    (let next ((fields fields) (at array))
      (unless (null? fields)
        (place-field at (car fields) is-pattern?)
        (next (cdr fields) (+ at sizeof-field))))
    array))

(define* (tuple-out agent space tuple #:key lease)
  "Store TUPLE, a list, in SPACE; after LEASE seconds it is removed."
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-tuple-out (agent-handle agent) (place-text space "the space")
                         (place-fields tuple #f) (length tuple) (span-of lease "#:lease")
                         (begin-at loop key))))
   (lambda (event) #t)))

(define (read-tuple event)
  (let ((tuple (event.tuple event)))
    (and (not (eqv? 0 tuple))
         (with-scratch
          (let ((field (allot sizeof-field)))
            (coracle-tuple-count tuple field)
            (let next ((number (- (peek-u64 field) 1)) (found '()))
              (cond
               ((< number 0)
                (coracle-tuple-free tuple)
                found)
               (else
                (coracle-tuple-field tuple number field)
                (next (- number 1) (cons (read-field field) found))))))))))

(define (read-field field)
  (case (field.kind field)
    ((0) (true? (field.integer field)))
    ((1) (field.integer field))
    ((2) (field.number field))
    ((3) (bytes->text (bytes-at (field.data field) (field.size field))))
    (else (bytes-at (field.data field) (field.size field)))))

(define-syntax-rule (define-waiting name call text)
  (define* (name agent space pattern #:key within)
    text
    (perform
     (lambda (loop key)
       (with-scratch
        (call (agent-handle agent) (place-text space "the space") (place-fields pattern #t)
              (length pattern) (span-of within "#:within") 0 (begin-at loop key))))
     read-tuple)))

(define-waiting tuple-in coracle-tuple-in
  "Take the oldest tuple of SPACE that fits PATTERN, and return it as a list; wait for one, and
return #f when none came WITHIN that many seconds. A field of PATTERN is a value, or one of the
symbols boolean, integer, number, text and bytes, which fits every value of its kind.")
(define-waiting tuple-rd coracle-tuple-rd
  "Return a tuple as TUPLE-IN does, but leave it in SPACE.")

(define-syntax-rule (define-immediate name call text)
  (define (name agent space pattern)
    text
    (perform
     (lambda (loop key)
       (with-scratch
        (call (agent-handle agent) (place-text space "the space") (place-fields pattern #t)
              (length pattern) 0 (begin-at loop key))))
     read-tuple)))

(define-immediate tuple-inp coracle-tuple-inp
  "Take a tuple as TUPLE-IN does, but return #f when there is none now.")
(define-immediate tuple-rdp coracle-tuple-rdp
  "Return a tuple as TUPLE-RD does, but return #f when there is none now.")

(define (tuple-eval agent space function arguments)
  "Request the evaluation of FUNCTION, a name, with the list ARGUMENTS by an agent that offers it to
SPACE, as START-EVALUATOR lets it do. The result is a tuple in SPACE. Fail with refused when no
agent offers it."
  (perform
   (lambda (loop key)
     (with-scratch
      (coracle-tuple-eval (agent-handle agent) (place-text space "the space")
                          (place-text function "the function")
                          (if (null? arguments) 0 (place-fields arguments #f)) (length arguments)
                          (begin-at loop key))))
   (lambda (event) #t)))

;; --- notices ---

(define* (tuple-notify agent space pattern #:key lease)
  "Let AGENT be told of each tuple that fits PATTERN and comes to SPACE from now on, for LEASE
seconds, or until TUPLE-UNNOTIFY. Return a number for TUPLE-NEXT."
  (performed (begin)
    (coracle-tuple-notify (agent-handle agent) (place-text space "the space")
                          (place-fields pattern #t) (length pattern) (span-of lease "#:lease") 0
                          begin)
    (lambda (event) (event.number event))))

(define (notices-of number)
  (count-of number "the number of TUPLE-NOTIFY" 64))

(define* (tuple-next agent notices #:key within)
  "Return the next tuple, as a list, of which AGENT was told by NOTICES, a number of TUPLE-NOTIFY.
Wait for one, and return #f when none came WITHIN that many seconds; the end of the lease or of the
space does not end the wait. Another agent may have taken the tuple by then."
  (performed (begin)
    (coracle-tuple-next (agent-handle agent) (notices-of notices) (span-of within "#:within") 0
                        begin)
    read-tuple))

(define (tuple-missed agent notices)
  "Return the number of NOTICES, of those known now, for which the mailbox of AGENT had no room."
  (performed (begin)
    (coracle-tuple-missed (agent-handle agent) (notices-of notices) 0 begin)
    (lambda (event) (event.number event))))

(define (tuple-unnotify agent notices)
  "End NOTICES, a number of TUPLE-NOTIFY. Those that were not read are lost."
  (performed (begin)
    (coracle-tuple-unnotify (agent-handle agent) (notices-of notices) begin)
    (lambda (event) #t)))
