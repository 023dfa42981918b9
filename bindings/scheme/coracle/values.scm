;; Typed content: values as CBOR bytes.
(define-module (coracle values)
  #:use-module (coracle failure)
  #:use-module (coracle library)
  #:use-module (coracle loops)
  #:use-module (coracle memory)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-1)
  #:export (value->bytes bytes->value type-name type-of typed->bytes))

(define (value->bytes value)
  "Return VALUE as CBOR bytes. A vector is an array, a list of pairs or a hash table is a map; its
keys may be symbols, which become texts. The symbol null, truth values, numbers, strings and
bytevectors stand for themselves."
  (let ((writer (out-address (out) (coracle-writer-open out) peek-u64)))
    (dynamic-wind
      (lambda () #t)
      (lambda ()
        (write-value writer value)
        (with-scratch
         (let ((out (allot 16)))
           (coracle-writer-bytes writer out (+ out 8))
           (bytes-at (peek-u64 out) (peek-u64 (+ out 8))))))
      (lambda () (coracle-writer-free writer)))))

(define-syntax-rule (write-bytes writer write bytes-of-value)
  (with-scratch
   (let* ((bytes bytes-of-value)
          (size (bytevector-length bytes)))
     (write writer (place-bytes bytes size) size))))

(define (write-value writer value)
  (cond
   ((eq? value 'null) (coracle-write-null writer))
   ((boolean? value) (coracle-write-boolean writer (if value 1 0)))
   ((exact-integer? value) (write-integer writer value))
   ((real? value) (coracle-write-number writer (exact->inexact value)))
   ((string? value) (write-bytes writer coracle-write-text (string->utf8 value)))
   ((bytevector? value) (write-bytes writer coracle-write-bytes value))
   ((vector? value)
    (coracle-write-array writer (vector-length value))
    (let next ((number 0))
      (when (< number (vector-length value))
        (write-value writer (vector-ref value number))
        (next (+ number 1))))
    (coracle-write-end writer))
   ((hash-table? value) (write-pairs writer (hash-map->list cons value)))
   ((and (list? value) (every pair? value)) (write-pairs writer value))
   (else
    (fail 'bad-argument "no value of CBOR: " value "; write an array as a vector, a map as a list "
          "of pairs, and null as the symbol null"))))

(define (write-integer writer value)
  (cond
   ((<= (- (ash 1 63)) value (- (ash 1 63) 1)) (coracle-write-integer writer value))
   ((<= 0 value (- (ash 1 64) 1)) (coracle-write-unsigned writer value))
   (else (fail 'bad-argument "an integer of CBOR has at most 64 bits, unlike " value))))

(define (write-pairs writer pairs)
  (coracle-write-map writer (length pairs))
  (for-each
   (lambda (pair)
     (let ((key (car pair)))
       (write-value writer (if (and (symbol? key) (not (eq? key 'null))) (symbol->string key) key))
       (write-value writer (cdr pair))))
   pairs)
  (coracle-write-end writer))

;; --- reading ---

(define (bytes->value bytes)
  "Return the value of the CBOR BYTES. An array becomes a vector, a map a list of pairs whose keys
are strings as a rule, and null the symbol null. Fail with the kind bad-encoding for other bytes."
  (let ((reader (with-scratch
                 (let ((out (allot 8))
                       (size (bytevector-length bytes)))
                   (coracle-reader-open (place-bytes bytes size) size out)
                   (peek-u64 out)))))
    (dynamic-wind
      (lambda () #t)
      (lambda ()
        (let ((value (read-value reader)))
          (coracle-read-finish reader)
          value))
      (lambda () (coracle-reader-free reader)))))

(define-syntax-rule (read-item (out) call read)
  (with-scratch (let ((out (allot 16))) call read)))

(define (shape-of reader)
  (read-item (out) (coracle-read-shape reader out) (peek-u32 out)))

(define (read-value reader)
  (case (shape-of reader)
    ((0) (coracle-read-null reader) 'null)
    ((1) (read-item (out) (coracle-read-boolean reader out) (true? (peek-u8 out))))
    ((2) (read-item (out) (coracle-read-integer reader out) (peek-i64 out)))
    ((3) (read-item (out) (coracle-read-number reader out) (peek-f64 out)))
    ((4) (bytes->text (read-item (out) (coracle-read-text reader out (+ out 8))
                                 (bytes-at (peek-u64 out) (peek-u64 (+ out 8))))))
    ((5) (read-item (out) (coracle-read-bytes reader out (+ out 8))
                    (bytes-at (peek-u64 out) (peek-u64 (+ out 8)))))
    ((6)
     (read-item (out) (coracle-read-array reader out) #t)
     (list->vector (read-items reader (lambda () (read-value reader)))))
    ((7)
     (read-item (out) (coracle-read-map reader out) #t)
     (read-items reader (lambda ()
                          (let ((key (read-value reader)))
                            (cons key (read-value reader))))))
    (else (fail 'bad-encoding "the bytes end before their value does"))))

(define (read-items reader read)
  ;; The bytes may promise any number of items.
  (let next ((found '()))
    (cond
     ((eqv? 8 (shape-of reader))
      (coracle-read-end reader)
      (reverse found))
     (else (next (cons (read) found))))))

;; --- types ---

;; A symbol for each type that C++ has of its own: its name, and the values.
(define types
  `((text "text/plain" ,string?)
    (integer "integer" ,exact-integer?)
    (boolean "boolean" ,boolean?)
    (number "floating" ,real?)
    (bytes "application/octet-stream" ,bytevector?)))

(define (type-name type what)
  "Return the name of TYPE in C++. TYPE is a symbol, or the name itself."
  (cond
   ((string? type) type)
   ((assq type types) => cadr)
   (else (fail 'bad-argument what " is one of " (map car types) " or the name of a type in C++, a "
               "string, not " type))))

(define (type-of value)
  "Return the name of the type of VALUE."
  (cond
   ((find (lambda (each) ((caddr each) value)) types) => cadr)
   (else (fail 'bad-argument "this value needs the name of its type, a string, after #:type: "
               value))))

(define (typed->bytes value type)
  "Return VALUE as CBOR bytes. TYPE is a name; fail when it is one of ours, and VALUE does not fit."
  (let ((ours (find (lambda (each) (string=? type (cadr each))) types)))
    (unless (or (not ours) ((caddr ours) value))
      (fail 'wrong-type "the value must be of the type " (symbol->string (car ours)) ", unlike "
            value))
    (value->bytes (if (and ours (eq? 'number (car ours))) (exact->inexact value) value))))
