// Counts the messages of a message store: it wraps the store's backend, and any thread may read the
// counts.
#pragma once

#include "census.hpp"

#include "coracle/store_backend.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace coracle::society {

class CountedBackend final : public StoreBackend {
 public:
  explicit CountedBackend(std::shared_ptr<StoreBackend> inner) : inner_(std::move(inner)) {}

  // From any thread: stored messages, and their bytes, heads included.
  std::uint64_t messages() const noexcept { return messages_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

  // --- StoreBackend ---
  Stage promise() const noexcept override { return inner_->promise(); }
  std::size_t limit() const noexcept override { return inner_->limit(); }
  std::vector<Kept> begin(std::function<void()> wake, Time now) override {
    std::vector<Kept> all = inner_->begin(std::move(wake), now);
    for (const Kept& each : all) add(each.id, each.head.size() + each.content.size());
    return all;
  }
  void keep(const Name& name, std::span<const std::byte> head, const Content& content,
            bool handed_out, Time now, Settled settled) override {
    const std::uint64_t size = head.size() + content.size();
    inner_->keep(name, head, content, handed_out, now,
                 [this, size, then = std::move(settled)](Result<std::uint64_t> id) {
                   if (id) add(*id, size);
                   then(std::move(id));
                 });
  }
  void open(const Name& name, Time now, std::function<void()> then) override {
    inner_->open(name, now, std::move(then));
  }
  void finish(std::uint64_t id, Time now) override {
    const auto known = sizes_.find(id);
    if (known != sizes_.end()) {
      messages_.fetch_sub(1, std::memory_order_relaxed);
      bytes_.fetch_sub(known->second, std::memory_order_relaxed);
      sizes_.erase(known);
    }
    inner_->finish(id, now);
  }
  Time work(Time now) override { return inner_->work(now); }
  void end(Time now) override { inner_->end(now); }

 private:
  void add(std::uint64_t id, std::uint64_t size) {
    sizes_.emplace(id, size);
    messages_.fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(size, std::memory_order_relaxed);
  }

  const std::shared_ptr<StoreBackend> inner_;
  std::unordered_map<std::uint64_t, std::uint64_t> sizes_;  // bytes of stored messages, by number
  std::atomic<std::uint64_t> messages_{0}, bytes_{0};
};

// The disk usage of a backend's journal in that folder; empty: there is no journal here.
struct JournalUse {
  std::uint64_t journal_bytes = 0, reserve_bytes = 0;
  bool full = false;
  std::string folder;
};

// Adds to a census the stored messages, and, with a journal, its use of the disk and the free room.
void count_kept(const CountedBackend& backend, Census& census);
void count_journal(const JournalUse& use, Census& census);
// Does both for ServiceSettings::count_more; `journal`, if there is one, has a usage().
template <class Journal>
auto counting(std::shared_ptr<CountedBackend> backend, std::shared_ptr<Journal> journal,
              std::string folder) {
  return [backend = std::move(backend), journal = std::move(journal),
          folder = std::move(folder)](Census& census) {
    count_kept(*backend, census);
    if (!journal) return;
    const auto use = journal->usage();
    count_journal({use.journal_bytes, use.reserve_bytes, use.full, folder}, census);
  };
}

}  // namespace coracle::society
