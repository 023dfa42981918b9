;; Each procedure that (coracle) exports has a documentation.
(use-modules (ice-9 documentation))

(module-for-each
 (lambda (name variable)
   (let ((value (variable-ref variable)))
     (when (procedure? value)
       (test-assert (symbol->string name) (string? (object-documentation value))))))
 (resolve-interface '(coracle)))
(done)
