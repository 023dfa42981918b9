;;;; The structs of coracle.h. A test compares each offset with those of a C compiler.

(in-package :coracle)

(cffi:defcstruct begin (loop :uint64) (key :uint64))

(cffi:defcstruct event
  (key :uint64) (error :pointer) (message :uint64) (receipt :uint64) (port :uint64)
  (entries :uint64) (number :uint64) (messages :uint64) (tuple :uint64)
  (result :uint64))

(cffi:defcstruct node_options
  (size :size) (realization :pointer) (identity :pointer) (workers :unsigned-int)
  (content_limit :size) (connect_time :int64) (patience :int64) (loop :uint64))

(cffi:defcstruct stop_report
  (size :size) (clean :uint8) (still_alive :uint64) (undelivered :uint64) (kept :uint64)
  (text :char :count 512))

(cffi:defcstruct property
  (key :pointer) (kind :int) (integer :int64) (number :double) (text :pointer))

(cffi:defcstruct agent_options
  (size :size) (name :pointer) (mailbox_messages :uint32) (mailbox_bytes :size) (overflow :int)
  (redirect :pointer) (properties :pointer) (property_count :size) (take_over :uint8))

(cffi:defcstruct header (key :pointer) (value :pointer))

(cffi:defcstruct post
  (size :size) (to :pointer) (to_sender_of :uint64) (many :pointer) (many_count :size)
  (group :pointer) (content :pointer) (content_size :size) (type :pointer) (conversation :uint64)
  (reply_to :pointer) (headers :pointer) (header_count :size) (expires :int64) (patience :int64))

(cffi:defcstruct match
  (size :size) (from :pointer) (conversation :uint64) (type :pointer) (tap :uint64)
  (addressed :uint8) (longest :int64))

(cffi:defcstruct message_info
  (size :size) (source :pointer) (target :pointer) (type :pointer) (reply_to :pointer)
  (content :pointer) (content_size :size) (conversation :uint64) (sequence :uint64) (tap :uint64)
  (gap :uint64) (is_request :uint8) (redelivered :uint8) (earlier :uint8) (receiver :pointer)
  (notice :int) (outcome :int) (drop_reason :int) (gap_reason :int) (copied_kind :int))

(cffi:defcstruct pattern
  (size :size) (source :pointer) (target :pointer) (text :pointer) (components :pointer)
  (component_count :size) (limit :uint32) (rate :uint64) (outcomes :uint8))

(cffi:defcstruct coracle_condition (comparison :int) (operand (:struct property)))

(cffi:defcstruct query
  (size :size) (prefix :pointer) (conditions :pointer) (condition_count :size) (limit :size))

(cffi:defcstruct field
  (kind :int) (any :uint8) (integer :int64) (number :double) (data :pointer) (size :size))

(defmacro slot-at (pointer type slot)
  "The SLOT of the struct of TYPE at POINTER."
  `(cffi:foreign-slot-value ,pointer '(:struct ,type) ',slot))

(defmacro size-of (type) `(cffi:foreign-type-size '(:struct ,type)))

(defmacro place-struct (arena type &rest slots)
  "A struct of options: its size is set, and each of SLOTS, a pair (SLOT FORM), that is not NIL."
  (let ((place (gensym "PLACE")) (value (gensym "VALUE")) (size (cffi:foreign-type-size (list :struct type))))
    `(let ((,place (allocate-zeros ,arena ,size)))
       (setf (slot-at ,place ,type size) ,size)
       ,@(loop for (slot form) in slots
               collect `(let ((,value ,form))
                          (when ,value (setf (slot-at ,place ,type ,slot) ,value))))
       ,place)))

(defmacro place-name? (arena form)
  "A name, or NIL for NIL."
  (let ((value (gensym "VALUE")))
    `(let ((,value ,form)) (when ,value (place-name ,arena ,value)))))

(defun span (seconds)
  "A number of seconds in nanoseconds: NIL sets no limit, and 0 is the shortest one."
  (cond ((null seconds) 0)
        ((not (and (realp seconds) (<= 0 seconds 9e9)))
         (fail-argument "~s is no span of time; give seconds from 0 to 9e9, or NIL." seconds))
        (t (max 1 (round (* seconds 1000000000))))))
