;; Societies of agents in Guile. The manual has a page about it: docs/manual/32-scheme.md.
(define-module (coracle)
  #:use-module (coracle failure)
  #:use-module (coracle library)
  #:use-module (coracle messages)
  #:use-module (coracle nodes)
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
               message-conversation message-sequence message-tap message-gap message-request?
               message-redelivered? message-earlier?
               hold-message keep-request acknowledge give-back-message free-message
               receipt? reached? free-receipt
               ;; the society
               join-group leave-group group-members overhear stop-overhearing describe search
               entry? entry-name entry-properties watch
               ;; tuple spaces
               start-space tuple-out tuple-in tuple-rd tuple-inp tuple-rdp tuple-eval
               ;; values and errors
               value->bytes bytes->value &coracle-error coracle-error? coracle-error-kind
               coracle-error-sentence)
  #:re-export-and-replace (send)
  #:export (library-version))

(define (library-version)
  "Return the version of the library, for example \"1.0.0\"."
  (text-at (coracle-version)))
