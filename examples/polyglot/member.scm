;; A cook of the kitchen, in Scheme: `member REALIZATION NAME DISH PRICE`. It votes for its dish,
;; bids its price for cooking, and adds its name to each plate that passes.
(use-modules (coracle)
             (coracle caf)
             (coracle dispel)
             (ice-9 match))

(define chain
  "orders: orders; cpp: cpp; c: c; python: python; guile: guile; sbcl: sbcl; plates: plates
   orders -> cpp -> c -> python -> guile -> sbcl -> plates")

(define (kinds own filter)
  `((orders . ,(made-elsewhere #:gives 'text))
    ,@(map (lambda (cook)
             (cons cook (if (string=? cook own)
                            filter
                            (made-elsewhere #:takes 'text #:gives 'text))))
           '("cpp" "c" "python" "guile" "sbcl"))
    (plates . ,(made-elsewhere #:takes 'text))))

(define (cook node name dish price)
  (define (named role) (string-append name "/" role))
  (start-peer node (named "voter")
    #:propose (lambda (call) (list dish))
    #:vote (lambda (agenda) (cons dish (delete dish (agenda-alternatives agenda)))))
  (start-bidder node (named "cook")
    #:bid (lambda (client contract) price)
    #:fulfil (lambda (engagement)
               (let ((subject (contract-subject (engagement-contract engagement))))
                 (string-append name " cooked " subject))))
  (start-pipeline node (named "keeper") #:name "chain" #:text chain #:only (list name)
    #:kinds (kinds name
                   (make-filter #:takes 'text #:gives 'text
                     #:process (lambda (stage plate)
                                 (put stage (string-append plate " " name)))))))

(define (serve-until-input-ends)
  (await-input (current-input-port))
  (unless (eof-object? (read-char)) (serve-until-input-ends)))

(match (command-line)
  ((_ realization name dish price)
   (with-node (node realization)
     (cook node name dish (string->number price))
     (format #t "~a is ready\n" name)
     (force-output)
     (serve-until-input-ends)))
  (else
   (display "usage: member.scm REALIZATION NAME DISH PRICE\n" (current-error-port))
   (exit 2)))
