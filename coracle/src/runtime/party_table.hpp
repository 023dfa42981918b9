// All names that a node has heard of. Safe to use from every thread.
#pragma once

#include "runtime/party.hpp"

#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

namespace coracle::detail {

class PartyTable {
 public:
  explicit PartyTable(std::size_t limit) noexcept : limit_(limit) {}
  ~PartyTable();

  // The party of that name, made with that home if there is none. Throws Errc::bad_name, and
  // Errc::limit_reached.
  Party* find_or_add(std::string_view name, Worker& home);
  // Calls `show` for each; nothing is added meanwhile.
  void each(const std::function<void(Party&)>& show);
  std::size_t size() const noexcept;

 private:
  void grow();
  std::size_t slot_of(std::uint32_t hash) const noexcept { return hash & (slots_.size() - 1); }

  mutable std::mutex mutex_;  // guards everything
  std::vector<Party*> slots_ = std::vector<Party*>(64);
  std::size_t size_ = 0;
  const std::size_t limit_;
};

}  // namespace coracle::detail
