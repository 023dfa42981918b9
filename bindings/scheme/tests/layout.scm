;; The structs of (coracle layout) are those of <coracle.h>: the C compiler says so.
(use-modules (coracle layout)
             (ice-9 match)
             (ice-9 popen)
             (ice-9 textual-ports))

(define (assertion condition)
  (format #f "_Static_assert(~a, \"~a\");\n" condition condition))

(define (program add)
  ;; The program in C; ADD is added to each offset.
  (string-concatenate
   (cons "#include <coracle.h>\n"
         (map (match-lambda
                ((struct (fields . offsets) ...)
                 (string-concatenate
                  (map (lambda (field offset)
                         (assertion
                          (if (eq? field #t)
                              (format #f "sizeof(coracle_~a) == ~a" struct (+ offset add))
                              (format #f "offsetof(coracle_~a, ~a) == ~a" struct field
                                      (+ offset add)))))
                       fields offsets))))
              layouts))))

(define (compiles? text)
  (match (command-line)
    ((_ compiler include)
     (let ((port (open-pipe* OPEN_WRITE compiler "-fsyntax-only" "-w" "-I" include "-x" "c" "-")))
       (put-string port text)
       (zero? (close-pipe port))))))

(test-is 61 (length layouts))
(test-assert "the layouts are those of the header" (compiles? (program 0)))
(test-assert "another layout is refused"
  (not (with-error-to-port (open-output-file "/dev/null") (lambda () (compiles? (program 8))))))
(done)
