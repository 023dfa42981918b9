;; Servers and clients.
(define-module (coracle serving)
  #:use-module (coracle failure)
  #:use-module (coracle layout)
  #:use-module (coracle library)
  #:use-module (coracle memory)
  #:use-module (coracle nodes)
  #:use-module (coracle places)
  #:use-module (coracle questions)
  #:use-module (coracle tasks)
  #:use-module (coracle values)
  #:use-module (rnrs bytevectors)
  #:use-module (system foreign)
  #:export (start-server start-client request))

(define on-request
  (question-procedure (list size_t size_t)
    (lambda (role self question bytes size context)
      (let ((value (value-at bytes size)))
        (lambda ()
          (put-value coracle-answer question ((role-ref role 'answer) value)
                     (role-ref role 'gives)))))))

(define-starter (start-server node name (takes #f) (gives #f) (answer #f) (service #f) (at-once #f)
                              (waiting #f) (each #f))
  options
  "Start a server as an agent of NODE, and return it: (ANSWER request) returns the reply, or calls
REFUSE. TAKES and GIVES are the types of both: text, integer, boolean, number, bytes, or the name of
a type in C++, a string. Clients ask for it by its name, or by the name SERVICE. It considers
AT-ONCE requests at the same time, else 1; in each lane WAITING requests may wait, of which EACH are
from one client. Other keywords are those of OPEN-AGENT. An error in ANSWER ends the server."
  (let ((takes (type-name takes "#:takes"))
        (gives (type-name gives "#:gives")))
    (start-role node name options
      `((answer . ,(require-procedure answer "#:answer")) (gives . ,gives))
      (lambda (handle place number)
        (let ((server (allot sizeof-server)))
          (set-server.size! server sizeof-server)
          (set-server.takes! server (place-text takes "#:takes"))
          (set-server.gives! server (place-text gives "#:gives"))
          (set-server.service! server (place-text service "#:service"))
          (set-server.at_once! server (count-of at-once "#:at-once"))
          (set-server.waiting! server (count-of waiting "#:waiting"))
          (set-server.each! server (count-of each "#:each"))
          (set-server.answer! server on-request)
          (set-server.end! server end-of-role)
          (set-server.context! server number)
          (coracle-server-start handle place server))))))

(define (start-client node name . options)
  "Start a client as an agent of NODE, and return it; REQUEST lets it send requests, several at a
time. CLOSE-AGENT ends it. The keywords are those of OPEN-AGENT."
  (start-actor node name options '()
    (lambda (handle place number out) (coracle-client-start handle place out))))

(define* (request client value #:key type server service lane within attempts each)
  "Let CLIENT send VALUE to SERVER, a name or an agent, or to any server that offers SERVICE, and
return the reply. TYPE is needed for vectors and lists. A higher LANE is served first; WITHIN so
many seconds the reply is of use. Up to ATTEMPTS servers, else 3, are asked one after the other, and
one may take EACH seconds. Fail with refused when a server refuses."
  (let* ((type (if type (type-name type "#:type") (type-of value)))
         (bytes (typed->bytes value type)))
    (performed (begin)
      (let ((request (allot sizeof-request)))
        (set-request.size! request sizeof-request)
        (set-request.server! request
          (place-text (target-name server) "#:server"))
        (set-request.service! request (place-text service "#:service"))
        (set-request.type! request (place-text type "#:type"))
        (set-request.value! request (place-bytes bytes (bytevector-length bytes)))
        (set-request.value_size! request (bytevector-length bytes))
        (set-request.lane! request (count-of lane "#:lane"))
        (set-request.within! request (span-of within "#:within"))
        (set-request.attempts! request (count-of attempts "#:attempts"))
        (set-request.each! request (span-of each "#:each"))
        (coracle-client-request (acting-role client "a client") request 0 begin))
      (lambda (event) (car (read-values event))))))
