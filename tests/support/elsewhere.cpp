#include "support/elsewhere.hpp"

#include "runtime/node_core.hpp"

namespace coracle::test {

namespace {

using detail::Signal;
using detail::Worker;

struct Adoption {
  std::unique_ptr<Agent> agent;
  std::exception_ptr error;
};

Task<> perform(Worker& at, AgentSpec spec, std::shared_ptr<Adoption> adoption, Signal done) {
  try {
    (void)co_await at.make_agent(std::move(spec), std::move(adoption->agent));
  } catch (...) {
    adoption->error = std::current_exception();
  }
  done.set();
}

}  // namespace

Task<Address> adopt_at(Node& there, Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent) {
  const Signal done(detail::here(me));
  const auto adoption = std::make_shared<Adoption>();
  adoption->agent = std::move(agent);
  const Name name = detail::AgentAccess::name(spec);
  there.core().worker(0).post(detail::command([spec, adoption, done](Worker& at) {
    at.run_detached(perform(at, spec, adoption, done));
  }));
  co_await done.wait();
  if (adoption->error) std::rethrow_exception(adoption->error);
  co_return me.find(name);
}

}  // namespace coracle::test
