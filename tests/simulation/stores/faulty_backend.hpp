// A message store's backend that makes a mistake, to see that tests find it.
#pragma once

#include "coracle/store_backend.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace coracle::test {

// Mistakes that a message store's backend could make.
enum class BackendFault : std::uint8_t {
  nothing,
  promises_in_vain,  // confirms before anything is on the disk, and never writes it
  opens_at_once,     // before the disk has the name of the permitted reader
  turns_round,       // returns the newest first
};

class FaultyBackend final : public StoreBackend {
 public:
  FaultyBackend(std::shared_ptr<StoreBackend> backend, BackendFault fault)
      : inner_(std::move(backend)), fault_(fault) {}

  Stage promise() const noexcept override { return inner_->promise(); }
  std::size_t limit() const noexcept override { return inner_->limit(); }
  std::vector<Kept> begin(std::function<void()> wake, Time now) override {
    std::vector<Kept> all = inner_->begin(std::move(wake), now);
    if (fault_ == BackendFault::turns_round) std::reverse(all.begin(), all.end());
    return all;
  }
  void keep(const Name& name, std::span<const std::byte> head, const Content& content,
            bool handed_out, Time now, Settled settled) override {
    if (fault_ == BackendFault::promises_in_vain) return settled(++last_);
    inner_->keep(name, head, content, handed_out, now, std::move(settled));
  }
  void open(const Name& name, Time now, std::function<void()> then) override {
    if (fault_ == BackendFault::opens_at_once) return then();
    inner_->open(name, now, std::move(then));
  }
  void finish(std::uint64_t id, Time now) override { inner_->finish(id, now); }
  Time work(Time now) override { return inner_->work(now); }
  void end(Time now) override { inner_->end(now); }

 private:
  const std::shared_ptr<StoreBackend> inner_;
  const BackendFault fault_;
  std::uint64_t last_ = 0;
};

}  // namespace coracle::test
