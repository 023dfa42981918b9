;; The functions of <coracle.h>.
(define-module (coracle library)
  #:use-module (coracle config)
  #:use-module (coracle failure)
  #:use-module (coracle memory)
  #:use-module (ice-9 binary-ports)
  #:use-module (rnrs bytevectors)
  #:use-module (system foreign)
  #:export (text-at bytes->text place-text place-texts error-at))

(define library
  (let ((file (or (getenv "CORACLE_C_LIBRARY") library-file)))
    (catch #t
      (lambda () (dynamic-link file))
      (lambda (key . why)
        (fail 'failed "the library " file " cannot be loaded; set the variable CORACLE_C_LIBRARY "
              "to the file libcoracle-c.so: " why)))))

(define strlen (pointer->procedure size_t (dynamic-func "strlen" (dynamic-link)) (list size_t)))

(define (function result name types)
  (pointer->procedure result (dynamic-func name library) types))

(define (text-at address)
  "Return the text at ADDRESS, #f for null. Bytes that are not UTF-8 are replaced."
  (cond
   ((eqv? address 0) #f)
   ((eqv? (peek-u8 address) 0) "")
   (else (bytes->text (bytes-at address (strlen address))))))

(define (bytes->text bytes)
  "Return BYTES as a text; those that are not UTF-8 become U+FFFD."
  (catch 'decoding-error
    (lambda () (utf8->string bytes))
    (lambda ignored (tolerant bytes))))

(define (tolerant bytes)
  (let ((port (open-bytevector-input-port bytes)))
    (set-port-encoding! port "UTF-8")
    (set-port-conversion-strategy! port 'substitute)
    (let next ((read '()))
      (let ((char (read-char port)))
        (if (eof-object? char) (list->string (reverse read)) (next (cons char read)))))))

(define (place-text text what)
  "Return the address of TEXT for the library, null for #f. WHAT names it in an error."
  (cond
   ((not text) 0)
   ((not (string? text)) (fail 'bad-argument what " must be a string, not " text))
   ((string-index text #\nul) (fail 'bad-argument what " contains a zero byte: " text))
   (else
    (let* ((bytes (string->utf8 text))
           (size (bytevector-length bytes)))
      (if (< size 4096)
          (place-bytes bytes size)
          (place-bytes (string->utf8 (string-append text "\0")) (+ size 1)))))))

(define (place-texts texts what)
  "Return the address of an array of TEXTS, null for none."
  (if (null? texts)
      0
      (let ((array (allot (* 8 (length texts)))))
        (let next ((texts texts) (at array))
          (unless (null? texts)
            (poke-u64! at (place-text (car texts) what))
            (next (cdr texts) (+ at 8))))
        array)))

;; (define-c (NAME TYPE ...) RESULT): the function of that name. RESULT is `checked` for a function
;; that returns an error, which is raised.
(define-syntax define-c
  (lambda (form)
    (define (c-name name)
      (string-map (lambda (char) (if (char=? char #\-) #\_ char))
                  (symbol->string (syntax->datum name))))
    (syntax-case form (checked)
      ((_ (name type ...) checked)
       (with-syntax (((argument ...) (generate-temporaries #'(type ...)))
                     (c (c-name #'name))
                     (call (datum->syntax #'name (symbol-append 'call- (syntax->datum #'name)))))
         #'(begin
             (define call (function size_t c (list type ...)))
             (define-syntax-rule (name argument ...)
               (let ((error (call argument ...)))
                 (unless (eqv? error 0) (raise-exception (error-at error)))))
             (export name))))
      ((_ (name type ...) result)
       (with-syntax ((c (c-name #'name)))
         #'(begin
             (define name (function result c (list type ...)))
             (export name)))))))

(define handle size_t)
(define address size_t)
(define size size_t)
(define span int64)
(define flag uint8)

(define-c (coracle-version) size_t)

(define error-code (function int "coracle_error_code" (list handle)))
(define error-sentence (function size_t "coracle_error_sentence" (list handle)))
(define error-free (function void "coracle_error_free" (list handle)))

(define (error-at error)
  "Return the error with that handle as an exception, and free it."
  (let ((found (make-coracle-error (code->kind (error-code error))
                                   (text-at (error-sentence error)))))
    (error-free error)
    found))

(define-c (coracle-loop-open address) checked)
(define-c (coracle-loop-descriptor handle address) checked)
(define-c (coracle-loop-close handle) void)
(define-c (coracle-loop-wait handle span address size address) checked)
(define-c (coracle-cancel handle uint64) checked)

(define-c (coracle-node-open address address) checked)
(define-c (coracle-node-stop handle span address) checked)
(define-c (coracle-node-close handle) void)
(define-c (coracle-port-open handle address address address) checked)
(define-c (coracle-port-close handle) void)
(define-c (coracle-new-conversation handle address address) checked)

(define-c (coracle-send handle address address) checked)
(define-c (coracle-track handle address address address) checked)
(define-c (coracle-ask handle address span address address) checked)
(define-c (coracle-reply handle handle address address) checked)
(define-c (coracle-refuse handle handle address address) checked)
(define-c (coracle-receipt-reached handle int span address address) checked)
(define-c (coracle-receipt-free handle) void)
(define-c (coracle-receive handle address address address) checked)
(define-c (coracle-try-receive handle address address) checked)
(define-c (coracle-receive-many handle address size address address) checked)
(define-c (coracle-messages-next handle address) checked)
(define-c (coracle-messages-free handle) void)
(define-c (coracle-message-read handle address) checked)
(define-c (coracle-message-header-at handle size address address) checked)
(define-c (coracle-message-acknowledge handle) checked)
(define-c (coracle-message-keep handle) checked)
(define-c (coracle-message-give-back handle) checked)
(define-c (coracle-message-free handle) void)

(define-c (coracle-join handle address size address) checked)
(define-c (coracle-leave handle address address) checked)
(define-c (coracle-members handle address address address) checked)
(define-c (coracle-overhear handle address address address) checked)
(define-c (coracle-stop-overhearing handle uint64 address) checked)
(define-c (coracle-describe handle address size address) checked)
(define-c (coracle-search handle address address address) checked)
(define-c (coracle-entries-count handle address) checked)
(define-c (coracle-entries-at handle size address address) checked)
(define-c (coracle-entries-property handle size size address) checked)
(define-c (coracle-entries-free handle) void)
(define-c (coracle-watch handle address address address) checked)

(define-c (coracle-space-start handle address) checked)
(define-c (coracle-tuple-out handle address address size span address) checked)
(define-c (coracle-tuple-in handle address address size span address address) checked)
(define-c (coracle-tuple-rd handle address address size span address address) checked)
(define-c (coracle-tuple-inp handle address address size address address) checked)
(define-c (coracle-tuple-rdp handle address address size address address) checked)
(define-c (coracle-tuple-eval handle address address address size address) checked)
(define-c (coracle-tuple-count handle address) checked)
(define-c (coracle-tuple-field handle size address) checked)
(define-c (coracle-tuple-free handle) void)

(define-c (coracle-writer-open address) checked)
(define-c (coracle-write-null handle) checked)
(define-c (coracle-write-boolean handle flag) checked)
(define-c (coracle-write-integer handle int64) checked)
(define-c (coracle-write-unsigned handle uint64) checked)
(define-c (coracle-write-number handle double) checked)
(define-c (coracle-write-text handle address size) checked)
(define-c (coracle-write-bytes handle address size) checked)
(define-c (coracle-write-array handle size) checked)
(define-c (coracle-write-map handle size) checked)
(define-c (coracle-write-end handle) checked)
(define-c (coracle-writer-bytes handle address address) checked)
(define-c (coracle-writer-free handle) void)
(define-c (coracle-reader-open address size address) checked)
(define-c (coracle-read-shape handle address) checked)
(define-c (coracle-read-null handle) checked)
(define-c (coracle-read-boolean handle address) checked)
(define-c (coracle-read-integer handle address) checked)
(define-c (coracle-read-unsigned handle address) checked)
(define-c (coracle-read-number handle address) checked)
(define-c (coracle-read-text handle address address) checked)
(define-c (coracle-read-bytes handle address address) checked)
(define-c (coracle-read-array handle address) checked)
(define-c (coracle-read-map handle address) checked)
(define-c (coracle-read-end handle) checked)
(define-c (coracle-read-finish handle) checked)
(define-c (coracle-reader-free handle) void)
