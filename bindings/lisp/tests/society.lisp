;;;; Groups, eavesdropping, the directory, receipts, tuple spaces, and the end of a node.

(in-package :coracle-tests)
(def-suite* society :in coracle-tests)

(test groups
  (with-ports (ann bob cid) ()
    (c:join bob "choir")
    (c:join cid "choir")
    (is (equal '("bob" "cid") (sort (c:members ann "choir") #'string<)))
    (c:send ann '(:group "choir") "la")
    (is (string= "choir" (c:target (c:receive bob))))
    (is (string= "la" (c:text (c:receive cid))))
    (c:leave bob "choir")
    (is (equal '("cid") (c:members ann "choir")))
    (c:send ann '("bob" "cid") "to both")
    (is (string= "to both" (c:text (c:receive bob))))
    (is (string= "to both" (c:text (c:receive cid))))))

(test a-late-joiner-gets-nothing-that-its-sender-did-not-keep
  (with-ports (ann bob) ()
    (c:send ann '(:group "choir") "la")
    (c:join bob "choir" :last 5)
    (c:send ann '(:group "choir") "lo")
    (let ((message (c:receive bob)))
      (is (string= "lo" (c:text message)))
      (is (not (c:earlier-p message))))))

(test eavesdropping
  (with-ports (ann bob eve) ()
    (let ((tap (c:overhear eve :source "a.*" :text "fi[rt]e")))
      (c:send ann "bob" "water")
      (c:send ann "bob" "fire")
      (let ((copy (c:receive eve :tap tap)))
        (is (equal '("fire" "ann" "bob") (list (c:text copy) (c:source copy) (c:target copy))))
        (is (= tap (c:tap copy))))
      (c:send ann "eve" "to eve")
      (is (string= "to eve" (c:text (c:receive eve :addressed t))))
      (c:stop-overhearing eve tap)
      (c:send ann "bob" "fire")
      (is (null (c:try-receive eve))))
    (fails c:bad-pattern (c:overhear eve :source "("))))

(test the-directory
  (with-ports (ann) ()
    (c:describe-agent ann '(("kind" . "sonar") ("range" . 5) ("weight" . 2.5d0) ("on" . t)))
    (let ((entry (first (c:find-agents ann :where '(("kind" := "sonar") ("range" :> 4)
                                                    ("kind" :matches "so.*")
                                                    ("on" :exists nil))))))
      (is (string= "ann" (first entry)))
      (is (equal '(("kind" . "sonar") ("on" . t) ("range" . 5) ("weight" . 2.5d0))
                 (sort (copy-list (rest entry)) #'string< :key #'car))))
    (is (null (c:find-agents ann :prefix "lab")))
    (fails c:bad-argument (c:find-agents ann :where '(("kind" :like "x"))))
    (fails c:bad-argument (c:describe-agent ann '(("kind" . sonar))))
    (fails c:no-such-agent (c:watch ann "nobody"))))

(test a-watcher-learns-the-end
  (with-ports (ann bob) ()
    (let ((watcher (bt:make-thread (lambda () (handler-case (c:watch ann "bob")
                                                (c:no-such-agent () :stopped))))))
      (c:close-port bob)
      (is (eq :stopped (bt:join-thread watcher))))))

(test a-full-mailbox
  (c:with-node (node "local:")
    (c:with-port (ann node "ann")
      (c:with-port (bob node "bob" :messages 1 :overflow :fail)
        (c:send ann "bob" "1")
        (fails c:mailbox-full (c:send ann "bob" "2"))
        (is (string= "1" (c:text (c:receive bob))))))))

(test tuples
  (c:with-node (node "local:")
    (c:start-space node "board")
    (c:with-port (ann node "ann")
      (c:tuple-out ann "board" (list "task" 7 2.5d0 (octets 1 2) t))
      (is (equalp (list "task" 7 2.5d0 (octets 1 2) t)
                  (c:tuple-rd ann "board" '("task" :integer :number :bytes :boolean))))
      (is (null (c:tuple-rdp ann "board" '("task" 8 :number :bytes :boolean))))
      (is (equal 7 (second (c:tuple-in ann "board" '(:text 7 :number :bytes :boolean)))))
      (is (null (c:tuple-inp ann "board" '(:text 7 :number :bytes :boolean))))
      (is (null (c:tuple-in ann "board" '(:text) :longest 0.001)))
      (fails c:bad-argument (c:tuple-out ann "board" '(x)))
      (fails c:bad-argument (c:tuple-out ann "board" '())))))

(test a-stop-has-its-report
  (let ((node (c:open-node "local:")))
    (let ((ann (c:open-port node "ann")))
      (c:send ann "ann" "x")
      (let ((report (c:stop node :longest 0)))
        (is (not (c:report-clean-p report)))
        (is (plusp (+ (c:report-undelivered report) (c:report-kept report))))
        (is (plusp (length (c:report-text report)))))
      (fails c:stopped (c:receive ann)))
    (c:close-node node)
    (c:close-node node)))

(test a-conversation-has-a-number-of-its-own
  (with-ports (ann) ()
    (is (/= (c:new-conversation ann) (c:new-conversation ann)))))
