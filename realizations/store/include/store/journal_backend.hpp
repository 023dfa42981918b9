// Keeps the messages of a message store on a disk. Each message is one of the DurableStore's, and
// counts as stored when it is on the disk. docs/journal.md describes the bytes.
#pragma once

#include "coracle/disk.hpp"
#include "coracle/store_backend.hpp"
#include "store/durable_store.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace coracle::store {

class JournalBackend final : public StoreBackend {
 public:
  struct Settings {
    std::size_t limit = std::size_t{256} << 20;
    DurableOptions store;
    bool own_thread = true;  // for the work on the disk
    std::function<void(const std::string&)> log;
  };

  // Recovers the content of `disk`. `disk` and `random` outlive the backend. Fails as
  // DurableStore::open() does.
  JournalBackend(Disk& disk, Random& random, Settings settings, Time now);
  ~JournalBackend() override;

  // The content found at the start; call it before begin().
  Found found() const;

  // The room taken on the disk at the time of the last work(): bytes of the journal, and bytes that
  // it still holds of its reserve. May be called from any thread.
  struct Usage {
    std::uint64_t journal_bytes = 0;
    std::uint64_t reserve_bytes = 0;
    bool full = false;
  };
  Usage usage() const noexcept {
    return {journal_bytes_.load(), reserve_bytes_.load(), is_full_.load()};
  }

  // --- StoreBackend ---
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
  // A caller that waits until the disk has everything up to a sequence.
  struct DurabilityWait {
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
  std::atomic<bool> awake_{false};  // work() has been requested
  std::unique_ptr<DurableStore> store_;
  std::deque<DurabilityWait> waits_;    // in the order of their sequences
  std::deque<Opening> openings_;        // those for which the journal had no room
  std::vector<std::uint64_t> ended_;    // the same, or not written yet
  bool failed_ = false, full_ = false;  // the states that were logged
  std::atomic<std::uint64_t> journal_bytes_{0}, reserve_bytes_{0};
  std::atomic<bool> is_full_{false};
};

// A backend for a service of this machine: on the machine's clock, with a thread for the disk.
std::shared_ptr<JournalBackend> backend_on(Disk& disk, std::size_t limit,
                                           std::function<void(const std::string&)> log);

}  // namespace coracle::store
