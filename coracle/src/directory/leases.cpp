#include "leases.hpp"

#include <algorithm>

namespace coracle::detail {

LeaseId Leases::open(std::string identity, Duration term, Time now) {
  if (free_.empty()) {
    leases_.emplace_back();
    free_.push_back(static_cast<std::uint32_t>(leases_.size() - 1));
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  Lease& lease = leases_[index];
  lease.identity = std::move(identity);
  lease.term = term;
  lease.open = true;
  lease.generation = std::max(lease.generation + 1, first_);
  schedule(index, now);
  return id_of(index);
}

std::uint32_t Leases::find(LeaseId id) const noexcept {
  const auto index = static_cast<std::uint32_t>(id) - salt_ - 1;
  if (index >= leases_.size() || !leases_[index].open) return NameTable::none;
  return leases_[index].generation == id >> 32 ? index : NameTable::none;
}

std::vector<LeaseId> Leases::all() const {
  std::vector<LeaseId> open;
  for (std::uint32_t index = 0; index < leases_.size(); ++index) {
    if (leases_[index].open) open.push_back(id_of(index));
  }
  return open;
}

void Leases::renew(std::uint32_t index, Time now) {
  due_.erase({leases_[index].expiry, index});
  schedule(index, now);
}

void Leases::close(std::uint32_t index) {
  Lease& lease = leases_[index];
  due_.erase({lease.expiry, index});
  lease.open = false;
  lease.identity = {};
  free_.push_back(index);
}

void Leases::schedule(std::uint32_t index, Time now) {
  Lease& lease = leases_[index];
  lease.expiry = Deadline(lease.term).at(now);
  if (lease.expiry != Time::max()) due_.emplace(lease.expiry, index);
}

}  // namespace coracle::detail
