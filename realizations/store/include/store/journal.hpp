// What is to be written, before it is: plans where each record goes, groups what comes meanwhile,
// and knows what is on the disk. Pure: batches go out, what became of them comes in. The disk's
// half is segment_files.hpp; recovery (recovery.hpp) is the only way to begin. See docs/journal.md.
#pragma once

#include "coracle/clock.hpp"
#include "store/format.hpp"

#include <deque>
#include <initializer_list>
#include <optional>

namespace coracle::store {

// What the tests break on purpose, to see that they notice.
enum class Planted : std::uint8_t {
  nothing,
  acknowledge_before_sync,  // a batch is called written before its sync
  cut_whole_group,          // recovery leaves the last group out, good as it may be
  rename_before_sync,       // a new segment gets its name before its content is synced
  go_on_after_failed_sync,  // a failed sync is tried again
  trust_what_is_read,       // recovery does not write the last group again
  remove_before_sync,       // a finished segment goes before what finished it is synced
  forget_to_sync_folder,    // a new segment's name is not synced
};

// Settings of a journal.
struct JournalOptions {
  std::uint64_t segment_bytes = 32u << 20;                 // a longer segment gets a successor
  std::uint64_t pending_bytes = 32u << 20;                 // appended, and not yet on the disk
  std::uint64_t reserve_bytes = 32u << 20;                 // kept free for when the disk is full
  std::uint32_t record_bytes = (16u << 20) + (64u << 10);  // the longest body of a record
  Planted planted = Planted::nothing;
};
// Fails with Errc::bad_options.
Result<void> check_options(const JournalOptions& options);

// Records that are written and synced together, into one segment.
struct Batch {
  std::uint32_t segment = 0;
  std::uint32_t base = 0;               // where in the segment it begins
  std::optional<SegmentHeader> starts;  // it is the first of its segment
  Bytes records;
  Sequence last = 0;
  std::uint32_t remove_before = 0;  // afterwards, segments with lower numbers are removed
};

// Whether a record may be refused while the disk is full.
enum class Urgency : std::uint8_t { refusable, needed };

// What is known of a segment.
struct SegmentUse {
  std::uint32_t number = 0;
  std::uint64_t bytes = 0;
  std::uint64_t live_bytes = 0;  // of records that a restart still needs
  std::uint64_t live_records = 0;
};

// Where a journal goes on; recover() finds it out.
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

  // `random` outlives it.
  Journal(JournalOptions options, JournalStart start, Random& random);

  // Takes a record; its body is the parts behind each other. It is on the disk once
  // durable() has reached its sequence. Fails with Errc::disk_full (the disk is full, and the
  // record refusable), limit_reached (too much is not on the disk yet), too_large, or disk_failed:
  // what fail() was told.
  Result<Appended> append(std::uint8_t kind, std::initializer_list<ByteSpan> parts,
                          Urgency urgency);

  // What is to be written next; nothing while a batch is being written, or when there is nothing.
  std::optional<Batch> take();
  // The batch that was taken is on the disk.
  void written();
  // It is not, nor will anything else be. Final.
  void fail(Error why);
  // Whether the disk is full: refusable records are refused. `room` is what is left for others.
  void set_full(bool full, std::uint64_t room);

  // Everything up to here is on the disk.
  Sequence durable() const { return durable_; }
  // The last record that was appended.
  Sequence last() const { return last_; }
  // Why nothing more can be written, if so.
  const std::optional<Error>& failure() const { return failure_; }
  bool full() const { return full_; }
  std::uint64_t room() const { return room_; }
  // Bytes that are not on the disk yet.
  std::uint64_t pending() const { return in_flight_ + next_.records.size(); }

  // Segments, the oldest first; the last one is written to.
  const std::deque<SegmentUse>& segments() const { return segments_; }
  std::uint64_t total_bytes() const { return total_bytes_; }
  std::uint64_t live_bytes() const { return live_bytes_; }
  // Whether all of the oldest segment is on the disk, and nothing more is written to it.
  bool oldest_is_complete() const { return segments_.front().number < written_segment_; }
  // A restart needs a record of so many bytes, or does not need it any more.
  void add_live(Place place, std::size_t bytes);
  void drop_live(Place place, std::size_t bytes);
  // Has the oldest segment removed, in which nothing is needed any more, after what was appended so
  // far is on the disk. Fails as append() does.
  Result<void> remove_oldest();
  // Says that the program ends in order. Fails as append() does.
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
  Sequence last_record_;  // the same, unless nothing was appended since recovery
  Batch next_;
  bool begun_ = false;           // next_ has a place
  std::uint64_t in_flight_ = 0;  // bytes of the batch that is being written
  bool writing_ = false;
  Sequence writing_last_ = 0;
  std::uint32_t writing_segment_ = 0, written_segment_;
  bool full_ = false;
  std::uint64_t room_ = 0;
  std::optional<Error> failure_;
};

}  // namespace coracle::store
