// The realizations that control structures are tested on, and societies for one test each.
#pragma once

#include "coracle/realization.hpp"
#include "support/elsewhere.hpp"
#include "support/society.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::dispel::test {

using namespace std::chrono_literals;
using coracle::test::Body;
using coracle::test::Crash;
using coracle::test::expect;
using coracle::test::expect_equal;
using coracle::test::expect_error;
using coracle::test::Society;
using coracle::test::start;

// Does `task`, then tells "main" that it is done, or what it failed with.
Task<> tell_main(Agent& me, Task<> task);

// A society for one test; its agents live on all of its nodes.
class Workplace {
 public:
  Workplace(std::vector<Realization> nodes, unsigned workers)
      : virtual_(nodes.front().driver != nullptr),
        society_(std::move(nodes), coracle::test::quick(workers)) {}

  // Runs `body` as the agent "main", then stops the society.
  void run(Body body) {
    society_.run(std::move(body));
    society_.stop();
  }
  // Whether time passes only while something happens.
  bool in_virtual_time() const noexcept { return virtual_; }
  // Places an agent on the next of the nodes.
  Task<Address> place(Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent) {
    Node* const there = coracle::test::next_place(society_.proceedings());
    if (there == nullptr || there == &me.node()) {
      co_return co_await me.adopt(std::move(spec), std::move(agent));
    }
    co_return co_await coracle::test::adopt_at(*there, me, std::move(spec), std::move(agent));
  }

 private:
  bool virtual_;
  Society society_;
};

// One way to be a society.
struct Ground {
  std::string name;
  std::function<std::vector<Realization>()> open;
  unsigned workers = 1;
};

// All that control structures are tested on. A realization is added here, in one line.
const std::vector<Ground>& grounds();

// Registers `cases` for each ground as test cases of `suite`.
struct Case {
  std::string sentence;
  void (*prove)(Workplace& workplace);
};
bool on_every_ground(const std::string& suite, std::vector<Case> cases);

#define CONTROL_CASE(name) \
  ::coracle::dispel::test::Case { #name, name }

}  // namespace coracle::dispel::test
