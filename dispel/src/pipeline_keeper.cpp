#include "coracle/acquaintances.hpp"
#include "coracle/agent_spec.hpp"
#include "coracle/dispel/pipeline.hpp"
#include "pipeline/words.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace coracle::dispel {

namespace {

using namespace std::chrono_literals;

// A stage that ends in order has sent that it did; its end may be known earlier.
constexpr Duration last_word_within = 1s;
constexpr Duration between_looks = 1ms;

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

struct PipelineKeeper::Kept {
  Pipeline::Planned planned;
  bool ours = true;
  bool restarted = false;
  bool ended = false;
  std::vector<Name> spoken_for;                              // consumers, since it began again
  std::optional<Acquaintances> acquaintance = std::nullopt;  // older than its first incarnation
};

PipelineKeeper::PipelineKeeper(Pipeline pipeline, RestartLimit limit)
    : pipeline_(std::move(pipeline)), count_(limit) {}

PipelineKeeper::~PipelineKeeper() = default;

PipelineKeeper& PipelineKeeper::only(std::vector<std::string> parts) {
  only_ = std::move(parts);
  return *this;
}

PipelineKeeper& PipelineKeeper::stand_in_for(std::vector<std::string> parts) {
  stand_in_ = std::move(parts);
  return *this;
}

Task<> PipelineKeeper::place(AgentSpec spec, std::unique_ptr<Agent> stage) {
  co_await adopt(std::move(spec), std::move(stage));
}

void PipelineKeeper::on_ending(const Ending&) {}

Task<> PipelineKeeper::begin(Kept& one) {
  co_await place(AgentSpec(one.planned.name), pipeline_.make(one.planned));
}

Task<> PipelineKeeper::say(const Name& to, Content content) {
  const Result<void> said = co_await send_result(to, std::move(content));
  if (said) co_return;
  const Errc errc = said.error().errc();
  if (errc == Errc::stopped || errc == Errc::fenced) throw said.error();
}

bool PipelineKeeper::consumers_ended(const Kept& one) const {
  const auto& consumers = one.planned.wiring.consumers;
  return !consumers.empty() && std::all_of(kept_.begin(), kept_.end(), [&](const auto& each) {
    const bool is_one =
        std::find(consumers.begin(), consumers.end(), each->planned.name) != consumers.end();
    return !is_one || each->ended;
  });
}

// Sends a stage that has begun again the acknowledgements of its consumers that have ended, once
// each: the next stage of that name would read what this one leaves.
Task<> PipelineKeeper::speak_for_consumers(Kept& one) {
  for (const Name& consumer : one.planned.wiring.consumers) {
    if (std::find(one.spoken_for.begin(), one.spoken_for.end(), consumer) != one.spoken_for.end())
      continue;
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& each) {
      return each->planned.name == consumer;
    });
    if (found == kept_.end() || !(*found)->ended) continue;
    one.spoken_for.push_back(consumer);
    detail::Ack ack;
    ack.end = true;
    ack.whose = consumer.str();
    const Content content = Content::of(std::move(ack));
    co_await say(one.planned.name, content);
  }
}

Task<> PipelineKeeper::give_up(Kept& one, const std::string& why) {
  const std::string whose = one.planned.name.str();
  failure_ =
      "the pipeline '" + pipeline_.name().str() + "' gives up: stage '" + whose +
      "' crashed more than " + std::to_string(count_.limit().times) +
      " times within its window; correct it, or allow more by RestartLimit; its last error: " + why;
  const Content failed = Content::of(detail::Failed{whose, why});
  const Content cancelled = Content::of(detail::Cancel{whose});
  for (const Name& each : one.planned.wiring.consumers) co_await say(each, failed);
  for (const Supplier& each : one.planned.wiring.suppliers) co_await say(each.name, cancelled);
}

// Watches one stage until it need not be started any more.
Task<> PipelineKeeper::keep(std::size_t index) {
  Kept& one = *kept_[index];
  const Address stage = one.acquaintance->addresses().front();
  if (!one.ours) co_await one.acquaintance->all_here();
  for (;;) {
    const Ending ending = co_await one.acquaintance->ending(stage);
    if (ending.reason == EndReason::stopped) {
      const Time until = now() + last_word_within;
      while (!one.ended && now() < until) co_await pause(between_looks);
      break;
    }
    if (one.ended) break;
    if (ending.reason == EndReason::fenced) continue;  // the stage was replaced
    on_ending(ending);
    if (consumers_ended(one) || !count_.may_restart(now())) {
      if (!consumers_ended(one)) co_await give_up(one, ending.text);
      break;
    }
    bool taken = false;
    try {
      co_await begin(one);
    } catch (const Error& error) {
      if (error.errc() != Errc::name_taken) throw;
      taken = true;  // another keeper was faster
    }
    if (taken) continue;
    one.restarted = true;
    one.spoken_for.clear();
    co_await speak_for_consumers(one);
  }
  if (one.ended) co_return;
  if (consumers_ended(one)) {  // only its suppliers wait for it
    for (const Supplier& each : one.planned.wiring.suppliers) {
      detail::Ack ack;
      ack.end = true;
      ack.whose = one.planned.name.str();
      const Content content = Content::of(std::move(ack));
      co_await say(each.name, content);
    }
  }
  detail::Ended ended;
  ended.whose = one.planned.name.str();
  const Content content = Content::of(std::move(ended));
  co_await send(self(), content);
}

Task<> PipelineKeeper::run() {
  co_await join(Group(Name(pipeline_.name().str() + "/keepers")));
  for (Pipeline::Planned& each : pipeline_.plan()) {
    auto kept = std::make_unique<Kept>();
    kept->ours = only_.empty() || contains(only_, each.part);
    kept->planned = std::move(each);
    kept_.push_back(std::move(kept));
  }
  std::vector<Name> mine;
  for (const auto& each : kept_) {
    if (each->ours) mine.push_back(each->planned.name);
  }
  co_await play("keeper", mine);
  for (const auto& each : kept_) {
    const std::vector<Name> names = {each->planned.name};
    each->acquaintance = co_await acquaint(names);
    if (each->ours) co_await begin(*each);
  }
  for (std::size_t index = 0; index < kept_.size(); ++index) {
    if (kept_[index]->ours || contains(stand_in_, kept_[index]->planned.part)) spawn(keep(index));
  }
  const auto is_over = [](const auto& each) {
    return each->ended || (!each->ours && !each->restarted);
  };
  while (!std::all_of(kept_.begin(), kept_.end(), is_over)) {
    const Message message = co_await receive(of_type(std::string(detail::Ended::content_type)));
    const detail::Ended ended = message.as<detail::Ended>();
    for (const auto& each : kept_) {
      if (each->planned.name.view() == ended.whose) each->ended = true;
    }
    for (const auto& each : kept_) {
      if (each->restarted && !each->ended) co_await speak_for_consumers(*each);
    }
  }
  if (!failure_.empty()) throw Error(Errc::limit_reached, failure_);
}

}  // namespace coracle::dispel
