;; Groups, eavesdropping, and the directory.
(define-module (coracle society)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle loops)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle tasks)
  #:use-module (srfi srfi-9)
  #:use-module (srfi srfi-9 gnu)
  #:export (join-group leave-group group-members overhear stop-overhearing describe search entry?
            entry-name entry-properties watch place-query))

(define-record-type <entry>
  (make-entry name properties)
  entry?
  (name entry-name)
  (properties entry-properties))

(set-record-type-printer! <entry>
  (lambda (entry port) (format port "#<entry ~a ~s>" (entry-name entry) (entry-properties entry))))

(define (nothing event) #t)

(define* (join-group agent group #:key (last 0))
  "Let AGENT join a group, and receive up to LAST earlier messages of each sender."
  (performed (begin)
    (coracle-join (agent-handle agent) (place-text group "the group") (count-of last "#:last")
                  begin)
    nothing))

(define (leave-group agent group)
  "Let AGENT leave a group."
  (performed (begin)
    (coracle-leave (agent-handle agent) (place-text group "the group") begin)
    nothing))

(define (group-members agent group)
  "Return the names of the members of a group now."
  (performed (begin)
    (coracle-members (agent-handle agent) (place-text group "the group") 0 begin)
    (lambda (event) (map entry-name (read-entries event)))))

(define* (overhear agent #:key source target text (components '()) limit rate outcomes)
  "Let AGENT receive copies of the messages of others, until STOP-OVERHEARING. SOURCE and TARGET are
regular expressions (RE2) for the whole names, TEXT is one that is found in the content, COMPONENTS
are pairs. Up to LIMIT copies may wait. Each worker of a node makes about RATE copies in a second.
If OUTCOMES is true, notices of what becomes of the messages come, too; MESSAGE-NOTICE reads them.
Return the number of the tap, for #:tap of RECEIVE."
  (performed (begin)
    (let ((pattern (allot sizeof-pattern)))
      (set-pattern.size! pattern sizeof-pattern)
      (set-pattern.source! pattern (place-text source "#:source"))
      (set-pattern.target! pattern (place-text target "#:target"))
      (set-pattern.text! pattern (place-text text "#:text"))
      (set-pattern.components! pattern (place-headers components))
      (set-pattern.component_count! pattern (length components))
      (set-pattern.limit! pattern (count-of limit "#:limit"))
      (set-pattern.rate! pattern (count-of rate "#:rate" 64))
      (set-pattern.outcomes! pattern (if outcomes 1 0))
      (coracle-overhear (agent-handle agent) pattern 0 begin))
    (lambda (event) (event.number event))))

(define (stop-overhearing agent tap)
  "End TAP, a number that OVERHEAR returned."
  (performed (begin)
    (coracle-stop-overhearing (agent-handle agent) tap begin)
    nothing))

;; --- the directory ---

(define (describe agent properties)
  "Publish PROPERTIES, a list of pairs, in the directory instead of those from before. A value is a
truth value, a whole number, an inexact number or a string."
  (performed (begin)
    (coracle-describe (agent-handle agent) (place-properties properties) (length properties) begin)
    nothing))

(define comparisons '(exists = not-equal < <= > >= matches))

(define (place-conditions conditions)
  (if (null? conditions)
      0
      (let ((array (allot (* sizeof-condition (length conditions)))))
        (let next ((conditions conditions) (at array))
          (unless (null? conditions)
            (place-condition at (car conditions))
            (next (cdr conditions) (+ at sizeof-condition))))
        array)))

(define (place-condition at condition)
  (unless (and (list? condition) (<= 2 (length condition) 3))
    (fail 'bad-argument "a condition is a list such as (< \"price\" 5) or (exists \"price\"), not "
          condition))
  (set-condition.comparison! at (index-of (car condition) comparisons "a comparison"))
  (place-property (condition.operand at) (cadr condition)
                  (if (null? (cddr condition)) #t (caddr condition))))

(define* (search agent #:key prefix (where '()) limit)
  "Return the entries of the directory whose names begin with PREFIX and for which all conditions
WHERE hold, up to LIMIT. A condition is a list such as (= \"role\" \"cook\"), with =, not-equal, <,
<=, >, >=, matches with a regular expression, or exists with a key alone."
  (performed (begin)
    (coracle-search (agent-handle agent) (place-query prefix where limit) 0 begin)
    read-entries))

(define (place-query prefix where limit)
  "Return the address of a search of the directory."
  (let ((query (allot sizeof-query)))
    (set-query.size! query sizeof-query)
    (set-query.prefix! query (place-text prefix "#:prefix"))
    (set-query.conditions! query (place-conditions where))
    (set-query.condition_count! query (length where))
    (set-query.limit! query (count-of limit "#:limit"))
    query))

(define (read-entries event)
  (let ((entries (event.entries event)))
    (with-scratch
     (let ((out (allot 16)))
       (coracle-entries-count entries out)
       (let ((count (peek-u64 out)))
         (let next ((number (- count 1)) (found '()))
           (cond
            ((< number 0)
             (coracle-entries-free entries)
             found)
            (else
             (coracle-entries-at entries number out (+ out 8))
             (let ((name (text-at (peek-u64 out))))
               (next (- number 1)
                     (cons (make-entry name (read-properties entries number (peek-u64 (+ out 8))))
                           found)))))))))))

(define (read-properties entries number count)
  (with-scratch
   (let ((out (allot sizeof-property)))
     (let next ((property (- count 1)) (found '()))
       (cond
        ((< property 0) found)
        (else
         (coracle-entries-property entries number property out)
         (next (- property 1)
               (acons (text-at (property.key out))
                      (case (property.kind out)
                        ((0) (true? (property.integer out)))
                        ((1) (property.integer out))
                        ((2) (property.number out))
                        (else (text-at (property.text out))))
                      found))))))))

(define (watch agent name)
  "Wait for the next end of the agent NAME, and return its reason: stopped, crashed, unreachable,
expired or fenced."
  (performed (begin)
    (coracle-watch (agent-handle agent) (place-text name "the name") 0 begin)
    (lambda (event)
      (let ((reasons #(stopped crashed unreachable expired fenced))
            (number (event.number event)))
        (if (< number (vector-length reasons)) (vector-ref reasons number) 'unknown)))))
