;;;; The functions of coracle.h. Handles are numbers here; C sees them as pointers.

(in-package :coracle)

(cffi:define-foreign-library coracle-c
  (:unix (:or "libcoracle-c.so.0" "libcoracle-c.so")))

(defun load-library ()
  "Loads libcoracle-c: the file that the variable CORACLE_C_LIBRARY names, or the system's."
  (let ((file (uiop:getenv "CORACLE_C_LIBRARY")))
    (handler-case
        (if (and file (string/= file ""))
            (cffi:load-foreign-library file)
            (cffi:use-foreign-library coracle-c))
      (cffi:load-foreign-library-error (why)
        (error "The library libcoracle-c cannot be loaded (~a). Install it, or set the variable ~
                CORACLE_C_LIBRARY to its file." why)))))

(load-library)

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun c-words (name)
    "A name of Lisp as one of C."
    (substitute #\_ #\- (string-downcase name))))

(defun function-name-of (designator)
  "The name by which other languages call a function: a text, or that of a symbol."
  (if (symbolp designator) (c-words designator) designator))

(defmacro define-functions (&rest functions)
  "Defines each (NAME RESULT ARGUMENT-TYPE...) as the inline function %NAME for coracle_NAME."
  `(progn
     ,@(loop for (name result . types) in functions
             for c-name = (c-words name)
             for lisp-name = (intern (format nil "%~a" name))
             for arguments = (loop for nil in types for n from 1
                                   collect (intern (format nil "ARGUMENT-~d" n)))
             collect `(declaim (inline ,lisp-name))
             collect `(cffi:defcfun (,(format nil "coracle_~a" c-name) ,lisp-name) ,result
                        ,@(mapcar #'list arguments types)))))

(define-functions
  ;; errors
  (error-code :int :pointer)
  (error-sentence :pointer :pointer)
  (error-free :void :pointer)
  (version :string)
  ;; loops
  (loop-open :pointer :pointer)
  (loop-descriptor :pointer :uint64 :pointer)
  (loop-close :void :uint64)
  (loop-take :pointer :uint64 :pointer :size :pointer)
  (cancel :pointer :uint64 :uint64)
  ;; nodes and ports
  (node-open :pointer :pointer :pointer)
  (node-stop :pointer :uint64 :int64 :pointer)
  (node-close :void :uint64)
  (port-open :pointer :uint64 :pointer :pointer :pointer)
  (port-close :void :uint64)
  (port-fail :pointer :uint64 :pointer)
  (new-conversation :pointer :uint64 :pointer :pointer)
  ;; messages
  (send :pointer :uint64 :pointer :pointer)
  (track :pointer :uint64 :pointer :pointer :pointer)
  (ask :pointer :uint64 :pointer :int64 :pointer :pointer)
  (reply :pointer :uint64 :uint64 :pointer :pointer)
  (refuse :pointer :uint64 :uint64 :pointer :pointer)
  (receipt-reached :pointer :uint64 :int :int64 :pointer :pointer)
  (receipt-free :void :uint64)
  (receive :pointer :uint64 :pointer :pointer :pointer)
  (try-receive :pointer :uint64 :pointer :pointer)
  (receive-many :pointer :uint64 :pointer :size :pointer :pointer)
  (messages-next :pointer :uint64 :pointer)
  (messages-free :void :uint64)
  (message-content :pointer :uint64 :pointer :pointer)
  (message-read :pointer :uint64 :pointer)
  (message-header-at :pointer :uint64 :size :pointer :pointer)
  (message-acknowledge :pointer :uint64)
  (message-keep :pointer :uint64)
  (message-give-back :pointer :uint64)
  (message-free :void :uint64)
  ;; groups, eavesdropping, the directory
  (join :pointer :uint64 :pointer :size :pointer)
  (leave :pointer :uint64 :pointer :pointer)
  (members :pointer :uint64 :pointer :pointer :pointer)
  (overhear :pointer :uint64 :pointer :pointer :pointer)
  (stop-overhearing :pointer :uint64 :uint64 :pointer)
  (describe :pointer :uint64 :pointer :size :pointer)
  (search :pointer :uint64 :pointer :pointer :pointer)
  (entries-count :pointer :uint64 :pointer)
  (entries-at :pointer :uint64 :size :pointer :pointer)
  (entries-property :pointer :uint64 :size :size :pointer)
  (entries-free :void :uint64)
  (watch :pointer :uint64 :pointer :pointer :pointer)
  ;; tuple spaces
  (space-start :pointer :uint64 :pointer)
  (tuple-out :pointer :uint64 :pointer :pointer :size :int64 :pointer)
  (tuple-in :pointer :uint64 :pointer :pointer :size :int64 :pointer :pointer)
  (tuple-rd :pointer :uint64 :pointer :pointer :size :int64 :pointer :pointer)
  (tuple-inp :pointer :uint64 :pointer :pointer :size :pointer :pointer)
  (tuple-rdp :pointer :uint64 :pointer :pointer :size :pointer :pointer)
  (tuple-eval :pointer :uint64 :pointer :pointer :pointer :size :pointer)
  (tuple-notify :pointer :uint64 :pointer :pointer :size :int64 :pointer :pointer)
  (tuple-next :pointer :uint64 :uint64 :int64 :pointer :pointer)
  (tuple-missed :pointer :uint64 :uint64 :pointer :pointer)
  (tuple-unnotify :pointer :uint64 :uint64 :pointer)
  (evaluator-start :pointer :uint64 :pointer :pointer)
  (answer-tuple :pointer :uint64 :pointer :size)
  (tuple-count :pointer :uint64 :pointer)
  (tuple-field :pointer :uint64 :size :pointer)
  (tuple-free :void :uint64)
  ;; questions, results and roles
  (answer :pointer :uint64 :pointer :size)
  (answer-done :pointer :uint64)
  (answer-text :pointer :uint64 :pointer)
  (question-put :pointer :uint64 :pointer :size)
  (question-refuse :pointer :uint64 :pointer)
  (question-fail :pointer :uint64 :pointer)
  (question-is-open :pointer :uint64 :pointer)
  (question-end :pointer :uint64)
  (question-free :void :uint64)
  (result-count :pointer :uint64 :pointer)
  (result-value :pointer :uint64 :size :pointer :pointer)
  (result-free :void :uint64)
  (role-free :void :uint64)
  (agent-end :pointer :uint64 :pointer)
  ;; remote calls
  (call :pointer :uint64 :pointer :pointer :pointer :size :int64 :pointer :pointer)
  (call-blindly :pointer :uint64 :pointer :pointer :pointer :size :pointer)
  (service-start :pointer :uint64 :pointer :pointer)
  ;; values
  (writer-open :pointer :pointer)
  (write-null :pointer :uint64)
  (write-boolean :pointer :uint64 :uint8)
  (write-integer :pointer :uint64 :int64)
  (write-unsigned :pointer :uint64 :uint64)
  (write-number :pointer :uint64 :double)
  (write-text :pointer :uint64 :pointer :size)
  (write-bytes :pointer :uint64 :pointer :size)
  (write-array :pointer :uint64 :size)
  (write-map :pointer :uint64 :size)
  (write-end :pointer :uint64)
  (writer-bytes :pointer :uint64 :pointer :pointer)
  (writer-free :void :uint64)
  (reader-open :pointer :pointer :size :pointer)
  (read-shape :pointer :uint64 :pointer)
  (read-null :pointer :uint64)
  (read-boolean :pointer :uint64 :pointer)
  (read-integer :pointer :uint64 :pointer)
  (read-number :pointer :uint64 :pointer)
  (read-text :pointer :uint64 :pointer :pointer)
  (read-bytes :pointer :uint64 :pointer :pointer)
  (read-array :pointer :uint64 :pointer)
  (read-map :pointer :uint64 :pointer)
  (read-end :pointer :uint64)
  (read-finish :pointer :uint64)
  (reader-free :void :uint64))

(defun library-version ()
  "The version of libcoracle-c."
  (%version))
