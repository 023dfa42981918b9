;; A bell wakes a thread that waits for descriptors. Any thread may ring it, and the handler of a
;; signal, too.
(define-module (coracle bell)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-9)
  #:use-module (system foreign)
  #:export (make-bell bell-descriptor ring-bell! quiet-bell! free-bell))

(define (libc result name . types)
  (pointer->procedure result (dynamic-func name (dynamic-link)) types))

(define eventfd (libc int "eventfd" unsigned-int int))
(define write-bytes (libc ssize_t "write" int '* size_t))
(define read-bytes (libc ssize_t "read" int '* size_t))
(define close-descriptor (libc int "close" int))

(define-record-type <bell>
  (new-bell descriptor)
  bell?
  (descriptor bell-descriptor))

(define (make-bell)
  "Return a bell; its descriptor can be read after it was rung."
  (let ((descriptor (eventfd 0 (logior #o2000000 #o4000))))  ; close-on-exec, non-blocking
    (when (negative? descriptor) (error "cannot make a descriptor for a bell"))
    (new-bell descriptor)))

(define one
  (bytevector->pointer (uint-list->bytevector '(1) (native-endianness) 8)))

(define (ring-bell! bell)
  (write-bytes (bell-descriptor bell) one 8))

(define (quiet-bell! bell)
  (read-bytes (bell-descriptor bell) (bytevector->pointer (make-bytevector 8)) 8))

(define (free-bell bell)
  (close-descriptor (bell-descriptor bell)))
