// The interface that the tests call, and agents that serve it.
#pragma once

#include "coracle/rpc.hpp"
#include "support/societies/grounds.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::rpc::test {

using namespace std::chrono_literals;
using coracle::test::Body;
using coracle::test::Crash;
using coracle::test::expect;
using coracle::test::expect_equal;
using coracle::test::expect_error;
using coracle::test::grounds;
using coracle::test::on_every_ground;
using coracle::test::Place;
using coracle::test::start;

// --- the interface ---

struct Route {
  std::string from;
  std::string to;
  std::vector<std::string> by;
};

template <class Side>
struct Desk {
  rpc::Function<Side, "add", std::int64_t(std::int64_t, std::int64_t)> add;
  rpc::Function<Side, "plan", std::vector<std::string>(const Route&)> plan;
  rpc::Function<Side, "fail", void(std::string)> fail;
  rpc::Function<Side, "name", std::string()> name;
  rpc::Function<Side, "wait", std::string(std::string)> wait;
  rpc::Function<Side, "find", std::optional<std::string>(std::string)> find;
  rpc::Function<Side, "count", rpc::Stream<std::int64_t>(std::int64_t, std::int64_t)> count;
  rpc::Function<Side, "pass", std::string(std::string)> pass;
};

// The implementation of the interface in "desk" agents.
class Clerk {
 public:
  explicit Clerk(Agent& me) : me_(me) {}

  std::int64_t add(std::int64_t a, std::int64_t b) {
    ++added_;
    return a + b;
  }
  Task<std::vector<std::string>> plan(Route route) const {
    co_await me_.yield();
    std::vector<std::string> stops = {route.from};
    stops.insert(stops.end(), route.by.begin(), route.by.end());
    stops.push_back(route.to);
    co_return stops;
  }
  void fail(const std::string& why);
  std::string name() const { return me_.name().str(); }
  // Replies after that text has come from any agent.
  Task<std::string> wait(const Incoming& call, std::string text);
  std::optional<std::string> find(const std::string& what) const {
    if (what == me_.name().view()) return "here";
    return std::nullopt;
  }
  // Numbers from `first` on; a negative count fails after that many.
  Stream<std::int64_t> count(std::int64_t first, std::int64_t count);
  // Calls the agent `whom` for its name.
  Task<std::string> pass(const Incoming& call, std::string whom);

  std::int64_t added() const noexcept { return added_; }

 private:
  Agent& me_;
  std::int64_t added_ = 0;
};

// All functions of a clerk.
Desk<AtServer<Clerk>> all_functions();
// An agent that serves them.
Body serving(ServiceOptions options = {});
// Matches messages with that text.
Match says(std::string text);

}  // namespace coracle::rpc::test
