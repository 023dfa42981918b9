;; Servers and clients.
(use-modules (coracle dispel)
             (srfi srfi-1))

(define failures '())
(define (sentence-of thunk)
  (with-exception-handler coracle-error-sentence thunk #:unwind? #t))

(with-node (node "local:" #:on-failure
                 (lambda (agent error) (set! failures (cons (agent-name agent) failures))))
  (let* ((ann (open-agent node "ann"))
         (halver (start-server node "halver" #:takes 'integer #:gives 'integer
                               #:service "halves" #:at-once 2
                               #:answer (lambda (number)
                                          (when (= number 7) (receive ann))
                                          (if (odd? number) (refuse "it is odd"))
                                          (/ number 2))))
         (client (start-client node "client")))
    (test-is 21 (request client 42 #:server "halver"))
    (test-is 21 (request client 42 #:server halver #:within 10 #:lane 2 #:each 5))
    (test-is 21 (request client 42 #:service "halves"))
    (test-fails 'refused (request client 43 #:server "halver"))
    (test-assert "the reason"
      (string-contains (sentence-of (lambda () (request client 43 #:server "halver"))) "it is odd"))
    ;; While one waits, another one is served.
    (let ((waits (spawn-task (lambda () (kind-of (lambda () (request client 7 #:server halver)))))))
      (test-is '(1 2 3) (map (lambda (each) (request client each #:server halver)) '(2 4 6)))
      (send ann "ann" "go on")
      (test-is 'refused (await waits)))
    (test-fails 'bad-argument (request client 42))
    (test-fails 'bad-argument (request client '(1 2) #:server halver))
    (test-fails 'bad-argument (request client #(1) #:server halver))
    (test-fails 'wrong-type (request client "42" #:server halver #:type 'integer))
    (test-fails 'bad-argument (request ann 42 #:server halver))
    (test-fails 'bad-argument (request halver 42 #:server "halver"))
    (test-is '() failures)

    ;; Other types, and a type of C++.
    (for-each
     (lambda (name type answer value expected)
       (let ((server (start-server node name #:takes type #:gives type #:answer answer)))
         (test-is expected (request client value #:server server #:type type))))
     '("text" "number" "boolean" "bytes" "plan")
     '(text number boolean bytes "plan/v1")
     (list string-upcase 1+ not identity identity)
     '("a" 1 #t #vu8(1 2) #(1 (("a" . 2))))
     '("A" 2.0 #f #vu8(1 2) #(1 (("a" . 2)))))

    ;; What ends a server: an error, and an answer of another type.
    (define (breaks name answer)
      (let ((server (start-server node name #:takes 'integer #:gives 'integer #:answer answer)))
        (sentence-of (lambda () (request client 42 #:server server #:attempts 1)))))
    (test-assert "its text"
      (string-contains (breaks "broken" (lambda (number) (error "it broke:" 'cup)))
                       "it broke: cup"))
    (test-assert "another type"
      (string-contains (breaks "words" (lambda (number) "42")) "must be of the type integer"))
    (test-assert "no value"
      (string-contains (breaks "none" (lambda (number) 'forty-two)) "must be of the type integer"))
    (test-is '("none" "words" "broken") failures)

    (test-fails 'bad-argument (start-server node "w" #:takes 'integer #:gives 'integer))
    (test-fails 'bad-argument (start-server node "w" #:takes 'word #:gives 'text #:answer 1+))
    (test-fails 'bad-argument (start-server node "w" #:answer identity))
    (close-agent client)
    (close-agent client)
    (test-fails 'bad-handle (request client 42 #:server halver))))
(done)
