;; Remote calls, and services of procedures that wait.
(use-modules (srfi srfi-1))

(define failures '())
(define (sentence-of thunk)
  (with-exception-handler coracle-error-sentence thunk #:unwind? #t))

(with-node (node "local:" #:on-failure
                 (lambda (agent error) (set! failures (cons (agent-name agent) failures))))
  (let* ((ann (open-agent node "ann"))
         (helper (open-agent node "helper"))
         (echo (spawn node "echo" (lambda (me)
                                    (while #t
                                      (let ((request (receive me)))
                                        (reply me request (message-text request)))))))
         (open? #f)
         (service
          (start-service node "service"
            #:at-once 2
            #:functions
            `(("add" . ,+)
              ("same" . ,(lambda (value) value))
              ("nothing" . ,(lambda () (if #f #f)))
              ("refuse" . ,(lambda () (refuse "not today")))
              ("odd" . ,(lambda () (refuse "100 ~ of\0it")))
              ("break" . ,(lambda () (error "it broke:" 'cup)))
              ("ask" . ,(lambda (text) (message-text (ask helper "echo" text))))
              ("symbol" . ,(lambda () 'symbol))
              ("wait" . ,(lambda () (set! open? #t) (receive helper) "late"))))))
    (test-is "service" (agent-name service))
    (test-is 38 (call ann "service" "add" 40 -2))
    (test-is 38 (call ann service "add" 40 -2 #:within 10))
    (for-each (lambda (value) (test-is value (call ann service "same" value)))
              '("text" 2.5 #t null #("a" 1) (("a" . #vu8(1)))))
    (test-is 'null (call ann service "nothing"))
    (test-is "deep" (call ann service "ask" "deep"))  ; the function waits
    (test-fails 'refused (call ann service "refuse"))
    (test-assert "the reason" (string-contains (sentence-of (lambda () (call ann service "refuse")))
                                               "not today"))
    (test-assert "any reason"
      (string-contains (sentence-of (lambda () (call ann service "odd"))) "(100 ~ of it)"))
    (test-assert "the text" (string-contains (sentence-of (lambda () (call ann service "break")))
                                             "it broke: cup"))
    (test-assert "no value of CBOR"
      (string-contains (sentence-of (lambda () (call ann service "symbol"))) "no value of CBOR"))
    (test-fails 'refused (call ann service "add" "one"))  ; + raises
    (test-fails 'refused (call ann service "nothing" 1))
    (test-fails 'no-such-function (call ann service "x"))
    (test-fails 'bad-argument (call ann service 'x))
    (test-fails 'bad-argument (call ann service "add" 'x))
    (test-fails 'bad-argument (call ann 'service "add"))
    (test-fails 'bad-name (call ann "a//b" "add"))
    (test-fails 'expired (call ann "nobody" "add" #:within 0.001))
    (test-fails 'bad-argument (send service "ann" "x"))
    (test-fails 'bad-argument (receive service))
    ;; Two at the same time; a third one waits for its turn.
    (test-fails 'expired (call ann service "wait" #:within 0.01))
    (test-is 3 (call ann service "add" 1 2))
    (call-blindly ann service "wait")
    (let ((third (spawn-task (lambda () (call ann service "add" 1 2)))))
      (send ann "helper" "go")
      (send ann "helper" "go")
      (test-is 3 (await third)))
    (test-is '() failures)  ; they are those of the callers

    ;; What cannot be a service.
    (test-fails 'bad-argument (start-service node "wrong" #:functions '()))
    (test-fails 'bad-argument (start-service node "wrong" #:functions '("add")))
    (test-fails 'bad-argument (start-service node "wrong" #:functions '(("add" . "add"))))
    (test-fails 'bad-argument (start-service node "wrong" #:functions `((1 . ,+))))
    (test-fails 'bad-argument
      (start-service node "wrong" #:functions `((add . ,+) ("add" . ,+))))
    (test-fails 'bad-argument (start-service "node" "wrong" #:functions `((add . ,+))))
    (test-fails 'name-taken (start-service node "ann" #:functions `((add . ,+))))
    (test-assert "an unknown keyword"
      (exception? (kind-of (lambda ()
                             (start-service node "wrong" #:functions `((add . ,+)) #:often 1)))))))

;; A question that is open when the node stops, and calls of a service whose node has ended.
(define caller (open-node "local:"))
(test-fails 'unsupported (start-service caller "service" #:functions `((add . ,+))))
(close-node caller)
(with-node (node "local:")
  (let ((ann (open-agent node "ann"))
        (service #f))
    (set! service
      (start-service node "service" #:functions `(("wait" . ,(lambda () (receive ann))))))
    (let ((calls (spawn-task (lambda () (kind-of (lambda () (call ann service "wait")))))))
      (test-is #f (receive ann #:within 0.01))
      (close-node node)
      (test-is 'stopped (await calls))
      (test-fails 'bad-handle (start-service node "other" #:functions `((add . ,+)))))))
(done)
