;; Each procedure that the modules export has a documentation.
(use-modules (ice-9 documentation))

;; The accessors of records are macros, whose names alone are procedures.
(define (value-of name interface)
  (catch 'syntax-error
    (lambda () (eval name interface))
    (lambda ignored #f)))

(for-each
 (lambda (module)
   (let ((interface (resolve-interface module)))
     (module-for-each
      (lambda (name variable)
        (let ((value (value-of name interface)))
          (when (procedure? value)
            (test-assert (symbol->string name) (string? (object-documentation value))))))
      interface)))
 '((coracle) (coracle dispel) (coracle caf)))
(done)
