// The realizations that tuple spaces are tested on, and a society with a space for each test.
#pragma once

#include "coracle/evaluator.hpp"
#include "coracle/realization.hpp"
#include "coracle/tuple_space.hpp"
#include "support/elsewhere.hpp"
#include "support/society.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
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
using test::start;

// Fails unless there is something.
template <class T>
void expect(const std::optional<T>& found, std::string_view what,
            const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  test::expect(found.has_value(), what, file, line);
}

// Longer than anything takes here.
inline constexpr Duration soon = 20s;

// A space that says how often a tuple came back to it.
class WatchedSpace : public TupleSpace {
 public:
  WatchedSpace(TupleSpaceOptions options, std::atomic<int>& given_back)
      : TupleSpace(options), given_back_(given_back) {}

 protected:
  void on_given_back(const TupleFields&) override { ++given_back_; }

 private:
  std::atomic<int>& given_back_;
};

// The nodes of a society, and what it has besides.
struct Opened {
  std::shared_ptr<void> around;
  std::vector<Realization> nodes;
};

// A society for one test; its agents live on all of its nodes in turn.
class Meadow {
 public:
  Meadow(Opened opened, unsigned workers)
      : around_(std::move(opened.around)),
        society_(std::move(opened.nodes), test::quick(workers)) {}

  // Makes the space "board", and runs `body` as the agent "main".
  void run(Body body, TupleSpaceOptions options = {});
  // The same without the space.
  void run_alone(Body body);
  // Places an agent on the next of the nodes.
  Task<Address> place(Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent);
  // How often a tuple came back.
  int given_back() const noexcept { return given_back_; }

 private:
  std::shared_ptr<void> around_;
  std::atomic<int> given_back_{0};
  test::Society society_;
};

// Registers `cases` for each ground as test cases of `suite`.
struct Case {
  std::string sentence;
  void (*prove)(Meadow& meadow);
};
bool on_every_ground(const std::string& suite, std::vector<Case> cases);

#define TUPLE_CASE(name) \
  ::coracle::tuples::Case { #name, name }

}  // namespace coracle::tuples
