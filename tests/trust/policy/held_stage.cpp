#include "held_stage.hpp"

#include "coracle/directory_filter.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::trust {

using namespace std::chrono_literals;

namespace {

// A directory that permits acts on agents below `free/`.
class Permissive final : public DirectoryFilter {
 public:
  using DirectoryFilter::DirectoryFilter;
  Task<Result<void>> may_operate(LeaseId, Name name) override {
    if (name.str().starts_with("free/")) co_return Result<void>();
    co_return Error(Errc::not_permitted, "not this one");
  }
};

}  // namespace

HeldStage::HeldStage(unsigned nodes, std::uint64_t seed) {
  sim::Options options;
  options.nodes = nodes;
  options.seed = seed;
  options.adapt = [](Realization parts) {
    parts.directory = std::make_shared<Permissive>(parts.directory);
    return parts;
  };
  world_ = std::make_unique<sim::World>(options);
  NodeOptions node_options;
  node_options.operators = true;
  for (unsigned at = 0; at < nodes; ++at)
    nodes_.push_back(std::make_unique<Node>(world_->realization(at), node_options));
}

HeldStage::~HeldStage() {
  hold_.reset();
  nodes_.clear();
}

void HeldStage::start(unsigned at, const char* name, test::Doer::What what) {
  nodes_[at]->adopt(AgentSpec(Name(name)), std::make_unique<test::Doer>(std::move(what)));
  world_->run_for(20ms);
}

void HeldStage::start_reader(unsigned at, const char* name, Duration pause) {
  start(at, name, [this, pause](Agent& me) -> Task<> {
    if (pause != Duration()) co_await me.pause(Deadline(pause));
    for (;;) {
      const Message message = co_await me.receive();
      texts_.emplace_back(message.text());
    }
  });
}

void HeldStage::start_sender(unsigned at, const char* name, const char* to, int count) {
  start(at, name, [to, count](Agent& me) -> Task<> {
    for (int number = 0; number < count; ++number)
      co_await me.send(Name(to), std::to_string(number));
    co_await me.pause(Deadline::never());
  });
}

void HeldStage::operate_by(test::Doer::What what) {
  bool is_done = false;
  const std::string name = "free/operator" + std::to_string(++operators_);
  nodes_[0]->adopt(AgentSpec(Name(name)),
                   std::make_unique<test::Doer>([&is_done, what](Agent& me) -> Task<> {
                     Task<> doing = what(me);
                     co_await doing;
                     is_done = true;
                     co_await me.pause(Deadline::never());
                   }));
  for (int times = 0; times < 100 && !is_done; ++times) world_->run_for(100ms);
  BOOST_TEST_REQUIRE(is_done);
}

void HeldStage::hold(Pattern pattern, HoldOptions options) {
  operate_by([&](Agent& me) -> Task<> {
    Task<Hold> beginning = Hold::begin(me, pattern, options);
    hold_ = std::make_shared<Hold>(co_await beginning);
  });
}

HoldState HeldStage::look() {
  HoldState held;
  operate_by([&](Agent&) -> Task<> {
    Task<HoldState> looking = hold_->look();
    held = co_await looking;
  });
  return held;
}

std::size_t HeldStage::release(std::size_t count) {
  std::size_t released = 0;
  operate_by([&](Agent&) -> Task<> {
    Task<std::size_t> releasing = hold_->release(count);
    released = co_await releasing;
  });
  world_->run_for(50ms);
  return released;
}

void HeldStage::end_hold() {
  operate_by([&](Agent&) -> Task<> {
    Task<> ending = hold_->end();
    co_await ending;
  });
  world_->run_for(50ms);
}

void HeldStage::lose(unsigned at) {
  if (at == 0) hold_.reset();
  nodes_[at].reset();
}

}  // namespace coracle::trust
