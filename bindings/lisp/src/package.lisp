;;;; The names that a program uses.

(defpackage :coracle
  (:use :cl)
  (:documentation "Societies of agents: named agents that exchange messages.

Begin with WITH-NODE, DEFCLASS a subclass of AGENT with a method of RUN or HANDLE, and START it.")
  (:export
   ;; nodes and loops
   #:node #:open-node #:close-node #:with-node #:stop #:node-realization
   #:stop-report #:report-clean-p #:report-still-alive #:report-undelivered #:report-kept
   #:report-text
   #:event-loop #:make-event-loop #:close-event-loop #:with-event-loop #:turn #:run-until #:cancel
   ;; ports and agents
   #:port #:open-port #:close-port #:with-port #:name #:new-conversation
   #:agent #:run #:begin #:handle #:start #:finish #:await #:alive-p
   #:*debug-agents* #:*on-failure*
   ;; messages
   #:message #:source #:target #:content-type #:reply-to #:text #:octets #:value #:header #:headers
   #:conversation #:sequence-number #:tap #:gap #:gap-reason #:copied-kind
   #:request-p #:redelivered-p #:earlier-p
   #:notice #:notice-stage #:notice-outcome #:notice-drop-reason #:notice-receiver
   #:release #:acknowledge #:give-back #:keep-open #:detach
   ;; sending and receiving
   #:send #:track #:reached #:ask #:reply #:refuse
   #:receive #:try-receive #:receive-many #:with-message #:do-messages
   ;; groups, eavesdropping, the directory
   #:join #:leave #:members #:overhear #:stop-overhearing
   #:describe-agent #:find-agents #:watch
   ;; tuple spaces
   #:start-space #:tuple-out #:tuple-in #:tuple-rd #:tuple-inp #:tuple-rdp #:tuple-eval
   #:tuple-notify #:tuple-next #:tuple-missed #:tuple-unnotify #:with-notices #:do-notices
   #:evaluator
   ;; remote calls and roles
   #:call #:call-blindly #:service #:role
   #:refusal #:refusal-reason #:later #:in-thread #:wanted-p
   ;; typed content
   #:encode #:decode
   ;; conditions and restarts
   #:coracle-error #:code #:sentence #:retry #:skip
   #:misuse #:delivery-error #:ending #:environment-error
   #:library-version))
