;; compile.scm SOURCES OUT MODULE...: compiles the files MODULE.scm of the folder SOURCES to OUT, in
;; this order: each may use those before it.
(use-modules (ice-9 match)
             (system base compile))

;; Code that only runs while other modules are compiled; to optimize it takes most of a minute.
(define only-macros '("coracle/layout"))

(match (command-line)
  ((_ sources out . modules)
   (for-each
    (lambda (module)
      (let ((compiled (string-append out "/" module ".go")))
        (compile-file (string-append sources "/" module ".scm")
                      #:output-file compiled
                      #:optimization-level (if (member module only-macros) 1 2)
                      #:opts '(#:warnings (unbound-variable arity-mismatch format)))
        ;; Compiling has only defined the macros of the module.
        (save-module-excursion (lambda () (load-compiled compiled)))))
    modules)))
