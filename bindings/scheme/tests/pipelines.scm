;; Pipelines: their order, their end, and what breaks them.
(use-modules (coracle dispel)
             (srfi srfi-1))

(define failures '())
(define (remember agent error)
  (set! failures (cons (if (coracle-error? error) (coracle-error-kind error) error) failures)))

(define (numbers last)
  (make-source #:gives 'integer
               #:produce (lambda (stage number)
                           (let next ((number number) (left 10))
                             (when (and (< number last) (positive? left))
                               (put stage number)
                               (next (+ number 1) (- left 1)))))))

(define sum-kind
  (make-sink #:takes 'integer
             #:consume (lambda (stage item) (set! taken (cons item taken)))
             #:finish (lambda (stage error) (set! finished (list error)) (send me "main" "over"))))
(define taken '())
(define finished #f)
(define me #f)  ; an agent for the procedures

(define (run node text . kinds)
  (set! taken '())
  (set! finished #f)
  (set! failures '())
  (set! me (open-agent node "me"))
  (let ((main (open-agent node "main")))
    (start-pipeline node "keeper" #:name "line" #:text text #:kinds kinds #:window 64)
    (receive main)
    (close-agent main)
    (close-agent me)
    (reverse taken)))

(define-syntax-rule (with-local (node) body ...)
  (with-node (node "local:" #:on-failure remember) body ...))

;; Each number twice; the filter waits for another agent, and has something to add at the end.
(define twice
  (make-filter #:takes 'integer #:gives 'integer
               #:process (lambda (stage item)
                           (put stage item)
                           (when (= 0 (modulo item 100)) (send me "me" "x") (receive me))
                           (put stage item))
               #:finish (lambda (stage error) (unless error (put stage -1)))))
(define chain "numbers: Numbers; twice: Twice; sum: Sum; numbers -> twice -> sum")
(with-local (node)
  (test-is (append (append-map (lambda (n) (list n n)) (iota 1000)) '(-1))
    (run node chain `("Numbers" . ,(numbers 1000)) `(Twice . ,twice) `("Sum" . ,sum-kind)))
  (test-is '(#f) finished)
  (test-is '() failures))

;; A refusal ends the stream at that item.
(define (up-to last act)
  (make-filter #:takes 'integer #:gives 'integer
               #:process (lambda (stage item)
                           (when (= item last) (act stage))
                           (put stage item))))
(define (kinds filter)
  `(("Numbers" . ,(numbers 1000)) ("Twice" . ,filter) ("Sum" . ,sum-kind)))
(with-local (node)
  (test-is (iota 100)
    (apply run node chain (kinds (up-to 100 (lambda (stage) (refuse "no further"))))))
  (test-assert "the reason" (string-contains (car finished) "no further")))

;; So does a stage that wants no more, in order.
(with-local (node)
  (test-is (iota 101) (apply run node chain (kinds (up-to 100 end-stream))))
  (test-is '(#f) finished))

(with-local (node)
  (let ((ten (make-source #:gives 'integer
                          #:produce (lambda (stage number)
                                      (put stage number)
                                      (when (= number 9) (end-stream stage))))))
    (test-is (iota 10) (run node "ten: Ten; sum: Sum; ten -> sum" `(Ten . ,ten) `(Sum . ,sum-kind)))
    (test-is '(#f) finished)))
(with-local (node)
  (let ((main (open-agent node "main"))
        (seen '()))
    (start-pipeline node "keeper" #:name "line" #:text "n: Numbers; few: Few; n -> few"
      #:kinds `((Numbers . ,(numbers 1000))
                (Few . ,(make-sink #:takes 'integer
                                   #:consume (lambda (stage item)
                                               (set! seen (cons item seen))
                                               (when (= item 5) (end-stream stage)))))))
    (test-is 'stopped (watch main "keeper"))  ; all stages have ended
    (test-is (iota 6) (reverse seen))))

;; A stage that fails is begun again; its state is new, and no item is lost.
(with-local (node)
  (let* ((made 0)
         (counting
          (lambda ()
            (set! made (+ made 1))
            (let ((number made)
                  (count 0))
              (make-filter #:takes 'integer #:gives 'integer
                           #:process (lambda (stage item)
                                       (set! count (+ count 1))
                                       (when (and (= number 2) (= item 500)) (error "it broke"))
                                       (put stage item)))))))
    (test-is (iota 1000) (apply run node chain (kinds counting)))
    (test-is '(#f) finished)
    (test-is 3 made)  ; for the types, for the first stage, for the second one
    (test-is 1 (length failures))))

;; Several stages of one kind, each with its state.
(with-local (node)
  (let* ((seen '())
         (each (lambda ()
                 (let ((count 0))
                   (make-filter #:takes 'integer #:gives 'integer
                                #:process (lambda (stage item)
                                            (set! count (+ count 1))
                                            (put stage item))
                                #:finish (lambda (stage error) (set! seen (cons count seen))))))))
    (test-is (iota 1000)
      (sort (run node "numbers: Numbers; each: Each * 4; sum: Sum; numbers -> each -> sum"
                 `(Numbers . ,(numbers 1000)) `(Each . ,each) `(Sum . ,sum-kind))
            <))
    (test-is '(4 1000) (list (length seen) (apply + seen)))))

;; What a stage must not do: it fails each time, until the pipeline gives up.
(define (breaks process)
  (with-local (node)
    (apply run node chain (kinds (make-filter #:takes 'integer #:gives 'integer
                                              #:process process)))
    (list (string? (car finished)) (delete-duplicates failures))))
(test-is '(#t (wrong-type)) (breaks (lambda (stage item) (put stage "text"))))
(test-is '(#t (leave)) (breaks (lambda (stage item) (raise-exception 'leave))))

;; At the end, a filter must not wait, and cannot be left.
(define (ends finish)
  (with-local (node)
    (apply run node chain (kinds (make-filter #:takes 'integer #:gives 'integer
                                              #:process put #:finish finish)))
    (list (length taken) (delete-duplicates failures))))
(test-is '(1000 (wrong-thread)) (ends (lambda (stage error) (receive me))))
(test-is '(1000 (bad-argument))
  (call-with-escape-continuation
   (lambda (leave) (ends (lambda (stage error) (leave 'left))))))

;; What cannot be a pipeline.
(with-local (node)
  (define (start text . kinds)
    (start-pipeline node "keeper" #:name "wrong" #:text text #:kinds kinds))
  (test-fails 'bad-argument (make-source #:gives 'integer))
  (test-fails 'bad-argument (make-filter #:takes 'integer #:process put))
  (test-fails 'bad-argument (make-sink #:takes 'integer #:consume 1))
  (test-fails 'bad-argument (start "a: A" `("A" . 1)))
  (test-fails 'bad-argument (start "a: A" "A"))
  (test-fails 'bad-argument (start "a: A" `("A" . ,(lambda () 1))))
  (test-fails 'bad-argument (start "a: A" `("A" . ,(made-elsewhere))))
  (test-fails 'bad-options (start "a: B" `("A" . ,(numbers 1))))
  (test-fails 'wrong-type
    (start "a: A; b: B; a -> b" `("A" . ,(made-elsewhere #:gives 'text)) `("B" . ,sum-kind)))
  (test-fails 'bad-argument (put 'stage 1)))
(done)
