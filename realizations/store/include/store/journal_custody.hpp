// What a custodian keeps, on a disk: each message is one of the store's, and is promised when it is
// there. docs/journal.md has the bytes.
#pragma once

#include "coracle/custody.hpp"
#include "coracle/disk.hpp"
#include "store/durable_store.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace coracle::store {

class JournalCustody final : public Custody {
 public:
  struct Settings {
    std::size_t limit = std::size_t{256} << 20;
    DurableOptions store;
    bool own_thread = true;  // for the disk
    std::function<void(const std::string&)> log;
  };

  // Finds out what `disk` has. What is given outlives it. Fails as DurableStore::open() does.
  JournalCustody(Disk& disk, Random& random, Settings settings, Time now);
  ~JournalCustody() override;

  // What the start has found; before begin().
  Found found() const;

  // What it takes on the disk, when it last worked: bytes of the journal, and what it still holds
  // of its reserve. From any thread.
  struct Usage {
    std::uint64_t journal_bytes = 0;
    std::uint64_t reserve_bytes = 0;
    bool full = false;
  };
  Usage usage() const noexcept {
    return {journal_bytes_.load(), reserve_bytes_.load(), is_full_.load()};
  }

  // --- Custody ---
  Stage promise() const noexcept override { return Stage::stored; }
  std::size_t limit() const noexcept override { return limit_; }
  std::vector<Kept> begin(std::function<void()> wake, Time now) override;
  void keep(const Name& name, std::span<const std::byte> head, const Content& content,
            bool handed_out, Time now, Settled settled) override;
  void open(const Name& name, Time now, std::function<void()> then) override;
  void finish(std::uint64_t id, Time now) override;
  Time work(Time now) override;
  void end(Time now) override;

 private:
  // Somebody waits until the disk has so much.
  struct Promise {
    Sequence sequence;
    std::function<void(const std::optional<Error>&)> settle;
  };
  struct Opening {
    std::string name;
    std::function<void()> then;
  };

  void wake();
  bool try_open(Opening& opening);
  void write(Time now);
  void settle();
  void measure() noexcept;

  const std::size_t limit_;
  const std::function<void(const std::string&)> log_;
  std::mutex mutex_;  // guards wake_, which the disk's thread calls
  std::function<void()> wake_;
  std::atomic<bool> awake_{false};  // work() has been asked for
  std::unique_ptr<DurableStore> store_;
  std::deque<Promise> promises_;        // in the order of their sequences
  std::deque<Opening> openings_;        // which the journal had no room for
  std::vector<std::uint64_t> ended_;    // likewise, or not written yet
  bool failed_ = false, full_ = false;  // which was said
  std::atomic<std::uint64_t> journal_bytes_{0}, reserve_bytes_{0};
  std::atomic<bool> is_full_{false};
};

// One for a service of this machine: on the machine's clock, with a thread for the disk.
std::shared_ptr<JournalCustody> custody_on(Disk& disk, std::size_t limit,
                                           std::function<void(const std::string&)> log);

}  // namespace coracle::store
