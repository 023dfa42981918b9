;;;; Societies of agents for Common Lisp, on the C interface libcoracle-c.

(defsystem "coracle"
  :description "Societies of named agents that exchange messages, in any language"
  :version "0.1.0"
  :license "BSL-1.0"
  :depends-on ("cffi" "bordeaux-threads" "trivial-garbage")
  :pathname "src"
  :serial t
  :components ((:file "package")
               (:file "interrupts")
               (:file "texts")
               (:file "structs")
               (:file "functions")
               (:file "conditions")
               (:file "bells")
               (:file "loops")
               (:file "nodes")
               (:file "ports")
               (:file "values")
               (:file "messages")
               (:file "operations")
               (:file "sending")
               (:file "receiving")
               (:file "society")
               (:file "tuples")
               (:file "agents")
               (:file "questions")
               (:file "roles")
               (:file "records")
               (:file "calls")
               (:file "evaluators")
               (:file "images"))
  :in-order-to ((test-op (test-op "coracle/tests"))))

(defsystem "coracle/dispel"
  :description "Pipelines, servers and clients, masters and slaves, layers of behaviours"
  :depends-on ("coracle")
  :pathname "src/dispel"
  :serial t
  :components ((:file "package")
               (:file "kinds")
               (:file "serving")
               (:file "labour")
               (:file "pipelines")
               (:file "layers")))

(defsystem "coracle/caf"
  :description "Councils and peers, bidders and their clients, arbiters and planners"
  :depends-on ("coracle")
  :pathname "src/caf"
  :serial t
  :components ((:file "package")
               (:file "councils")
               (:file "contracts")
               (:file "plans")))

(defsystem "coracle/tests"
  :depends-on ("coracle" "coracle/dispel" "coracle/caf" "fiveam")
  :pathname "tests"
  :serial t
  :components ((:file "support")
               (:file "ports")
               (:file "content")
               (:file "society")
               (:file "overhearing")
               (:file "loops")
               (:file "agents")
               (:file "calls")
               (:file "notices")
               (:file "pipelines")
               (:file "labour")
               (:file "layers")
               (:file "councils")
               (:file "contracts")
               (:file "plans")
               (:file "misuse")
               (:file "memory"))
  :perform (test-op (operation system)
             (unless (symbol-call :fiveam :run! (find-symbol* :coracle :coracle-tests))
               (error "A test of coracle has failed."))))

(defsystem "coracle/player"
  :description "The player of the contract; see bindings/contract."
  :depends-on ("coracle" "babel")
  :pathname "contract"
  :components ((:file "player")))
