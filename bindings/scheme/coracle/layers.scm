;; Layers of behaviours, of which a higher one subsumes a lower one.
(define-module (coracle layers)
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
  #:use-module (system foreign)
  #:export (make-behaviour wire suppress inhibit start-subsumption
            last-signal fresh-signal? send-signal set-alarm alarm-rang? end-behaviour))

(define-record-type <behaviour>
  (new-behaviour name layer inputs outputs react)
  behaviour?
  (name behaviour-name)
  (layer behaviour-layer)
  (inputs behaviour-inputs)  ; pairs of a name, and the name of a type
  (outputs behaviour-outputs)
  (react behaviour-react))  ; #f: another program makes it

(define-record-type <reaction>
  (make-reaction behaviour question inputs rang?)
  reaction?
  (behaviour reaction-behaviour)
  (question reaction-question)
  (inputs reaction-inputs)  ; lists of a name, if a signal came, its value, and if it is fresh
  (rang? alarm-rang?))

(document
 (alarm-rang? "Return true if the alarm is the reason for this reaction."))

(define (typed-pairs pairs what)
  (unless (and (list? pairs) (every pair? pairs))
    (fail 'bad-argument what " are a list of pairs of a name and a type, not " pairs))
  (map (lambda (pair) (cons (key->text (car pair)) (type-name (cdr pair) what))) pairs))

(define* (make-behaviour name #:key (layer 0) (inputs '()) (outputs '()) react)
  "Return a behaviour of a LAYER, 0 or higher, for START-SUBSUMPTION. INPUTS and OUTPUTS are lists
of pairs of a name and the type of its signals. (REACT me) is called at the beginning, and when
signals have come or the alarm rings. It uses LAST-SIGNAL, FRESH-SIGNAL?, SEND-SIGNAL, SET-ALARM,
ALARM-RANG? and END-BEHAVIOUR with ME. Without REACT, another program makes the behaviour."
  (new-behaviour name (count-of layer "#:layer") (typed-pairs inputs "#:inputs")
                 (typed-pairs outputs "#:outputs")
                 (and react (require-procedure react "#:react"))))

;; --- reactions ---

(define (input-of me name)
  (or (assoc (key->text name) (reaction-inputs me))
      (fail 'bad-argument "the behaviour " (behaviour-name (reaction-behaviour me))
            " has no input " name)))

(define* (last-signal me input #:optional default)
  "Return the last signal that came to INPUT; DEFAULT if there was none."
  (let ((found (input-of me input)))
    (if (cadr found) (caddr found) default)))

(define (fresh-signal? me input)
  "Return true if a signal came to INPUT since the last reaction."
  (cadddr (input-of me input)))

(define (send-signal me output value)
  "Send VALUE from OUTPUT when the reaction ends."
  (let* ((name (key->text output))
         (found (assoc name (behaviour-outputs (reaction-behaviour me)))))
    (unless found
      (fail 'bad-argument "the behaviour " (behaviour-name (reaction-behaviour me))
            " has no output " output))
    (let ((bytes (typed->bytes value (cdr found))))
      (with-scratch
       (coracle-question-signal (reaction-question me) (place-text name "an output")
                                (place-bytes bytes (bytevector-length bytes))
                                (bytevector-length bytes))))))

(define (set-alarm me seconds)
  "Let the alarm ring so many SECONDS after this reaction: then REACT is called again."
  (coracle-question-alarm (reaction-question me) (time-of seconds "the alarm")))

(define (end-behaviour me)
  "Let the behaviour end after this reaction."
  (coracle-question-end (reaction-question me)))

(define (read-input question name)
  (with-scratch
   (let ((out (allot 24)))
     (coracle-question-input question (place-text name "an input") out (+ out 8) (+ out 16))
     (let ((there? (not (eqv? 0 (peek-u64 out)))))
       (list name there? (and there? (value-at (peek-u64 out) (peek-u64 (+ out 8))))
             (true? (peek-u8 (+ out 16))))))))

;; The role of a network is a vector of behaviours.
(define on-reaction
  (question-procedure '()
    (lambda (role self question context)
      (let* ((behaviour (vector-ref (role-functions role) (place-of context)))
             (inputs (map (lambda (each) (read-input question (car each)))
                          (behaviour-inputs behaviour)))
             (rang? (with-scratch
                     (let ((out (allot 8)))
                       (coracle-question-alarm-rang question out)
                       (true? (peek-u8 out)))))
             (me (make-reaction behaviour question inputs rang?)))
        (lambda ()
          ((behaviour-react behaviour) me)
          (coracle-answer-done question))))))

;; --- networks ---

(define effects '(signals suppresses inhibits))

(define (make-wire from to effect constant)
  (list from to (index-of effect effects "the effect") constant))

(define (wire from to)
  "Return a wire from \"behaviour.output\" to \"behaviour.input\"."
  (make-wire from to 'signals 0))

(define (suppress from to seconds)
  "Return a wire which suppresses an input: for SECONDS after each signal, the input TO gets the
signals of this wire alone."
  (make-wire from to 'suppresses seconds))

(define (inhibit from to seconds)
  "Return a wire which inhibits an output: for SECONDS after each signal, the output TO, written
\"behaviour.output\", sends nothing."
  (make-wire from to 'inhibits seconds))

(define (place-terminals behaviour)
  (let* ((all (append (map (lambda (each) (list (car each) (cdr each) 1))
                           (behaviour-inputs behaviour))
                      (map (lambda (each) (list (car each) (cdr each) 0))
                           (behaviour-outputs behaviour)))))
    (place-all all sizeof-terminal
      (lambda (at each place)
        (set-terminal.name! at (place-text (car each) "the name of an input or output"))
        (set-terminal.type! at (place-text (cadr each) "a type"))
        (set-terminal.is_input! at (caddr each))))))

(define (place-behaviours behaviours number)
  (place-all behaviours sizeof-layer
    (lambda (at behaviour place)
      (set-layer.size! at sizeof-layer)
      (set-layer.name! at (place-text (behaviour-name behaviour) "the name of a behaviour"))
      (set-layer.layer! at (behaviour-layer behaviour))
      (set-layer.terminals! at (place-terminals behaviour))
      (set-layer.terminal_count! at (+ (length (behaviour-inputs behaviour))
                                       (length (behaviour-outputs behaviour))))
      (when (behaviour-react behaviour) (set-layer.react! at on-reaction))
      (set-layer.context! at (context-of number place)))))

(define (place-wires wires)
  (place-all wires sizeof-wire
    (lambda (at wire place)
      (set-wire.from! at (place-text (car wire) "the beginning of a wire"))
      (set-wire.to! at (place-text (cadr wire) "the end of a wire"))
      (set-wire.effect! at (caddr wire))
      (set-wire.constant! at (time-of (cadddr wire) "the time of a wire")))))

(define (require-list things right? what)
  (unless (and (list? things) (every right? things)) (fail 'bad-argument what ", not " things)))

(define* (start-subsumption node name #:key (behaviours '()) (wires '()))
  "Start those BEHAVIOURS of a network that have procedures, as agents of NODE named NAME/behaviour.
BEHAVIOURS are all of the network, which MAKE-BEHAVIOUR returned; WIRES are those that WIRE,
SUPPRESS and INHIBIT returned."
  (require-list behaviours behaviour? "#:behaviours is a list of what make-behaviour returns")
  (require-list wires pair? "#:wires is a list of what wire, suppress and inhibit return")
  (call-with-role node (make-role-agent node name 0) (list->vector behaviours)
    (lambda (number)
      (let ((network (allot sizeof-subsumption)))
        (set-subsumption.size! network sizeof-subsumption)
        (set-subsumption.name! network (place-text name "the name of the network"))
        (set-subsumption.layers! network (place-behaviours behaviours number))
        (set-subsumption.layer_count! network (length behaviours))
        (set-subsumption.wires! network (place-wires wires))
        (set-subsumption.wire_count! network (length wires))
        (set-subsumption.end! network end-of-role)
        (set-subsumption.context! network number)
        (coracle-subsumption-start (node-handle node) network)))))
