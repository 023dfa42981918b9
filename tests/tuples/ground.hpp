// A society with a tuple space for each test.
#pragma once

#include "coracle/evaluator.hpp"
#include "coracle/tuple_space.hpp"
#include "support/societies/grounds.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::tuples {

using namespace std::chrono_literals;
using test::Body;
using test::Crash;
using test::expect;
using test::expect_equal;
using test::expect_error;
using test::on_every_ground;
using test::start;

// Fails unless there is a tuple.
template <class T>
void expect(const std::optional<T>& found, std::string_view what,
            const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  test::expect(found.has_value(), what, file, line);
}

// Longer than any operation here takes.
inline constexpr Duration soon = 20s;

// A space that reports how often a tuple came back to it.
class WatchedSpace : public TupleSpace {
 public:
  WatchedSpace(TupleSpaceOptions options, std::atomic<int>& given_back)
      : TupleSpace(options), given_back_(given_back) {}

 protected:
  void on_given_back(const TupleFields&) override { ++given_back_; }

 private:
  std::atomic<int>& given_back_;
};

// A society for one test, with a space.
class Meadow : public test::Place {
 public:
  using Place::Place;

  // Makes the space "board", and runs `body` as the agent "main".
  void run(Body body, TupleSpaceOptions options = {});
  // The same without the space.
  void run_alone(Body body) { Place::run(std::move(body)); }
  // The number of times that a tuple came back.
  int given_back() const noexcept { return given_back_; }

 private:
  std::atomic<int> given_back_{0};
};

}  // namespace coracle::tuples
