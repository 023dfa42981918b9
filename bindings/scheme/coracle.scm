;; Societies of agents in Guile. The manual has a page about it: docs/manual/32-scheme.md.
(define-module (coracle)
  #:use-module (coracle calls)
  #:use-module (coracle evaluators)
  #:use-module (coracle failure)
  #:use-module (coracle library)
  #:use-module (coracle messages)
  #:use-module (coracle nodes)
  #:use-module (coracle records)
  #:use-module (coracle society)
  #:use-module (coracle tasks)
  #:use-module (coracle tuples)
  #:use-module (coracle values)
  #:re-export (;; nodes
               open-node stop-node close-node node? with-node call-with-node
               stop-report? stop-report-clean? stop-report-still-alive stop-report-undelivered
               stop-report-kept stop-report-text
               ;; agents
               spawn open-agent close-agent stop-agent redefine-agent await agent? agent-name
               agent-node spawn-task cancel-task yield-task await-input task?
               ;; messages
               track ask reply refuse receive receive-many try-receive group new-conversation
               message? message-source message-target message-type message-reply-to
               message-content message-text message-value message-headers message-header
               message-conversation message-sequence message-tap message-gap message-gap-reason
               message-notice message-kind message-request? message-redelivered? message-earlier?
               notice? notice-stage notice-outcome notice-drop-reason notice-receiver
               hold-message keep-request acknowledge give-back-message free-message
               receipt? reached? free-receipt
               ;; the society
               join-group leave-group group-members overhear stop-overhearing describe search
               entry? entry-name entry-properties watch
               ;; tuple spaces
               start-space tuple-out tuple-in tuple-rd tuple-inp tuple-rdp tuple-eval
               tuple-notify tuple-next tuple-missed tuple-unnotify start-evaluator
               ;; remote calls
               call call-blindly start-service
               ;; values and errors
               value->bytes bytes->value &coracle-error coracle-error? coracle-error-kind
               coracle-error-sentence)
  #:re-export-and-replace (send)
  #:export (library-version))

(define (library-version)
  "Return the version of the library, for example \"1.0.0\"."
  (text-at (coracle-version)))

;; Records make their procedures without documentation.
(document
 (node? "Return true if the argument is a node.")
 (stop-report? "Return true if the argument is a report of STOP-NODE.")
 (stop-report-clean? "Return true if all agents ended and every message was read.")
 (stop-report-still-alive "Return the number of agents that had not ended in time.")
 (stop-report-undelivered
  "Return the number of messages that nobody read and no message store keeps.")
 (stop-report-kept "Return the number of messages that the message store keeps.")
 (stop-report-text "Return the whole report, for people.")
 (agent? "Return true if the argument is an agent, opened or spawned.")
 (agent-name "Return the name of an agent.")
 (agent-node "Return the node of an agent.")
 (task? "Return true if the argument is a task that SPAWN-TASK made.")
 (message? "Return true if the argument is a message.")
 (message-source "Return the name of the agent that sent a message.")
 (message-target "Return the name of the agent or group to which a message was sent.")
 (message-type "Return the type of the content of a message, \"text/plain\" as a rule.")
 (message-reply-to "Return the name to which replies to a message shall go.")
 (message-content "Return the content of a message, a bytevector.")
 (message-headers "Return the headers of a message, a list of pairs of strings.")
 (message-conversation "Return the number of the conversation of a message; 0: none.")
 (message-sequence "Return the number of a message among those of its source.")
 (message-tap "Return the tap by which a message was overheard; 0: it was not.")
 (message-gap "Return how many copies are missing before this one, for an eavesdropper.")
 (message-gap-reason
  "Return why copies are missing: mailbox, rate, notices or unknown; #f if a message is no gap.")
 (message-notice "Return the notice of what has become of a message, or #f: this is no notice.")
 (message-kind "Return the kind of a message that was overheard: plain, request, reply or failure.")
 (notice? "Return true if the argument is a notice.")
 (notice-stage "Return how far a message has come: kept, handed-out or ended.")
 (notice-outcome
  "Return consumed, expired, refused, undeliverable, dropped or store-lost; #f before the end.")
 (notice-drop-reason
  "Return oldest, newest, replaced, late-reply or receiver-gone; #f if it was not dropped.")
 (notice-receiver "Return the agent to which a message was sent; of a group, one of its members.")
 (message-request? "Return true if the sender of a message waits for a reply.")
 (message-redelivered? "Return true if a message may have been read before.")
 (message-earlier? "Return true if a message went to its group before the agent joined.")
 (receipt? "Return true if the argument is a receipt of TRACK.")
 (entry? "Return true if the argument is an entry of the directory.")
 (entry-name "Return the name of the agent of an entry.")
 (entry-properties "Return the properties of an entry, a list of pairs."))
