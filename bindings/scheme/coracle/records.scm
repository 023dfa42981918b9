;; Records that the library gives to the program, with a documentation for each procedure.
(define-module (coracle records)
  #:use-module (srfi srfi-9)
  #:export (define-shown document))

(define-syntax-rule (document (procedure text) ...)
  (begin (set-procedure-property! procedure 'documentation text) ...))

;; (define-shown (TYPE MAKE IS? WHAT) (FIELD GET TEXT) ...): a record type as define-record-type
;; defines it, where "IS? is true for WHAT", and "GET returns TEXT".
(define-syntax-rule (define-shown (type make is? what) (field get text) ...)
  (begin
    (define-record-type type (make field ...) is? (field get) ...)
    (document (is? (string-append "Return true if the argument is " what "."))
              (get (string-append "Return " text ".")) ...)))
