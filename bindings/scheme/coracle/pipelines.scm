;; Pipelines of sources, filters and sinks.
(define-module (coracle pipelines)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle questions)
  #:use-module (coracle records)
  #:use-module (coracle values)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-1)
  #:use-module (srfi srfi-9)
  #:use-module (srfi srfi-9 gnu)
  #:use-module (system foreign)
  #:export (make-source make-filter make-sink made-elsewhere put end-stream stage? start-pipeline))

(define-record-type <kind>
  (make-kind role takes gives act finish)
  kind?
  (role kind-role)  ; source, filter, sink or elsewhere
  (takes kind-takes)  ; the name of a type, or #f
  (gives kind-gives)
  (act kind-act)
  (finish kind-finish))

(set-record-type-printer! <kind>
  (lambda (kind port) (format port "#<~a>" (kind-role kind))))

;; One agent of a pipeline.
(define-record-type <stage>
  (make-stage kind question ended?)
  stage?
  (kind stage-kind)
  (question stage-question set-stage-question!)  ; what it is asked now
  (ended? stage-ended? set-stage-ended!))

(document
 (stage? "Return true if the argument is a stage, which the procedures of a kind are given."))

(define (optional-procedure procedure what)
  (and procedure (require-procedure procedure what)))

(define* (make-source #:key gives produce)
  "Return a kind of source: (PRODUCE stage number) puts one or more items of the type GIVES; when it
puts none, the stream ends. NUMBER is that of the next item; when the source was begun again, it is
that of the first item that may still be needed."
  (make-kind 'source #f (type-name gives "#:gives") (require-procedure produce "#:produce") #f))

(define* (make-filter #:key takes gives process finish)
  "Return a kind of filter: (PROCESS stage item) puts no item, one, or several. Behind the last
item, (FINISH stage error) may put others; it cannot wait. ERROR is a string if the stream ended too
early, else #f."
  (make-kind 'filter (type-name takes "#:takes") (type-name gives "#:gives")
             (require-procedure process "#:process") (optional-procedure finish "#:finish")))

(define* (make-sink #:key takes consume finish)
  "Return a kind of sink: (CONSUME stage item) has each item, and (FINISH stage error) is called at
the end; ERROR is a string if the stream ended too early, else #f."
  (make-kind 'sink (type-name takes "#:takes") #f (require-procedure consume "#:consume")
             (optional-procedure finish "#:finish")))

(define* (made-elsewhere #:key takes gives)
  "Return a kind whose stages are made by other programs."
  (make-kind 'elsewhere (and takes (type-name takes "#:takes"))
             (and gives (type-name gives "#:gives")) #f #f))

(define (put stage item)
  "Put ITEM into the stream behind STAGE, whose procedure is under way."
  (unless (and (stage? stage) (kind-gives (stage-kind stage)))
    (fail 'bad-argument "items are put by the stage of a source or of a filter, not by " stage))
  (let ((kind (stage-kind stage)))
    (put-value coracle-question-put (stage-question stage) item (kind-gives kind))))

(define (end-stream stage)
  "End the stream at STAGE in order, behind the present item, because it wants no more items, or has
none. Its own #:finish is not called then."
  (coracle-question-end (stage-question stage))
  (set-stage-ended! stage #t))

;; --- what the library calls ---

;; The role of a pipeline is a vector of kinds, or of thunks that make them. A thunk makes one for
;; each stage, and another one when that is begun again.
(define (stage-of role self context)
  (or (hashv-ref (role-table role) self)
      (let* ((kind (vector-ref (role-functions role) (place-of context)))
             (stage (make-stage (if (procedure? kind) (require-kind (kind)) kind) 0 #f)))
        (hashv-set! (role-table role) self stage)
        stage)))

(define (require-kind kind)
  (unless (kind? kind)
    (fail 'bad-argument "a kind is what make-source, make-filter, make-sink or made-elsewhere "
          "returns, or a procedure that returns one, not " kind))
  kind)

(define (stage-task role self question context . arguments)
  (let ((stage (stage-of role self context)))
    (define (forget)  ; this agent ends, without #:finish
      (hashv-remove! (role-table role) self))
    (lambda ()
      (set-stage-question! stage question)
      (with-exception-handler
       (lambda (exception)
         (forget)
         (raise-exception exception))
       (lambda () (apply (kind-act (stage-kind stage)) stage arguments))
       #:unwind? #t)
      (when (stage-ended? stage) (forget))
      (coracle-answer-done question))))

(define on-produce
  (question-procedure (list uint64)
    (lambda (role self question number context)
      (stage-task role self question context number))))

(define on-item
  (question-procedure (list size_t size_t)
    (lambda (role self question item size context)
      (stage-task role self question context (value-at item size)))))

(define (last-stage role self context)
  (let ((stage (stage-of role self context)))
    (hashv-remove! (role-table role) self)
    stage))

(define on-filter-finish
  (immediate-procedure (list size_t size_t size_t)
    (lambda (role self question error context)
      (when role
        (let* ((stage (last-stage role self context))
               (finish (kind-finish (stage-kind stage))))
          (when finish
            (set-stage-question! stage question)
            (finish stage (text-at error))))))
    (lambda (exception self question error context)
      (fail-now self context exception))))

(define on-sink-finish
  (notice-procedure (list size_t)
    (lambda (role self error context)
      (let* ((stage (last-stage role self context))
             (finish (kind-finish (stage-kind stage)))
             (error (text-at error)))
        (lambda () (when finish (finish stage error)))))
    #:last? #t))

;; --- pipelines ---

(define (place-kind at kind context)
  (let ((takes (place-text (kind-takes kind) "#:takes"))
        (gives (place-text (kind-gives kind) "#:gives")))
    (case (kind-role kind)
      ((source)
       (let ((source (allot sizeof-source)))
         (set-source.size! source sizeof-source)
         (set-source.gives! source gives)
         (set-source.produce! source on-produce)
         (set-source.context! source context)
         (set-part.source! at source)))
      ((filter)
       (let ((filter (allot sizeof-filter)))
         (set-filter.size! filter sizeof-filter)
         (set-filter.takes! filter takes)
         (set-filter.gives! filter gives)
         (set-filter.process! filter on-item)
         (set-filter.finish! filter on-filter-finish)
         (set-filter.context! filter context)
         (set-part.filter! at filter)))
      ((sink)
       (let ((sink (allot sizeof-sink)))
         (set-sink.size! sink sizeof-sink)
         (set-sink.takes! sink takes)
         (set-sink.consume! sink on-item)
         (set-sink.finish! sink on-sink-finish)
         (set-sink.context! sink context)
         (set-part.sink! at sink)))
      (else
       (set-part.takes! at takes)
       (set-part.gives! at gives)))))

(define (place-kinds kinds number)
  (place-all kinds sizeof-part
    (lambda (at each place)
      (let ((kind (if (procedure? (cdr each)) ((cdr each)) (cdr each))))
        (set-part.kind! at (place-text (key->text (car each)) "the name of a kind"))
        (place-kind at (require-kind kind) (context-of number place))))))

(define-starter (start-pipeline node keeper (name #f) (text #f) (kinds '()) (only '())
                                (stand-in-for '()) (window #f) (batch #f) (restarts #f))
  options
  "Start the keeper of a pipeline as an agent of NODE, and return it. It makes the stages, named
NAME/part, and ends when they have ended. TEXT is the structure, for example \"a: A; b: B * 4; c: C;
a -> b -> c\". KINDS is a list of pairs of the name of a kind and that kind; one that has a state is
a procedure that returns a new kind, for each stage. ONLY and STAND-IN-FOR are lists of the parts
that are made here, all if there are none, and of those that are made here when their process is
gone. WINDOW is the number of items that a stage is given ahead, BATCH that of items in a message,
RESTARTS that of crashes within a minute. Other keywords are those of OPEN-AGENT."
  (unless (and (list? kinds) (every pair? kinds))
    (fail 'bad-argument "#:kinds is a list of pairs of a name and a kind, not " kinds))
  (start-role node keeper options (list->vector (map cdr kinds))
    (lambda (handle place number)
      (let ((pipeline (allot sizeof-pipeline)))
        (set-pipeline.size! pipeline sizeof-pipeline)
        (set-pipeline.name! pipeline (place-text name "#:name"))
        (set-pipeline.text! pipeline (place-text text "#:text"))
        (set-pipeline.kinds! pipeline (place-kinds kinds number))
        (set-pipeline.kind_count! pipeline (length kinds))
        (set-texts (pipeline.only pipeline) only "#:only")
        (set-texts (pipeline.stand_in_for pipeline) stand-in-for "#:stand-in-for")
        (set-pipeline.window! pipeline (count-of window "#:window"))
        (set-pipeline.batch! pipeline (count-of batch "#:batch"))
        (set-pipeline.restarts! pipeline (count-of restarts "#:restarts"))
        (set-pipeline.end! pipeline end-of-role)
        (set-pipeline.context! pipeline number)
        (coracle-pipeline-start handle place pipeline)))))
