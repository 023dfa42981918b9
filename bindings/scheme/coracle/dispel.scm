;; The roles of DisPeL. The manual has a page about them: docs/manual/37-scheme-roles.md.
(define-module (coracle dispel)
  #:use-module (coracle labour)
  #:use-module (coracle layers)
  #:use-module (coracle pipelines)
  #:use-module (coracle serving)
  #:re-export (;; servers and clients
               start-server start-client request
               ;; pipelines
               start-pipeline make-source make-filter make-sink made-elsewhere put end-stream stage?
               ;; masters and slaves
               start-master start-slave divide
               ;; layers of behaviours
               start-subsumption make-behaviour wire suppress inhibit last-signal fresh-signal?
               send-signal set-alarm alarm-rang? end-behaviour))
