;;;; Servers and clients.

(in-package :coracle/dispel)

(define-functions
  (server-start :pointer :uint64 :pointer :pointer)
  (client-start :pointer :uint64 :pointer :pointer)
  (client-request :pointer :uint64 :pointer :pointer :pointer))

(cffi:defcstruct server
  (size :size) (takes :pointer) (gives :pointer) (service :pointer) (at_once :uint32)
  (waiting :uint32) (each :uint32) (answer :pointer) (end :pointer) (context :uint64))

(cffi:defcstruct request
  (size :size) (server :pointer) (service :pointer) (type :pointer) (value :pointer)
  (value_size :size) (lane :uint32) (within :int64) (attempts :uint32) (each :int64))

(defclass server (typed role)
  ((service :initarg :service :initform nil :reader service)
   (at-once :initarg :at-once :initform nil :reader at-once)
   (waiting :initarg :waiting :initform nil :reader waiting)
   (each :initarg :each :initform nil :reader each-client))
  (:documentation "Serves requests by the method of ANSWER. Clients ask it by its name, or any
server that offers its SERVICE. It considers up to AT-ONCE requests at the same time; WAITING may
wait in each lane, EACH of one client."))

(defgeneric answer (server request)
  (:documentation "The reply to a request. A REFUSAL refuses it; another error ends the server."))

(defmethod functions-needed append ((server server)) '(answer))

(define-asked %answer-request ((server) (request :pointer) (size :size))
    ((request (octets-at request size)))
    (answer-item server)
  (answer server (decode request)))

(defmethod begin-role ((server server) node options arena)
  (require-kinds server '(takes :takes) '(gives :gives))
  (beginning (%server-start node options)
      (arena server
             (takes (place-name arena (kind-name (takes server))))
             (gives (place-name arena (kind-name (gives server))))
             (service (place-name? arena (service server)))
             (at_once (at-once server))
             (waiting (waiting server))
             (each (each-client server))
             (answer (cffi:callback %answer-request))
             (end (cffi:callback %end-role))
             (context (role-key server)))))

(defclass client (role) ()
  (:documentation "Sends requests to servers by REQUEST."))

(defmethod begin-role ((client client) node options arena)
  (acting-by (client out arena) (%client-start (live-node node) options out)))

(defun request (client value &key type server service lane within attempts each then)
  "Sends a request to the agent SERVER, or to any one that offers a SERVICE, and returns the reply.
TYPE is that of VALUE; for a text it is STRING. A higher LANE is served first. The reply is of use
WITHIN so many seconds. Up to ATTEMPTS servers are asked, by default 3, EACH for so many seconds."
  (let ((type (or type (and (stringp value) 'string)
                  (fail-argument "The request ~s needs a :TYPE." value))))
    (operating (client then #'event-value :arena arena) (begin handle)
      (multiple-value-bind (place size) (place-item arena value type "The request")
        (%client-request handle
                         (place-struct arena request
                           (server (place-name? arena server))
                           (service (place-name? arena service))
                           (type (place-name arena (kind-name type)))
                           (value place)
                           (value_size size)
                           (lane lane)
                           (within (span within))
                           (attempts attempts)
                           (each (span each)))
                         (nowhere) begin)))))
