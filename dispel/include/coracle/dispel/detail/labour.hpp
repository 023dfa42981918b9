// The messages between masters and slaves.
#pragma once

#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::dispel::detail {

// A master's request that a slave serve it under that contract. Types are given by their names as
// content.
struct Hire {
  static constexpr std::string_view content_type = "coracle/dispel/slave/hire/v1";
  std::uint64_t contract = 0;
  std::string takes;
  std::string gives;
};

// Tasks for a slave.
template <class T>
struct Tasks {
  static constexpr std::string_view content_type = "coracle/dispel/slave/tasks/v1";
  std::uint64_t contract = 0;
  std::uint64_t chunk = 0;
  std::uint64_t first = 0;
  std::vector<T> tasks;
};

// The results of these tasks.
template <class R>
struct Results {
  static constexpr std::string_view content_type = "coracle/dispel/master/results/v1";
  std::uint64_t contract = 0;
  std::uint64_t chunk = 0;
  std::uint64_t first = 0;
  std::vector<R> results;
};

// A slave's reply that it serves from now on, with the incarnation of its name.
struct Hired {
  static constexpr std::string_view content_type = "coracle/dispel/slave/hired/v1";
  std::uint32_t epoch = 0;
  std::uint32_t counter = 0;
};

// A slave received tasks under a contract that it does not know: it has begun anew, or it believes
// that its master is gone. The directory shows which of both.
struct UnknownContract {
  static constexpr std::string_view content_type = "coracle/dispel/master/unknown/v3";
  std::uint64_t contract = 0;
};

// A change at a master or slave; the agent sends this message to itself.
struct Changed {
  static constexpr std::string_view content_type = "coracle/dispel/changed/v1";
  bool master = false;
};

// The prefixes of the type names of all messages for a master, and for a slave.
inline constexpr std::string_view for_masters = "coracle/dispel/master/";
inline constexpr std::string_view for_slaves = "coracle/dispel/slave/";

}  // namespace coracle::dispel::detail
