// The leases of a directory, in the order in which they expire.
#pragma once

#include "coracle/directory.hpp"
#include "name_table.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coracle::detail {

// One lease, and the list of the names held under it.
struct Lease {
  std::string identity;
  Duration term{};
  Time expiry{};
  std::uint32_t generation = 0;
  std::uint32_t names = 0;
  std::size_t memberships = 0;  // of these names
  std::size_t bytes = 0;        // of these names and their properties
  std::uint32_t first = NameTable::none;
  std::uint32_t last = NameTable::none;
  bool open = false;
};

// Not safe to share between threads. The record of a closed lease is used again with another id.
class Leases {
 public:
  // Opened leases have generation `first_generation` or a later one, which is the upper half of
  // their ids. The lower halves begin behind `salt`.
  explicit Leases(std::uint32_t first_generation, std::uint32_t salt = 0) noexcept
      : first_(first_generation), salt_(salt) {}
  // From now on, opened leases have this generation or a later one.
  void go_on_from(std::uint32_t generation) noexcept { first_ = generation; }

  // The number of open leases.
  std::size_t size() const noexcept { return leases_.size() - free_.size(); }
  // The time when the next lease expires.
  Time earliest() const noexcept { return due_.empty() ? Time::max() : due_.begin()->first; }
  // The index of the lease that expires next; requires that a lease expires.
  std::uint32_t first_due() const noexcept { return due_.begin()->second; }

  LeaseId open(std::string identity, Duration term, Time now);
  // The index of an open lease, or NameTable::none.
  std::uint32_t find(LeaseId id) const noexcept;
  Lease& operator[](std::uint32_t index) noexcept { return leases_[index]; }
  const Lease& operator[](std::uint32_t index) const noexcept { return leases_[index]; }
  LeaseId id_of(std::uint32_t index) const noexcept {
    return LeaseId{leases_[index].generation} << 32 | (index + salt_ + 1);
  }
  // The open leases.
  std::vector<LeaseId> all() const;
  void renew(std::uint32_t index, Time now);
  // Requires that the lease holds no name any more.
  void close(std::uint32_t index);

 private:
  void schedule(std::uint32_t index, Time now);

  std::uint32_t first_;
  const std::uint32_t salt_;
  std::vector<Lease> leases_;
  std::vector<std::uint32_t> free_;
  std::set<std::pair<Time, std::uint32_t>> due_;  // without leases that never expire
};

}  // namespace coracle::detail
