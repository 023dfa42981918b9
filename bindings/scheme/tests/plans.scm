;; Arbiters and planners: two clients that want a lamp at different heights.
(use-modules (coracle caf)
             (srfi srfi-1))

(define failures '())
(define-syntax-rule (with-local (node) body ...)
  (with-node (node "local:" #:on-failure
                   (lambda (agent error) (set! failures (cons (agent-name agent) failures))))
    body ...))

(define (move-lamp state move)
  (cond
   ((string=? move "up") (values (number->string (+ (string->number state) 1)) 1))
   ((string=? move "down") (refuse "the lamp only goes up"))
   (else (error "there is no move" move))))

(define (judge-height wish)
  (lambda (arbiter node)
    (let* ((height (string->number (plan-node-state node)))
           (distance (abs (- wish height))))
      (if (< height wish)
          (values (make-worth (- distance) #:best 0 #:ends (+ (plan-node-cost node) distance))
                  '("up" "down" "sing"))
          (make-worth (- distance) #:ends (plan-node-cost node))))))

(with-local (node)
  (let* ((watcher (open-agent node "watcher"))
         (performed '())
         (prepared '())
         (outcomes '())
         (lamp (start-arbiter node "lamp" #:state "0" #:apply move-lamp #:clients 2 #:gather 60
                              #:rule "mutual"
                              #:prepare (lambda (plan) (set! prepared (cons plan prepared)))
                              #:perform (lambda (move state cost)
                                          (send watcher "watcher" "moved")
                                          (receive watcher #:from "watcher")  ; it waits
                                          (set! performed (cons (list move state cost) performed)))
                              #:finished (lambda (progress)
                                           (send watcher "watcher"
                                                 (if (progress-done? progress) "finished"
                                                     (progress-fault progress))
                                                 #:type "end/1"))))
         (ann (start-planner node "ann" #:judge (judge-height 2)
                             #:outcome (lambda (arbiter outcome)
                                         (set! outcomes (cons outcome outcomes)))))
         (bob (start-planner node "bob" #:judge (judge-height 2)
                             #:offer (lambda (arbiter plan) (plan-mutual? plan))))
         (asks (spawn-task (lambda ()
                             (plan-request ann lamp "light" #:otherwise -10 #:moves '("up")
                                           #:begins-at-go? #t))))
         (outcome (plan-request bob "lamp" "light" #:otherwise -10)))
    (test-is '(#t ("up" "up") "0" 2 #t (0 0) ("ann" "bob"))
      (let ((plan (outcome-plan outcome)))
        (list (outcome-agreed? outcome) (plan-moves plan) (plan-start plan) (plan-cost plan)
              (plan-mutual? plan) (plan-scores plan)
              (sort (plan-clients plan) string<?))))
    (test-is #t (outcome-agreed? (await asks)))
    (test-is '() performed)  ; it waits for ann
    (plan-go ann lamp)
    (test-is "finished" (message-text (receive watcher #:type "end/1")))
    (test-is '(("up" "1" 1) ("up" "2" 1)) (reverse performed))
    (test-is "0" (plan-start (last prepared)))
    (plan-withdraw ann "lamp")
    (close-agent ann)
    (test-fails 'bad-handle (plan-request ann lamp "light"))
    (test-assert "ann was told" (pair? outcomes))))
(test-is '() (delete "lamp" failures))  ; "sing" is an error of the game, and illegal

;; What an arbiter and a planner must not do.
(define (outcome-with judge apply)
  (set! failures '())
  (with-local (node)
    (start-arbiter node "lamp" #:state "0" #:apply apply #:gather 0.01 #:answer-within 0.05
                   #:within 1)
    (let ((ann (start-planner node "ann" #:judge judge)))
      (kind-of (lambda () (plan-request ann "lamp" "light" #:otherwise -10 #:within 0.5))))))
(outcome-with (lambda (arbiter node) 5) move-lamp)
(test-is '("ann") failures)
(outcome-with (lambda (arbiter node) (values (make-worth 0) "up")) move-lamp)
(test-is '("ann") failures)

(with-local (node)
  (test-fails 'bad-argument (start-arbiter node "a" #:state "0"))
  (test-fails 'bad-argument (start-arbiter node "a" #:apply move-lamp))
  (test-fails 'bad-options (start-arbiter node "a" #:state "0" #:apply move-lamp
                                          #:rule "by shouting"))
  (test-fails 'bad-argument (start-planner node "p")))
(done)
