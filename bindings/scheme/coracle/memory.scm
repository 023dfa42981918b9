;; The memory that Guile shares with the library: reads and writes at addresses, and a place for the
;; arguments of one call.
(define-module (coracle memory)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-9)
  #:use-module (system foreign)
  #:export (peek-u8 peek-u32 peek-i64 peek-u64 peek-f64 poke-u8! poke-u32! poke-i64! poke-u64!
            poke-f64! bytes-at true? with-scratch place allot place-bytes))

;; All memory as one bytevector. A read of it makes no object; a pointer object for each would cost
;; ten times a call of the library. It begins at 8 because Guile wraps no pointer that is null.
(define base 8)
(define memory (pointer->bytevector (make-pointer base) (- (ash 1 47) base)))

(define-syntax-rule (define-access peek ref poke! set)
  ;; Macros, because most offsets are known when the callers are compiled.
  (begin
    (define-syntax-rule (peek address) (ref memory (- address base)))
    (define-syntax-rule (poke! address value) (set memory (- address base) value))))

(define-access peek-u8 bytevector-u8-ref poke-u8! bytevector-u8-set!)
(define-access peek-u32 bytevector-u32-native-ref poke-u32! bytevector-u32-native-set!)
(define-access peek-i64 bytevector-s64-native-ref poke-i64! bytevector-s64-native-set!)
(define-access peek-u64 bytevector-u64-native-ref poke-u64! bytevector-u64-native-set!)
(define-access peek-f64 bytevector-ieee-double-native-ref poke-f64!
  bytevector-ieee-double-native-set!)

(define-inlinable (true? number)
  "Return #t if NUMBER is a true value of C."
  (not (eqv? 0 number)))

(define (bytes-at address size)
  "Return a copy of SIZE bytes at ADDRESS."
  (let ((bytes (make-bytevector size)))
    (unless (eqv? size 0) (bytevector-copy! memory (- address base) bytes 0 size))
    bytes))

(define (address-of bytes)
  ;; The collector does not move what it keeps.
  (pointer-address (bytevector->pointer bytes)))

;; The arguments of the calls that a thread makes just now: a stack of bytes, and what did not fit.
(define-record-type <scratch>
  (make-scratch bytes end used kept)
  scratch?
  (bytes scratch-bytes)  ; is only kept
  (end scratch-end)
  (used scratch-used set-scratch-used!)
  (kept scratch-kept set-scratch-kept!))

(define scratch-size 32768)
(define scratch-of-thread (make-thread-local-fluid #f))

(define (my-scratch)
  (or (fluid-ref scratch-of-thread)
      (let* ((bytes (make-bytevector scratch-size))
             (start (logand (+ (address-of bytes) 15) -16))
             (new (make-scratch bytes (+ (address-of bytes) scratch-size) start '())))
        (fluid-set! scratch-of-thread new)
        new)))

;; Runs the body, which must not wait for an event; then its places are free for others.
(define-syntax-rule (with-scratch body ...)
  (let* ((scratch (my-scratch))
         (used (scratch-used scratch))
         (kept (scratch-kept scratch)))
    (dynamic-wind
      (lambda () #f)
      (lambda () body ...)
      (lambda ()
        (set-scratch-used! scratch used)
        (set-scratch-kept! scratch kept)))))

(define (place size)
  "Return the address of SIZE bytes, with anything in them, that last until the innermost
WITH-SCRATCH ends. It is a multiple of 16."
  (let* ((scratch (my-scratch))
         (address (scratch-used scratch))
         (next (logand (+ address size 15) -16)))
    (cond
     ((<= next (scratch-end scratch))
      (set-scratch-used! scratch next)
      address)
     (else
      (let ((bytes (make-bytevector (+ size 16))))
        (set-scratch-kept! scratch (cons bytes (scratch-kept scratch)))
        (logand (+ (address-of bytes) 15) -16))))))

(define (allot size)
  "Return a place as PLACE does, but with zeros in it."
  (let ((address (place size)))
    (let clear ((at address))
      (when (< at (+ address size))
        (poke-u64! at 0)  ; the place is as long as a multiple of 16
        (clear (+ at 8))))
    address))

(define (place-bytes bytes size)
  "Return the address where the first SIZE bytes of BYTES are, with a zero byte after them if they
were copied, until the innermost WITH-SCRATCH ends."
  (cond
   ((> size 4096)  ; large content is not copied
    (let ((scratch (my-scratch)))
      (set-scratch-kept! scratch (cons bytes (scratch-kept scratch)))
      (address-of bytes)))
   (else
    (let ((address (place (+ size 1))))
      (bytevector-copy! bytes 0 memory (- address base) size)
      (poke-u8! (+ address size) 0)
      address))))
