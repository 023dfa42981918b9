;; Values as CBOR, and bytes of strangers.
(use-modules (rnrs bytevectors)
             (srfi srfi-1))

(define (there-and-back value) (bytes->value (value->bytes value)))

(for-each
 (lambda (value) (test-is value (there-and-back value)))
 (list 'null #t #f 0 -1 (ash 1 40) (- (ash 1 63)) (- (ash 1 63) 1) 2.5 -0.0 +inf.0 "" "grüße"
       (u8-list->bytevector '(0 255)) (make-bytevector 100000 7) (make-string 100000 #\x) #()
       #(1 #("two" #vu8(3)) null) '(("a" . 1) ("b" . #((("c" . #t))))) '()))
(test-is '(("price" . 2.5)) (there-and-back '((price . 2.5))))
(test-is '((1 . "one")) (there-and-back '((1 . "one"))))
(test-is 0.5 (there-and-back 1/2))
(test-is '(("a" . 1)) (let ((table (make-hash-table)))
                        (hash-set! table "a" 1)
                        (there-and-back table)))

(test-fails 'bad-argument (value->bytes 'symbol))
(test-fails 'bad-argument (value->bytes '(1 2)))
(test-fails 'bad-argument (value->bytes (ash 1 64)))
(test-fails 'bad-argument (value->bytes 1+i))
(test-fails 'bad-encoding (let ((deep (vector #f)))  ; it contains itself
                            (vector-set! deep 0 deep)
                            (value->bytes deep)))

;; Bytes of a stranger.
(define (fails? . bytes)
  (eq? 'bad-encoding (kind-of (lambda () (bytes->value (u8-list->bytevector bytes))))))
(test-assert "no bytes" (fails?))
(test-assert "an array that promises much" (fails? #x9b #xff #xff #xff #xff #xff #xff #xff #xff))
(test-assert "a text that is cut off" (fails? #x65 #x61))
(test-assert "a text that is not UTF-8"
  (or (fails? #x61 #xff) (equal? "\ufffd" (bytes->value #vu8(#x61 #xff)))))
(test-assert "more than one value" (fails? 1 1))
(test-assert "deep arrays" (apply fails? (make-list 10000 #x81)))
(test-assert "a negative integer of 65 bits" (fails? #x3b #xff #xff #xff #xff #xff #xff #xff #xff))

;; Any bytes are a value or an error.
(define state (seed->random-state 20261129))
(test-assert "random bytes"
  (every (lambda (ignored)
           (let ((bytes (make-bytevector (random 12 state))))
             (do ((at 0 (+ at 1))) ((= at (bytevector-length bytes)))
               (bytevector-u8-set! bytes at (random 256 state)))
             (memq (kind-of (lambda () (bytes->value bytes))) '(none bad-encoding))))
         (iota 20000)))
(done)
