// All names that a node knows. Safe to use from every thread.
#pragma once

#include "coracle/support/secret_hash.hpp"
#include "mailbox.hpp"
#include "memory/large_pages.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace coracle::detail {

// Mailboxes lie in chunks, in the order in which they were made, and stay where they are. The index
// holds the hashes of their names, so that neither a search nor the growth of the index touches
// another mailbox.
class MailboxTable {
 public:
  explicit MailboxTable(std::size_t limit) noexcept : limit_(limit) {}
  ~MailboxTable();

  // Returns the mailbox of that name, made with that home if there is none. Throws Errc::bad_name,
  // and Errc::limit_reached.
  Mailbox* find_or_add(std::string_view name, Worker& home, bool& is_new);
  // The same; a new mailbox shares the name's text.
  Mailbox* find_or_add(const Name& name, Worker& home, bool& is_new);
  // Returns the mailbox of that name; nullptr if there is none.
  Mailbox* find(std::string_view name);
  // Brings the index entry of a name that will be looked up soon into the cache.
  void expect(const Name& name) const noexcept {
    const Slot* const first = first_.load(std::memory_order_relaxed);
    const std::size_t mask = mask_.load(std::memory_order_relaxed);
    __builtin_prefetch(first + (SecretHash()(name) & mask), 1);
  }
  // Returns the number of mailboxes.
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return size_;
  }
  // Calls `show` for each mailbox; none is added meanwhile.
  void each(const std::function<void(Mailbox&)>& show);
  // The same for `count` mailboxes from that one on; returns whether there are more.
  bool some(std::size_t from, std::size_t count, const std::function<void(Mailbox&)>& show);

 private:
  static constexpr std::size_t chunk_mailboxes = large_page / sizeof(Mailbox);

  // A mailbox's number, counted from one, and the hash of its name; number zero is a free slot.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;
  };
  struct alignas(large_page) Chunk {
    std::byte memory[chunk_mailboxes * sizeof(Mailbox)];
  };

  Mailbox& at(std::size_t index) noexcept;
  Mailbox* find(std::string_view name, std::uint32_t hash) noexcept;
  Mailbox* add(Name name, std::uint32_t hash, Worker& home);
  void grow();
  Slot& free_slot(std::uint32_t hash) noexcept;

  std::mutex mutex_;  // guards everything
  using Slots = std::vector<Slot, LargePages<Slot>>;
  Slots slots_ = Slots(64);
  // The address of the slots, for threads without the lock; the values that they read may be out of
  // date.
  std::atomic<const Slot*> first_{slots_.data()};
  std::atomic<std::size_t> mask_{slots_.size() - 1};
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::size_t size_ = 0;
  const std::size_t limit_;
};

}  // namespace coracle::detail
