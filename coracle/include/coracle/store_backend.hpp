// The backend of a message store: it keeps messages for names that nobody holds, which nodes send
// to the message store when they stop, and all messages of nodes that send everything through the
// message store. The node that has one (Realization::backend) is its society's message store, and
// has one worker. Realizations: memory_backend() here, and the one on a journal in
// realizations/store. Tests: realizations/central/tests/message_store_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/content.hpp"
#include "coracle/name.hpp"
#include "coracle/outcome.hpp"
#include "coracle/result.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coracle {

// The counts of a message store. Its node counts; any thread may read.
class StoreCounts {
 public:
  // The messages that are stored now.
  std::uint64_t messages() const noexcept { return messages_.load(std::memory_order_relaxed); }
  // Their bytes, heads included.
  std::uint64_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

  // A message of so many bytes is stored.
  void add(std::uint64_t bytes) noexcept {
    messages_.fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  // A stored message of so many bytes has ended.
  void remove(std::uint64_t bytes) noexcept {
    messages_.fetch_sub(1, std::memory_order_relaxed);
    bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> messages_{0}, bytes_{0};
};

// Every call, and every callback, is on the node's worker, unless its comment states otherwise.
class StoreBackend {
 public:
  // A message that an earlier run kept and did not finish.
  struct Kept {
    // The message's number, as keep() gave it.
    std::uint64_t id = 0;
    // The arguments of keep().
    std::vector<std::byte> head;
    Content content;
    // True if a reader may have received the message already.
    bool handed_out = false;
    // The time for which it has been kept; time when no backend kept it does not count.
    Duration age{};
  };
  // The content that a service found in the folder of its message store when it began.
  struct Found {
    // The number of messages that an earlier run had stored, and of names for which they wait.
    std::size_t messages = 0;
    std::size_t names = 0;
    // True if there was nothing: the folder is new.
    bool fresh = true;
    // True if the earlier run ended in order.
    bool ended_in_order = true;
    // One sentence for each fault that was found in the data.
    std::vector<std::string> faults;
  };
  // Is called with the number of a message that is as safe as promised, or with the reason why it
  // is not. With Errc::disk_failed and Errc::stopped the message may be kept all the same, and be
  // returned after a restart; with any other error it is not kept.
  using Settled = std::function<void(Result<std::uint64_t>)>;

  virtual ~StoreBackend() = default;

  // The messages that the node keeps in this backend.
  StoreCounts& counts() noexcept { return counts_; }

  // The promise to the nodes that send messages to the message store: Stage::accepted, or
  // Stage::stored.
  virtual Stage promise() const noexcept = 0;
  // The number of bytes that it may keep.
  virtual std::size_t limit() const noexcept = 0;
  // The first call: returns the kept messages, for each name the oldest first. Afterwards the
  // backend calls `wake`, from any thread, to request a call of work().
  virtual std::vector<Kept> begin(std::function<void()> wake, Time now) = 0;
  // Keeps a message for `name`; `handed_out` if a reader may receive the message before the backend
  // would know so after a restart.
  virtual void keep(const Name& name, std::span<const std::byte> head, const Content& content,
                    bool handed_out, Time now, Settled settled) = 0;
  // A reader is about to receive the messages for `name`: calls `then` when the backend would know
  // that after a restart.
  virtual void open(const Name& name, Time now, std::function<void()> then) = 0;
  // A message has ended, and need not be kept any more.
  virtual void finish(std::uint64_t id, Time now) = 0;
  // Does the work that is due; returns the time for the next call even if nothing requests one.
  virtual Time work(Time now) = 0;
  // The last call: keep() calls that still wait for a promise get none.
  virtual void end(Time now) = 0;

 private:
  StoreCounts counts_;
};

// A backend that keeps at most `limit` bytes, as long as its node lives.
std::shared_ptr<StoreBackend> memory_backend(std::size_t limit);

}  // namespace coracle
