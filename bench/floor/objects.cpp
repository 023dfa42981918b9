#include "floor/floors.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/host.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <unordered_map>

namespace coracle::bench {

namespace {

struct Object {
  char state[64] = {};
};

}  // namespace

ObjectCost floor_objects(std::uint32_t count) {
  const std::size_t before = resident_bytes();
  const Time start = clock_now();
  std::unordered_map<std::string, std::unique_ptr<Object>> objects;
  for (std::uint32_t i = 0; i < count; ++i) {
    objects.emplace(fmt::format("idle/{}", i), std::make_unique<Object>());
  }
  const double passed = nanoseconds(clock_now() - start) / 1e9;
  const auto grown = static_cast<double>(resident_bytes() - before);
  return {grown / count, count / passed};
}

}  // namespace coracle::bench
