// The side of the agents that are interested in broadcasts.
#include "broadcast/words.hpp"
#include "coracle/broadcast.hpp"
#include "coracle/detail/access.hpp"
#include "coracle/support/mutations.hpp"
#include "coracle/typed.hpp"
#include "runtime/node/node_core.hpp"

#include <algorithm>

namespace coracle {

using detail::BroadcastFailure;
using detail::BroadcastWords;
using detail::here;
using detail::Worker;

namespace {

// The number of ended patterns that are remembered, for messages that are still queued.
constexpr std::size_t ended_limit = 1024;

bool is_broadcast(const MessageView& message) {
  return !message.overheard() && message.header(detail::broadcast_header).has_value();
}

}  // namespace

Heard::Heard(Agent& agent, Message message) : agent_(&agent), message_(std::move(message)) {
  BroadcastWords words = detail::read_words(*message_.header(detail::broadcast_header));
  ids_ = std::move(words.ids);
  if (words.role == detail::of_request) role_ = Role::observe;
  if (!message_.is_request()) return;
  if (words.role == detail::to_handle) role_ = Role::handle;
  if (words.role == detail::to_handle_again) role_ = Role::again;
}

// No reply is sent when an exception destroys this object: either the agent ends, or it receives
// the message again, and the sender learns of that in another way.
Heard::~Heard() {
  if (!message_ || !asks() || answered_) return;
  if (mutated(Mutation::silence_is_no_answer)) return;
  const Worker* const worker = Worker::current();
  if (worker == nullptr || worker->unwinding() || worker->unwinding_ends_agent) return;
  try {
    BroadcastFailure failure;
    failure.why = "'" + agent_->name().str() + "' received it and did not reply";
    (void)agent_->reply(message_, Content::of(std::move(failure)));
  } catch (...) {
    return;  // the sender has a deadline
  }
}

bool Heard::is_for(Interest interest) const noexcept {
  return std::find(ids_.begin(), ids_.end(), interest.id) != ids_.end();
}

void Heard::begin_answer() {
  if (!asks() || answered_) {
    throw Error(Errc::bad_options, "a broadcast expects no reply from '" + agent_->name().str() +
                                       "', or has one already; look at asks() first");
  }
  answered_ = true;
}

Task<> Heard::reply(Content answer) {
  begin_answer();
  co_await agent_->reply(message_, std::move(answer));
}

Task<> Heard::reject(std::string why) {
  begin_answer();
  co_await agent_->refuse(message_, why);
}

Task<> Heard::fail(std::string why) {
  begin_answer();
  BroadcastFailure failure;
  failure.why = std::move(why);
  const Content content = Content::of(std::move(failure));
  co_await agent_->reply(message_, content);
}

Interests::Interests(Agent& agent) : agent_(agent), wanted_(that(&is_broadcast)) {}

Task<Interest> Interests::observe(Pattern pattern) {
  return add(std::move(pattern), detail::observes);
}

Task<Interest> Interests::handle(Pattern pattern) {
  return add(std::move(pattern), detail::handles);
}

Task<Interest> Interests::add(Pattern pattern, std::string_view role) {
  Kept kept;
  kept.pattern = pattern;
  pattern.component(detail::role_component, role);
  Task<Tap> opening = detail::open_tap(agent_, std::move(pattern), {.limit = 1});
  const Tap tap = co_await opening;
  kept_.emplace(tap.id, std::move(kept));
  Interest interest;
  interest.id = tap.id;
  co_return interest;
}

Task<> Interests::unregister(Interest interest) {
  const auto found = kept_.find(interest.id);
  if (found == kept_.end() || found->second.ended) co_return;
  found->second.ended = true;
  Tap tap;
  tap.id = interest.id;
  co_await agent_.stop_overhearing(tap);
  std::erase_if(detail::Access::mailbox(agent_)->ext().taps,
                [&](const auto& one) { return one.id == tap.id; });
  const auto is_ended = [](const auto& one) { return one.second.ended; };
  if (std::count_if(kept_.begin(), kept_.end(), is_ended) <= std::ptrdiff_t{ended_limit}) co_return;
  kept_.erase(std::find_if(kept_.begin(), kept_.end(), is_ended));
}

// A message may come by a pattern before the agent that registered the pattern has its number.
bool Interests::knows(std::uint64_t id) const {
  if (kept_.contains(id)) return true;
  const auto& taps = detail::Access::mailbox(agent_)->ext().taps;
  return std::any_of(taps.begin(), taps.end(), [id](const auto& one) { return one.id == id; });
}

Heard Interests::read(Message message) const {
  Heard heard(agent_, std::move(message));
  for (const std::uint64_t id : heard.ids_) {
    const auto found = kept_.find(id);
    if (found == kept_.end() || !heard.captures_.empty()) continue;
    heard.captures_ = found->second.pattern.captures(heard.text());
  }
  return heard;
}

Task<Heard> Interests::next() {
  Task<std::optional<Heard>> coming = next(Deadline::never());
  std::optional<Heard> heard = co_await coming;
  co_return std::move(*heard);
}

Task<std::optional<Heard>> Interests::next(Deadline deadline) {
  const Time until = deadline.at(agent_.now());
  for (;;) {
    std::optional<Message> message;
    if (deadline.is_set()) message = co_await agent_.receive(wanted_, Deadline(until));
    else message = co_await agent_.receive(wanted_);
    if (!message) co_return std::nullopt;
    Heard heard = read(std::move(*message));
    const bool is_mine = std::any_of(heard.ids_.begin(), heard.ids_.end(),
                                     [this](std::uint64_t id) { return knows(id); });
    if (is_mine || !heard.asks()) co_return std::optional<Heard>(std::move(heard));
    try {
      co_await heard.reject("it was registered by another agent of that name, which has ended");
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    }
  }
}

std::size_t Interests::pending() { return agent_.pending(wanted_); }

}  // namespace coracle
