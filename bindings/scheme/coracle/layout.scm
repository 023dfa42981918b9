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
      ((bool u8) uint8)
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
        ((bool u8) #'peek-u8)
        ((double) #'peek-f64)
        (else #'identity)))
    (define (poke-of type)
      (case type
        ((pointer size u64) #'poke-u64!)
        ((i64) #'poke-i64!)
        ((u32 enum int) #'poke-u32!)
        ((bool u8) #'poke-u8!)
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
  (is_request bool) (redelivered bool) (earlier bool) (receiver pointer) (notice enum)
  (outcome enum) (drop_reason enum) (gap_reason enum) (copied_kind enum))
(define-struct pattern
  (size size) (source pointer) (target pointer) (text pointer) (components pointer)
  (component_count size) (limit u32) (rate u64) (outcomes bool))
(define-struct condition (comparison enum) (operand 40))
(define-struct query
  (size size) (prefix pointer) (conditions pointer) (condition_count size) (limit size))
(define-struct field
  (kind enum) (any bool) (integer i64) (number double) (data pointer) (size size))

;; Questions and calls.
(define-struct texts (texts pointer) (count size))
(define-struct function (name pointer) (call pointer) (context pointer))
(define-struct service
  (size size) (functions pointer) (function_count size) (at_once u32) (end pointer)
  (context pointer))
(define-struct evaluation (name pointer) (evaluate pointer) (context pointer))
(define-struct evaluator
  (size size) (space pointer) (evaluations pointer) (evaluation_count size) (at_once u32)
  (end pointer) (context pointer))
;; DisPeL.
(define-struct server
  (size size) (takes pointer) (gives pointer) (service pointer) (at_once u32) (waiting u32)
  (each u32) (answer pointer) (end pointer) (context pointer))
(define-struct request
  (size size) (server pointer) (service pointer) (type pointer) (value pointer) (value_size size)
  (lane u32) (within i64) (attempts u32) (each i64))
(define-struct source
  (size size) (gives pointer) (produce pointer) (end pointer) (context pointer))
(define-struct filter
  (size size) (takes pointer) (gives pointer) (process pointer) (finish pointer) (end pointer)
  (context pointer))
(define-struct sink
  (size size) (takes pointer) (consume pointer) (finish pointer) (end pointer) (context pointer))
(define-struct part
  (kind pointer) (source pointer) (filter pointer) (sink pointer) (takes pointer) (gives pointer))
(define-struct pipeline
  (size size) (name pointer) (text pointer) (kinds pointer) (kind_count size) (only 16)
  (stand_in_for 16) (window u32) (batch u32) (restarts u32)
  (end pointer) (context pointer))
(define-struct slave
  (size size) (takes pointer) (gives pointer) (leaves bool) (work pointer) (end pointer)
  (context pointer))
(define-struct master
  (size size) (task_type pointer) (result_type pointer) (slaves 16) (result pointer)
  (progress pointer) (refusal pointer) (end pointer) (context pointer))
(define-struct value (value pointer) (size size))
(define-struct division
  (size size) (tasks pointer) (task_count size) (slave pointer) (shares enum) (chunk u32)
  (most u32) (ordered bool) (ahead u64) (attempts u8))
(define-struct terminal (name pointer) (type pointer) (is_input bool))
(define-struct layer
  (size size) (name pointer) (layer u32) (terminals pointer) (terminal_count size) (react pointer)
  (end pointer) (context pointer))
(define-struct wire (from pointer) (to pointer) (effect enum) (constant i64))
(define-struct subsumption
  (size size) (name pointer) (layers pointer) (layer_count size) (wires pointer) (wire_count size)
  (end pointer) (context pointer))
;; CAF.
(define-struct agenda (id u64) (round u32) (subject pointer) (alternatives 16) (within i64))
(define-struct decision
  (id u64) (subject pointer) (decided bool) (winner pointer) (co_winners 16) (why pointer))
(define-struct refusal (id u64) (round u32) (what pointer) (reason pointer))
(define-struct peer
  (size size) (propose pointer) (vote pointer) (decision pointer) (refused pointer) (end pointer)
  (context pointer))
(define-struct fraction (numerator i64) (denominator i64))
(define-struct ballot
  (size size) (ranking pointer) (ranking_count size) (approves bool) (approved pointer)
  (approved_count size) (scores pointer) (score_count size))
(define-struct member (name pointer) (weight 16) (proxy pointer))
(define-struct council
  (size size) (members pointer) (member_count size) (rule pointer) (ties pointer)
  (propose_within i64) (vote_within i64) (secrecy enum) (absent enum) (vacant enum)
  (chair pointer) (none_of_these bool) (adjourns_after u64)
  (end pointer) (context pointer))
(define-struct motion
  (size size) (subject pointer) (alternatives 16) (call_peers bool) (incumbent pointer) (key u64))
(define-struct penalty (fixed i64) (per_second i64))
(define-struct contract
  (size size) (id u64) (round u32) (kind pointer) (subject pointer) (items 16) (units u32)
  (bid_within i64) (bid_holds i64) (lease i64) (client_penalty 16) (bidder_penalty 16))
(define-struct offering (items u64) (amount i64))
(define-struct bid (size size) (offerings pointer) (offering_count size) (text pointer))
(define-struct engagement
  (client pointer) (contract pointer) (award u32) (items u64) (price i64))
(define-struct bidder
  (size size) (capacity u64) (promises_at_bid bool) (clients 16) (bid pointer) (fulfil pointer)
  (rejected pointer) (lost pointer) (settled pointer) (end pointer) (context pointer))
(define-struct contract_client
  (size size) (admits pointer) (end pointer) (context pointer))
(define-struct tender
  (size size) (bidders 16) (registered bool) (search pointer) (rule pointer) (vickrey bool)
  (has_reserve bool) (reserve i64) (seed u64) (rounds u32) (back_off i64) (accept_within i64)
  (fulfil_within i64) (keep_bids bool))
(define-struct settlement_part (bidder pointer) (items u64) (price i64) (result pointer))
(define-struct settlement
  (id u64) (ended enum) (parts pointer) (part_count size) (why pointer) (client_owes i64)
  (bidders_owe i64))
;; Plans.
(define-struct worth (score i64) (best i64) (ends i64) (note i64) (infeasible bool))
(define-struct plan_node (move pointer) (state pointer) (cost i64) (before 40))
(define-struct plan
  (start pointer) (moves 16) (cost i64) (clients 16) (scores pointer) (is_mutual bool))
(define-struct plan_outcome (agreed bool) (plan 64) (why pointer) (is_without_you bool))
(define-struct plan_progress (move pointer) (state pointer) (cost i64) (done bool) (fault pointer))
(define-struct planner
  (size size) (judge pointer) (offer pointer) (outcome pointer) (progress pointer)
  (objection pointer) (end pointer) (context pointer))
(define-struct plan_request
  (size size) (goal pointer) (threshold i64) (otherwise i64) (weight i64) (priority i64) (moves 16)
  (begins_at_go bool))
(define-struct arbiter
  (size size) (state pointer) (clients size) (gather i64) (go_within i64) (answer_within i64)
  (within i64) (rule pointer) (nodes u32) (offers u32) (reconsiders bool) (apply pointer)
  (advance pointer) (prepare pointer) (perform pointer) (finished pointer) (end pointer)
  (context pointer))
