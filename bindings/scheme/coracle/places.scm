;; Values of Scheme as arguments of the library.
(define-module (coracle places)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle memory)
  #:export (span-of time-of count-of index-of key->text place-properties place-property
            place-headers))

(define longest (- (ash 1 63) 1))

(define (nanoseconds seconds what)
  (unless (and (real? seconds) (>= seconds 0))
    (fail 'bad-argument what " is a number of seconds, not " seconds))
  (if (< seconds 9e9)
      (inexact->exact (round (* seconds 1000000000)))
      longest))

(define (span-of seconds what)
  "Return SECONDS for a field where zero means the default, which is what #f wants."
  (if seconds (max 1 (nanoseconds seconds what)) 0))

(define (time-of seconds what)
  "Return SECONDS for a field where zero means not to wait; #f waits without limit."
  (if seconds (nanoseconds seconds what) longest))

(define* (count-of number what #:optional (bits 32))
  "Return NUMBER for a field where zero means the default, which is what #f wants."
  (cond
   ((not number) 0)
   ((and (exact-integer? number) (<= 0 number (- (ash 1 bits) 1))) number)
   (else (fail 'bad-argument what " is a whole number below 2^" bits ", not " number))))

(define (index-of symbol symbols what)
  "Return the place of SYMBOL among SYMBOLS."
  (let next ((left symbols) (number 0))
    (cond
     ((null? left) (fail 'bad-argument what " is one of " symbols ", not " symbol))
     ((eq? symbol (car left)) number)
     (else (next (cdr left) (+ number 1))))))

(define (key->text key)
  (if (symbol? key) (symbol->string key) key))

(define (place-property address key value)
  "Write a property of the directory at ADDRESS."
  (set-property.key! address (place-text (key->text key) "the key of a property"))
  (cond
   ((boolean? value)
    (set-property.kind! address 0)
    (set-property.integer! address (if value 1 0)))
   ((and (exact-integer? value) (<= (- -1 longest) value longest))
    (set-property.kind! address 1)
    (set-property.integer! address value))
   ((and (real? value) (inexact? value))
    (set-property.kind! address 2)
    (set-property.number! address value))
   ((string? value)
    (set-property.kind! address 3)
    (set-property.text! address (place-text value "a property")))
   (else
    (fail 'bad-argument "the value of a property is a truth value, a whole number, an inexact "
          "number or a string, not " value))))

(define (place-pairs pairs size put! what)
  ;; Places an array with a struct for each pair; null for none.
  (unless (and (list? pairs) (and-map pair? pairs))
    (fail 'bad-argument what " are a list of pairs, not " pairs))
  (if (null? pairs)
      0
      (let ((array (allot (* size (length pairs)))))
        (let next ((pairs pairs) (at array))
          (unless (null? pairs)
            (put! at (caar pairs) (cdar pairs))
            (next (cdr pairs) (+ at size))))
        array)))

(define (place-properties pairs)
  "Return the address of an array of properties, null for none."
  (place-pairs pairs sizeof-property place-property "properties"))

(define (place-headers pairs)
  "Return the address of an array of headers, null for none."
  (place-pairs pairs sizeof-header
               (lambda (at key value)
                 (set-header.key! at (place-text (key->text key) "the key of a header"))
                 (set-header.value! at (place-text value "a header")))
               "headers"))
