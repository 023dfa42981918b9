;; A pipeline: a source of lines, four agents that look for errors, and a sink that counts them.
(use-modules (coracle)
             (coracle dispel))

(define lines
  (make-source #:gives 'text
               #:produce (lambda (stage number)
                           (when (< number 1000)
                             (put stage (if (= 0 (modulo number 9))
                                            "GET /maps 404"
                                            "GET /maps 200"))))))

(define find
  (make-filter #:takes 'text #:gives 'text
               #:process (lambda (stage line)
                           (when (string-suffix? "404" line) (put stage line)))))

(define (count)  ; a new sink with a count of its own
  (let ((errors 0))
    (make-sink #:takes 'text
               #:consume (lambda (stage line) (set! errors (+ errors 1)))
               #:finish (lambda (stage error) (format #t "~a errors\n" errors)))))

(with-node (node "local:")
  (let ((main (open-agent node "main")))
    (start-pipeline node "keeper" #:name "log"
      #:kinds `((Lines . ,lines) (Find . ,find) (Count . ,count))
      #:text "lines: Lines; find: Find * 4; count: Count; lines -> find -> count")
    (watch main "keeper")))
