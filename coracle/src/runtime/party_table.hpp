// All names that a node has heard of. Safe to use from every thread.
#pragma once

#include "large_pages.hpp"
#include "runtime/party.hpp"
#include "secret_hash.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace coracle::detail {

// Parties lie in chunks, in the order of their making, and stay where they are. The index holds
// their hashes, so that neither searching nor growing it touches a party that is not meant.
class PartyTable {
 public:
  explicit PartyTable(std::size_t limit) noexcept : limit_(limit) {}
  ~PartyTable();

  // The party of that name, made with that home if there is none. Throws Errc::bad_name, and
  // Errc::limit_reached.
  Party* find_or_add(std::string_view name, Worker& home, bool& is_new);
  // The same; a new party shares the name's text.
  Party* find_or_add(const Name& name, Worker& home, bool& is_new);
  // The party of that name; nullptr if there is none.
  Party* find(std::string_view name);
  // Has the place of a name that will be asked for soon brought into the cache.
  void expect(const Name& name) const noexcept {
    const Slot* const first = first_.load(std::memory_order_relaxed);
    const std::size_t mask = mask_.load(std::memory_order_relaxed);
    __builtin_prefetch(first + (SecretHash()(name) & mask), 1);
  }
  // How many there are.
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return size_;
  }
  // Calls `show` for each; nothing is added meanwhile.
  void each(const std::function<void(Party&)>& show);

 private:
  static constexpr std::size_t chunk_parties = large_page / sizeof(Party);

  // A party's number, counted from one, and its hash; number zero is a free slot.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;
  };
  struct alignas(large_page) Chunk {
    std::byte memory[chunk_parties * sizeof(Party)];
  };

  Party& at(std::size_t index) noexcept;
  Party* find(std::string_view name, std::uint32_t hash) noexcept;
  Party* add(Name name, std::uint32_t hash, Worker& home);
  void grow();
  Slot& free_slot(std::uint32_t hash) noexcept;

  std::mutex mutex_;  // guards everything
  using Slots = std::vector<Slot, LargePages<Slot>>;
  Slots slots_ = Slots(64);
  // Where the slots are, for those without the lock; what they get may be out of date.
  std::atomic<const Slot*> first_{slots_.data()};
  std::atomic<std::size_t> mask_{slots_.size() - 1};
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::size_t size_ = 0;
  const std::size_t limit_;
};

}  // namespace coracle::detail
