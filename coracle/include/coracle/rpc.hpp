// Remote calls: plain typed functions between agents, sent as messages through their mailboxes. An
// interface is a list of functions with names:
//
//   template <class Side>
//   struct Planner {
//     rpc::Function<Side, "plan", Plan(Route)> plan;
//     rpc::Function<Side, "steps", rpc::Stream<Step>(Plan)> steps;
//   };
//
//   rpc::Stub<Planner> planner(*this, "planner");              // the caller, an agent
//   const Plan plan = co_await planner.plan(route);
//
//   rpc::Service<Planner, Office> service(*this, office, {.plan = &Office::plan, …});  // server
//   co_await service.run();
//
// A call ends exactly once: with a value, or with an Error. Errc::refused has the text of the
// exception that the function threw. All other reasons why there is no reply have their own errors:
// Errc::expired, peer_down, agent_failed, deadlock, cancelled, no_such_function, wrong_type, and
// the errors of Agent::send. A late reply is dropped and counted (DropReason::late_reply). Tests:
// tests/talk/rpc_*_test.cpp.
#pragma once

#include "coracle/detail/fields.hpp"
#include "coracle/detail/function_at_caller.hpp"
#include "coracle/detail/function_at_server.hpp"

namespace coracle::rpc {

// Calls one agent; belongs to the calling agent, and may be its member.
template <template <class> class Interface>
class Stub : public Interface<AtCaller> {
 public:
  // Calls of `me`, to the agent that holds the name when a call arrives.
  Stub(Agent& me, Target whom, CallOptions options = {}) : line_(me, whom, options) {
    std::apply([this](auto&... functions) { (functions.connect(line_), ...); },
               detail::tie_fields(static_cast<Interface<AtCaller>&>(*this)));
  }
  Stub(const Stub&) = delete;
  Stub& operator=(const Stub&) = delete;

 private:
  detail::CallLine line_;
};

// Calls several agents.
template <template <class> class Interface>
class Stubs : public Interface<AtCallers> {
 public:
  // Calls of `me` to each agent of a list.
  Stubs(Agent& me, std::vector<Name> whom, CallOptions options = {})
      : line_(me, me.self(), options), whom_(std::move(whom)) {
    connect();
  }
  // Calls of `me` to each agent that is a member of the group at the time of the call.
  Stubs(Agent& me, const Group& whom, CallOptions options = {})
      : line_(me, me.self(), options), group_(whom.name()) {
    connect();
  }
  Stubs(const Stubs&) = delete;
  Stubs& operator=(const Stubs&) = delete;

 private:
  void connect() {
    std::apply([this](auto&... each) { (each.connect(line_, whom_, group_), ...); },
               detail::tie_fields(static_cast<Interface<AtCallers>&>(*this)));
  }

  detail::CallLine line_;
  const std::vector<Name> whom_;
  const Name group_;
};

// Serves calls with an object's functions. Messages that are no calls stay in the agent's mailbox.
template <template <class> class Interface, class Object>
class Service {
 public:
  // `functions` lists the functions of `object`, which must outlive this, for the functions of the
  // interface.
  Service(Agent& me, Object& object, Interface<AtServer<Object>> functions,
          ServiceOptions options = {})
      : functions_(std::move(functions)), core_(me, &object, options) {
    const auto offer = [this](const auto& function) {
      const detail::Offered offered = function.offered();
      if (offered.serve != nullptr) core_.offer(offered);
    };
    std::apply([&](const auto&... each) { (offer(each), ...); }, detail::tie_fields(functions_));
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Serves until retire(), or until the node stops. An exception that a function throws is the
  // reply to its caller, and does not end the service.
  Task<> run() { return core_.run(); }
  // Accepts no further calls; run() returns when the calls that have begun are answered.
  void retire() noexcept { core_.retire(); }
  // The counts of the calls that it has served.
  const Served& served() const noexcept { return core_.served(); }

 private:
  Interface<AtServer<Object>> functions_;
  detail::ServiceCore core_;
};

}  // namespace coracle::rpc
