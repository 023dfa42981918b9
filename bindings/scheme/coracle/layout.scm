;; The structs of <coracle.h>. Each field NAME of a struct S is read by (S.NAME address) and written
;; by (set-S.NAME! address value); S.size is the size of the struct. tests/layout.scm compares this
;; page with the header.
(define-module (coracle layout)
  #:use-module (coracle memory)
  #:use-module (system foreign)
  #:export (layouts))

(eval-when (expand load eval)
  (define (type-of name)
    (case name
      ((pointer size u64 i64) int64)
      ((u32 enum int) int32)
      ((bool) uint8)
      ((double) double)
      (else (make-list (/ name 8) int64))))  ; a struct of so many bytes

  (define (round-up size type)
    (let ((unit (alignof type))) (* unit (quotient (+ size unit -1) unit))))

  ;; The offset of each field, and then the size of the struct.
  (define (offsets types)
    (let next ((types types) (at 0) (found '()))
      (if (null? types)
          (reverse (cons (round-up at int64) found))
          (let* ((type (type-of (car types)))
                 (here (round-up at type)))
            (next (cdr types) (+ here (sizeof type)) (cons here found)))))))

(define layouts '())

(define-syntax define-struct
  (lambda (form)
    (define dot (string->symbol "."))
    (define (peek-of type)
      (case type
        ((pointer size u64) #'peek-u64)
        ((i64) #'peek-i64)
        ((u32 enum int) #'peek-u32)
        ((bool) #'peek-u8)
        ((double) #'peek-f64)
        (else #'identity)))
    (define (poke-of type)
      (case type
        ((pointer size u64) #'poke-u64!)
        ((i64) #'poke-i64!)
        ((u32 enum int) #'poke-u32!)
        ((bool) #'poke-u8!)
        ((double) #'poke-f64!)
        (else #'values)))  ; it is written by its own fields
    (define (named struct . parts)
      (datum->syntax
       struct
       (apply symbol-append
              (map (lambda (part) (if (symbol? part) part (syntax->datum part))) parts))))
    (syntax-case form ()
      ((_ struct (name type) ...)
       (let* ((types (map syntax->datum #'(type ...)))
              (found (offsets types)))
         (with-syntax (((get ...) (map (lambda (n) (named #'struct #'struct dot n)) #'(name ...)))
                       ((put ...) (map (lambda (n) (named #'struct 'set- #'struct dot n '!))
                                       #'(name ...)))
                       ((peek ...) (map peek-of types))
                       ((poke ...) (map poke-of types))
                       ((at ... all) found)
                       (whole (named #'struct 'sizeof- #'struct)))
           #'(begin
               (define-syntax-rule (get address) (peek (+ address at))) ...
               (define-syntax-rule (put address value) (poke (+ address at) value)) ...
               (define whole all)
               (set! layouts (acons 'struct '((name . at) ... (#t . all)) layouts))
               (export get ... put ... whole))))))))

(define-struct begin (loop pointer) (key u64))
(define-struct event
  (key u64) (error pointer) (message pointer) (receipt pointer) (port pointer) (entries pointer)
  (number u64) (messages pointer) (tuple pointer) (result pointer))
(define-struct node_options
  (size size) (realization pointer) (identity pointer) (workers u32) (content_limit size)
  (connect_time i64) (patience i64) (loop pointer))
(define-struct stop_report
  (size size) (clean bool) (still_alive u64) (undelivered u64) (kept u64) (text 512))
(define-struct property
  (key pointer) (kind enum) (integer i64) (number double) (text pointer))
(define-struct agent_options
  (size size) (name pointer) (mailbox_messages u32) (mailbox_bytes size) (overflow enum)
  (redirect pointer) (properties pointer) (property_count size) (take_over bool))
(define-struct header (key pointer) (value pointer))
(define-struct post
  (size size) (to pointer) (to_sender_of pointer) (many pointer) (many_count size) (group pointer)
  (content pointer) (content_size size) (type pointer) (conversation u64) (reply_to pointer)
  (headers pointer) (header_count size) (expires i64) (patience i64))
(define-struct match
  (size size) (from pointer) (conversation u64) (type pointer) (tap u64) (addressed bool)
  (longest i64))
(define-struct message_info
  (size size) (source pointer) (target pointer) (type pointer) (reply_to pointer)
  (content pointer) (content_size size) (conversation u64) (sequence u64) (tap u64) (gap u64)
  (is_request bool) (redelivered bool) (earlier bool))
(define-struct pattern
  (size size) (source pointer) (target pointer) (text pointer) (components pointer)
  (component_count size) (limit u32))
(define-struct condition (comparison enum) (operand 40))
(define-struct query
  (size size) (prefix pointer) (conditions pointer) (condition_count size) (limit size))
(define-struct field
  (kind enum) (any bool) (integer i64) (number double) (data pointer) (size size))
