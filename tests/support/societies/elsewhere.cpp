#include "support/societies/elsewhere.hpp"

#include "runtime/node/lifecycle.hpp"
#include "runtime/remote/homes.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace coracle::test {

namespace {

struct Places {
  std::vector<Node*> nodes;
  std::size_t placed = 0;
};

// The places of all tests that are under way.
struct AllPlaces {
  std::mutex mutex;  // guards the map
  std::map<const testing::Proceedings*, Places> by_test;
};

AllPlaces& all_places() {
  static AllPlaces all;
  return all;
}

constexpr Duration look_again = std::chrono::milliseconds(1);

using detail::Signal;
using detail::Worker;

struct Adoption {
  std::unique_ptr<Agent> agent;
  std::exception_ptr error;
  bool given_up = false;  // no caller waits any more
};

Task<> perform(Worker& at, AgentSpec spec, std::shared_ptr<Adoption> adoption, Signal done) {
  try {
    (void)co_await make_agent(at, std::move(spec), std::move(adoption->agent));
  } catch (...) {
    adoption->error = std::current_exception();
  }
  if (!adoption->given_up) done.set();
}

// A reply of the directory comes after all its earlier events, and each worker handles its commands
// in order.
Task<> listen_up(Worker& at, Signal done) {
  (void)co_await at.node().directory().leave_group("nobody", "nobody");
  detail::pass_through_all(at.node(), 0, [done] { done.set(); });
}

}  // namespace

void spread_over(const testing::Proceedings& test, std::vector<Node*> nodes) {
  AllPlaces& all = all_places();
  const std::scoped_lock lock(all.mutex);
  all.by_test.erase(&test);
  if (!nodes.empty()) all.by_test[&test].nodes = std::move(nodes);
}

Node* next_place(const testing::Proceedings& test) {
  AllPlaces& all = all_places();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.by_test.find(&test);
  if (found == all.by_test.end()) return nullptr;
  Places& places = found->second;
  return places.nodes[++places.placed % places.nodes.size()];
}

Task<> all_have_heard(const testing::Proceedings& test) {
  std::vector<Node*> nodes;
  {
    AllPlaces& all = all_places();
    const std::scoped_lock lock(all.mutex);
    const auto found = all.by_test.find(&test);
    if (found != all.by_test.end()) nodes = found->second.nodes;
  }
  for (Node* const node : nodes) {
    const Signal done;
    node->core().worker(0).post(
        detail::command([done](Worker& at) { run_detached(at, listen_up(at, done)); }));
    co_await done.wait();
  }
}

Task<Address> adopt_at(Node& there, Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent,
                       std::function<bool()> is_gone) {
  const Signal done;
  const auto adoption = std::make_shared<Adoption>();
  adoption->agent = std::move(agent);
  const Name name = detail::AgentAccess::name(spec);
  there.core().worker(0).post(detail::command(
      [spec, adoption, done](Worker& at) { run_detached(at, perform(at, spec, adoption, done)); }));
  if (!is_gone) co_await done.wait();
  while (is_gone && !co_await done.wait(look_again)) {
    if (!is_gone()) continue;
    adoption->given_up = true;
    throw Error(Errc::stopped, "its node is no more");
  }
  // No part of the error stays with the other node's worker.
  if (const auto error = std::exchange(adoption->error, nullptr)) std::rethrow_exception(error);
  co_return me.find(name);
}

Task<Address> place(const testing::Proceedings& test, Agent& me, AgentSpec spec,
                    std::unique_ptr<Agent> agent) {
  Node* const there = next_place(test);
  Address made;
  if (there == nullptr || there == &me.node()) {
    made = co_await me.adopt(std::move(spec), std::move(agent));
  } else {
    made = co_await adopt_at(*there, me, std::move(spec), std::move(agent));
  }
  co_await all_have_heard(test);
  co_return made;
}

}  // namespace coracle::test
