// What masters and slaves say to each other.
#pragma once

#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::dispel::detail {

// A master wants a slave to serve it under that contract. Types are by their names as content.
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

// What came of them.
template <class R>
struct Results {
  static constexpr std::string_view content_type = "coracle/dispel/master/results/v1";
  std::uint64_t contract = 0;
  std::uint64_t chunk = 0;
  std::uint64_t first = 0;
  std::vector<R> results;
};

// A slave serves from now on. It says in which life of its name it is, as Incarnation does.
struct Hired {
  static constexpr std::string_view content_type = "coracle/dispel/slave/hired/v1";
  std::uint32_t epoch = 0;
  std::uint32_t counter = 0;
};

// A slave has been given tasks under a contract that it does not know: it has begun anew, or it
// believes that its master is gone. Which of both, the directory says.
struct UnknownContract {
  static constexpr std::string_view content_type = "coracle/dispel/master/unknown/v3";
  std::uint64_t contract = 0;
};

// Something has changed; from a master or slave to itself.
struct Changed {
  static constexpr std::string_view content_type = "coracle/dispel/changed/v1";
  bool master = false;
};

// What the names of all that is for a master, or for a slave, begin with.
inline constexpr std::string_view for_masters = "coracle/dispel/master/";
inline constexpr std::string_view for_slaves = "coracle/dispel/slave/";

}  // namespace coracle::dispel::detail
