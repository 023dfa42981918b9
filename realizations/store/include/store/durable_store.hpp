// A message store on a disk: the thin driver between MessageStore, Journal and DiskWorker. It
// belongs to one thread (of a server: to its own), which calls pump().
#pragma once

#include "store/disk_worker.hpp"
#include "store/message_store.hpp"

#include <functional>

namespace coracle::store {

// Settings of a durable store.
struct DurableOptions {
  JournalOptions journal;
  StoreOptions messages;
  Duration retry = std::chrono::milliseconds(200);  // while the disk is full
  std::size_t clean_bytes = 1u << 20;               // of an old segment, read through at once
  // Makes the worker for the disk; by default the work is done within pump().
  std::function<std::unique_ptr<DiskWorker>(std::unique_ptr<SegmentFiles>)> worker = inline_worker;
};

class DurableStore {
 public:
  // Recovers the content of `disk`, which nobody else uses. `disk` and `random` outlive the store.
  // Fails as recover() does.
  static Result<std::unique_ptr<DurableStore>> open(Disk& disk, DurableOptions options,
                                                    Random& random, Time now);
  ~DurableStore();

  // The report of the recovery.
  const RecoveryReport& report() const { return report_; }
  // The stored state. A change to it is on the disk when durable() has reached the change's number.
  MessageStore& messages() { return messages_; }
  const MessageStore& messages() const { return messages_; }

  // Sends to the disk the changes since the last call, and learns which changes have got there.
  // Call it after a change, when the worker has finished something, and at next_pump().
  void pump(Time now);
  // The time at which pump() must be called again in any case.
  Time next_pump() const;

  // The results of all operations of messages() up to this number are on the disk.
  Sequence durable() const { return journal_->durable(); }
  // The reason why nothing will get to the disk any more; a restart finds out what is there.
  const std::optional<Error>& failure() const { return journal_->failure(); }
  // Returns whether the disk is full, so that new messages are refused.
  bool full() const { return journal_->full(); }
  // The journal, with the counts of bytes on the disk and of those that are needed.
  const Journal& journal() const { return *journal_; }

  // Fetches header and content of a message: at once if they are in memory, otherwise during a
  // later pump(). Fails with Errc::bad_encoding (damaged), no_such_file (the message is not there)
  // or disk_failed.
  void fetch(MessageId id, std::function<void(Result<Bytes>)> then);
  // The same, but waits for the disk.
  Result<Bytes> read(MessageId id, Time now);

  // Writes everything and a mark that the program ended in order, and waits for the disk. Fails
  // with the error of failure(), or with Errc::disk_full.
  Result<void> close(Time now);

 private:
  struct Cleaning;
  struct Fetching {
    MessageId id = 0;
    std::function<void(Result<Bytes>)> then;
  };

  DurableStore(DurableOptions options, Time now);
  Result<void> flush(Time now);
  bool step(Time now);
  void on_done(WorkDone done, Time now);
  void on_batch(WorkDone& done, Time now);
  void on_record(WorkDone& done);
  void on_segment(WorkDone& done, Time now);
  bool write(Time now);
  bool clean(Time now);
  bool should_clean() const;
  bool look_through();

  DurableOptions options_;
  RecoveryReport report_;
  MessageStore messages_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<DiskWorker> worker_;
  bool writing_ = false;
  std::optional<Batch> again_;  // a batch for which there was no room
  Time try_at_;                 // when to write that batch, or to refill the reserve
  bool refilling_ = false;
  bool closing_ = false;
  std::unique_ptr<Cleaning> cleaning_;
  bool reading_segment_ = false;
  Time clean_at_;
  Time pumped_at_;
  bool may_look_ = true;  // the next piece of the oldest segment may be read before the next pump()
  std::uint32_t unreadable_ = 0;  // the number of a segment that cannot be cleaned
  std::uint64_t next_ticket_ = 0;
  std::map<std::uint64_t, Fetching> fetching_;
};

}  // namespace coracle::store
