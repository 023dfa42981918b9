// Keeps what is to be written until it is written: the journal plans the position of each record,
// groups the records that arrive meanwhile, and knows which are on the disk. It is pure: batches go
// out, and their results come in. The disk's half is segment_files.hpp; recovery (recovery.hpp) is
// the only way to begin. See docs/journal.md.
#pragma once

#include "coracle/clock.hpp"
#include "store/format.hpp"

#include <deque>
#include <initializer_list>
#include <optional>

namespace coracle::store {

// Settings of a journal.
struct JournalOptions {
  std::uint64_t segment_bytes = 32u << 20;                 // a longer segment gets a successor
  std::uint64_t pending_bytes = 32u << 20;                 // appended and not yet on the disk
  std::uint64_t reserve_bytes = 32u << 20;                 // kept free for a full disk
  std::uint32_t record_bytes = (16u << 20) + (64u << 10);  // the longest body of a record
};
// Fails with Errc::bad_options.
Result<void> check_options(const JournalOptions& options);

// Records that are written and synced together, into one segment.
struct Batch {
  std::uint32_t segment = 0;
  std::uint32_t base = 0;               // its first byte in the segment
  std::optional<SegmentHeader> starts;  // set when the batch is the first of its segment
  Bytes records;
  Sequence last = 0;
  std::uint32_t remove_before = 0;  // afterwards, segments with lower numbers are removed
};

// Decides whether the record may be refused while the disk is full.
enum class Urgency : std::uint8_t { refusable, needed };

// The known state of a segment.
struct SegmentUse {
  std::uint32_t number = 0;
  std::uint64_t bytes = 0;
  std::uint64_t live_bytes = 0;  // of records that a restart still needs
  std::uint64_t live_records = 0;
};

// The state from which a journal continues; recover() finds it out.
struct JournalStart {
  std::deque<SegmentUse> segments;  // the last one is written to
  std::uint32_t run = 0;
  Sequence last = 0;
};

class Journal {
 public:
  struct Appended {
    Sequence sequence = 0;
    Place place;
  };

  // `random` outlives the journal.
  Journal(JournalOptions options, JournalStart start, Random& random);

  // Appends a record; its body is the parts behind each other. The record is on the disk once
  // durable() has reached its sequence. Fails with Errc::disk_full (the disk is full, and the
  // record refusable), limit_reached (too much is not on the disk yet), too_large, or disk_failed:
  // the error given to fail().
  Result<Appended> append(std::uint8_t kind, std::initializer_list<ByteSpan> parts,
                          Urgency urgency);

  // Takes the batch that is to be written next; nothing while a batch is being written, or when
  // there is nothing to write.
  std::optional<Batch> take();
  // The batch that was taken is on the disk.
  void written();
  // That batch is not on the disk, and nothing more will get there. Final.
  void fail(Error why);
  // Sets whether the disk is full: then refusable records are refused. `room` is what is left for
  // other records.
  void set_full(bool full, std::uint64_t room);

  // Everything up to this sequence is on the disk.
  Sequence durable() const { return durable_; }
  // The last record that was appended.
  Sequence last() const { return last_; }
  // The reason why nothing more can be written, if there is one.
  const std::optional<Error>& failure() const { return failure_; }
  bool full() const { return full_; }
  std::uint64_t room() const { return room_; }
  // The bytes that are not on the disk yet.
  std::uint64_t pending() const { return in_flight_ + next_.records.size(); }

  // The segments, the oldest first; the last one is written to.
  const std::deque<SegmentUse>& segments() const { return segments_; }
  std::uint64_t total_bytes() const { return total_bytes_; }
  std::uint64_t live_bytes() const { return live_bytes_; }
  // Returns whether the whole oldest segment is on the disk, and nothing more is written to it.
  bool oldest_is_complete() const { return segments_.front().number < written_segment_; }
  // A restart needs a record of that many bytes, or does not need it any more.
  void add_live(Place place, std::size_t bytes);
  void drop_live(Place place, std::size_t bytes);
  // Removes the oldest segment, in which nothing is needed any more, after everything appended so
  // far is on the disk. Fails as append() does.
  Result<void> remove_oldest();
  // Appends the mark that the program ends in order. Fails as append() does.
  Result<void> close();

 private:
  Result<void> may_append(std::size_t bytes, Urgency urgency) const;
  void begin_batch();
  Appended put(std::uint8_t kind, std::span<const ByteSpan> parts);
  SegmentUse& use_of(std::uint32_t segment);

  JournalOptions options_;
  Random& random_;
  std::deque<SegmentUse> segments_;
  std::uint64_t total_bytes_ = 0, live_bytes_ = 0;
  std::uint32_t run_;
  Sequence last_, durable_;
  Sequence last_record_;  // equal to last_, unless nothing was appended since recovery
  Batch next_;
  bool begun_ = false;           // next_ has a position
  std::uint64_t in_flight_ = 0;  // bytes of the batch that is being written
  bool writing_ = false;
  Sequence writing_last_ = 0;
  std::uint32_t writing_segment_ = 0, written_segment_;
  bool full_ = false;
  std::uint64_t room_ = 0;
  std::optional<Error> failure_;
};

}  // namespace coracle::store
