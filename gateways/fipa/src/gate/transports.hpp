// The transports of a gateway, which threads plug in and out while agents use them.
#pragma once

#include "coracle/fipa/mtp.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::fipa {

class Transports {
 public:
  void add(std::shared_ptr<Mtp> mtp) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(mtp));
    ++version_;
  }
  // Another one when transports have come or gone, and so the addresses.
  std::uint64_t version() const noexcept { return version_; }
  // Removes a transport and returns it; nullptr if there is none of that name.
  std::shared_ptr<Mtp> remove(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const auto& each) { return each->name() == name; });
    if (found == all_.end()) return nullptr;
    std::shared_ptr<Mtp> removed = std::move(*found);
    all_.erase(found);
    ++version_;
    return removed;
  }
  std::vector<std::shared_ptr<Mtp>> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }
  std::shared_ptr<Mtp> find(std::string_view address) const {
    for (const auto& each : all()) {
      if (each->serves(address)) return each;
    }
    return nullptr;
  }
  std::vector<std::string> addresses() const {
    std::vector<std::string> addresses;
    for (const auto& each : all()) {
      for (std::string& address : each->addresses()) addresses.push_back(std::move(address));
    }
    return addresses;
  }

 private:
  mutable std::mutex mutex_;  // guards all_
  std::vector<std::shared_ptr<Mtp>> all_;
  std::atomic<std::uint64_t> version_ = 1;
};

}  // namespace coracle::fipa
