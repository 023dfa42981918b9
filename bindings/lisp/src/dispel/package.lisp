;;;; The names of the roles of DisPeL.

(defpackage :coracle/dispel
  (:nicknames :dispel)
  (:use :cl)
  (:documentation "Pipelines, servers and clients, masters and slaves, layers of behaviours.

DEFCLASS a subclass of a role, with methods of its functions, and CORACLE:START it.")
  (:import-from :coracle
                #:start #:role #:name #:size #:handle #:begin #:fail #:fail-argument
                ;; calls of the library
                #:check #:uninterrupted #:define-functions #:operating #:nowhere
                #:event-value #:event-values #:live-node #:port-handle #:port-node #:port-loop
                ;; arguments
                #:with-arena #:allocate-zeros #:place-name #:place-name?
                #:place-struct #:place-value
                #:slot-at #:slot-place #:size-of #:span #:texts #:put-texts #:number-of #:encode
                ;; functions of roles
                #:define-asked #:define-told #:octets-at #:name-at #:decode #:answer-done
                #:present-question #:question-handle #:question-role #:has-method-p
                #:begin-role #:beginning #:acting-by #:functions-needed #:role-in #:role-key
                #:rests-when-finishing-p #:enrol-part #:enrolled #:%end-role #:self-ending-role
                #:with-roles-locked #:enrol-roles #:note-failed-function #:guarding-library
                #:answering-at-once)
  (:export
   ;; pipelines
   #:stage #:source #:filter #:sink #:produce #:process #:consume #:put #:on-end #:keeper
   ;; servers and clients
   #:server #:answer #:client #:request
   ;; masters and slaves
   #:slave #:work #:master #:divide #:command #:on-result #:on-progress #:on-refusal
   ;; layers
   #:layer #:react #:input #:output #:alarm #:alarm-rang-p #:start-subsumption))
