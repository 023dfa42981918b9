// The operator's side of a hold, on all nodes.
#include "coracle/operating.hpp"
#include "coracle/support/mutations.hpp"
#include "holds.hpp"
#include "runtime/node/node_core.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace coracle {

namespace {

using namespace detail;

constexpr Duration step_patience = std::chrono::seconds(2);
// An agent's permission is asked for by its node, one after another.
constexpr Duration hold_patience = std::chrono::seconds(5);
constexpr Duration busy_pause = std::chrono::milliseconds(100);
constexpr int most_tries = 20;

// Mixes a number so that each bit of the result depends on each bit of it.
std::uint64_t mixed(std::uint64_t number) noexcept {
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9U;
  number = (number ^ number >> 27) * 0x94d049bb133111ebU;
  return number ^ number >> 31;
}

using StepReplies = std::map<LeaseId, StepReply>;

}  // namespace

struct Hold::Impl {
  Impl(Agent& whose, Pattern what, HoldOptions how)
      : agent(whose),
        node(here(whose).node()),
        pattern(std::move(what)),
        options(how),
        number(node.holds().next_number()) {}
  ~Impl() { end_at_once(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  HoldKey own_key() const { return {node.lease().id(), number}; }
  StepRequest request(StepAsk ask) const {
    StepRequest made;
    made.hold = number;
    made.ask = ask;
    if (ask == StepAsk::hold) made.pattern = pattern, made.options = options;
    return made;
  }
  Task<StepReply> ask_own(StepRequest what);
  Task<StepReplies> ask(std::map<LeaseId, StepRequest> what);
  Task<StepReplies> look();
  Task<std::size_t> release_some(std::vector<HeldMessage> wanted);
  void end_at_once() noexcept;

  Agent& agent;
  NodeCore& node;
  const Pattern pattern;
  const HoldOptions options;
  const std::uint64_t number;
  std::set<LeaseId> asked;    // nodes that hold, or may
  std::set<LeaseId> holding;  // nodes that have confirmed it
  bool is_over = false;
  bool is_scrambled = false;
  std::uint64_t drawn = 0;
};

void Hold::Impl::end_at_once() noexcept {
  if (std::exchange(is_over, true) || mutated(Mutation::hold_outlives_agent)) return;
  for (const LeaseId lease : asked) {
    if (lease == node.lease().id()) (void)node.holds().end(own_key());
    else if (node.remote() != nullptr)
      node.remote()->steps().send_only(lease, request(StepAsk::end));
  }
}

Task<StepReply> Hold::Impl::ask_own(StepRequest what) {
  Holds& holds = node.holds();
  if (what.ask == StepAsk::hold) {
    Task<StepReply> beginning = holds.begin(here(agent), own_key(), pattern, options);
    co_return co_await beginning;
  }
  if (what.ask == StepAsk::look) co_return holds.look(own_key());
  if (what.ask == StepAsk::end) co_return holds.end(own_key());
  co_return holds.release(own_key(), what.numbers, what.to_end);
}

// All nodes are asked at once. A node that is too busy is asked again.
Task<StepReplies> Hold::Impl::ask(std::map<LeaseId, StepRequest> what) {
  StepReplies replies;
  for (int tries = 0; !what.empty() && tries < most_tries; ++tries) {
    if (tries != 0) co_await agent.pause(busy_pause);
    std::map<LeaseId, std::shared_ptr<Steps::Open>> open;
    Duration patience = step_patience;
    for (const auto& [lease, request] : what) {
      if (request.ask == StepAsk::hold) patience = hold_patience;
      if (request.ask == StepAsk::hold) asked.insert(lease);
      if (lease != node.lease().id() && node.remote() != nullptr)
        open.emplace(lease, node.remote()->steps().send(lease, request));
    }
    if (const auto own = what.find(node.lease().id()); own != what.end()) {
      Task<StepReply> asking = ask_own(own->second);
      replies[own->first] = co_await asking;
      what.erase(own);
    }
    const Time until = agent.now() + patience;
    for (const auto& [lease, one] : open) {
      (void)co_await one->done.wait(Deadline(until));
      StepReply reply = node.remote()->steps().close(*one);
      if (reply.how == Stepped::busy && !mutated(Mutation::busy_is_final)) continue;
      replies[lease] = std::move(reply);
      what.erase(lease);
    }
  }
  co_return replies;
}

Task<StepReplies> Hold::Impl::look() {
  const std::vector<LeaseId> leases = co_await node.directory().leases();
  std::map<LeaseId, StepRequest> what;
  for (const LeaseId lease : leases)
    what.emplace(lease, request(holding.contains(lease) ? StepAsk::look : StepAsk::hold));
  Task<StepReplies> asking = ask(std::move(what));
  StepReplies replies = co_await asking;
  for (const auto& [lease, reply] : replies) {
    if (reply.how == Stepped::done) holding.insert(lease);
    else if (reply.how != Stepped::silent) holding.erase(lease);
  }
  co_return replies;
}

Task<std::size_t> Hold::Impl::release_some(std::vector<HeldMessage> wanted) {
  std::map<LeaseId, StepRequest> what;
  for (const HeldMessage& each : wanted) {
    StepRequest& one = what.try_emplace(each.node, request(StepAsk::release)).first->second;
    one.numbers.push_back(each.number);
    one.to_end = is_scrambled;
  }
  Task<StepReplies> asking = ask(std::move(what));
  const StepReplies replies = co_await asking;
  std::size_t released = 0;
  for (const auto& [lease, reply] : replies) released += reply.released;
  co_return released;
}

Hold::Hold(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Hold::Hold(Hold&& other) noexcept = default;
Hold::~Hold() = default;

Task<Hold> Hold::begin(Agent& operating, Pattern pattern, HoldOptions options) {
  auto impl = std::make_unique<Impl>(operating, std::move(pattern), options);
  Task<StepReplies> looking = impl->look();
  const StepReplies replies = co_await looking;
  HoldState held;
  bool is_refused = false;
  for (const auto& [lease, reply] : replies) {
    if (reply.how == Stepped::too_many)
      throw Error(Errc::limit_reached,
                  "cannot hold messages: a node has too many holds, it stops, or the pattern "
                  "selects more than " +
                      std::to_string(most_agents) +
                      " of its agents; end another hold, or name the agents");
    is_refused = is_refused || reply.how == Stepped::not_permitted;
    add_held(held, reply.held, lease);
  }
  if (is_refused && held.agents == 0)
    throw Error(Errc::not_permitted,
                "cannot hold messages: this node needs the right operate for the agents that the "
                "pattern selects; ask the society's operator for a grant (in a society of one "
                "process without a policy, set NodeOptions::operators)");
  co_return Hold(std::move(impl));
}

Task<HoldState> Hold::look() {
  Task<StepReplies> looking = impl_->look();
  const StepReplies replies = co_await looking;
  HoldState held;
  for (const auto& [lease, reply] : replies) add_held(held, reply.held, lease);
  co_return held;
}

Task<std::size_t> Hold::release(std::size_t count) {
  std::size_t released = 0;
  while (released < count) {
    Task<HoldState> looking = look();
    HoldState held = co_await looking;
    std::vector<HeldMessage>& oldest = held.oldest;
    if (oldest.empty()) break;
    const std::size_t wanted = std::min(count - released, oldest.size());
    for (std::size_t at = 0; impl_->is_scrambled && at < wanted; ++at) {
      const std::uint64_t draw = mixed(impl_->own_key().by ^ mixed(impl_->number) ^ ++impl_->drawn);
      std::swap(oldest[at], oldest[at + draw % (oldest.size() - at)]);
    }
    oldest.resize(wanted);
    Task<std::size_t> releasing = impl_->release_some(std::move(oldest));
    const std::size_t now = co_await releasing;
    if (now == 0) break;
    released += now;
  }
  co_return released;
}

Task<bool> Hold::release_one(HeldMessage which) {
  std::vector<HeldMessage> one;
  one.push_back(std::move(which));
  Task<std::size_t> releasing = impl_->release_some(std::move(one));
  co_return co_await releasing != 0;
}

void Hold::scramble(bool on) noexcept { impl_->is_scrambled = on; }

Task<> Hold::end() {
  if (impl_->is_over) co_return;
  std::map<LeaseId, StepRequest> what;
  for (const LeaseId lease : impl_->asked) what.emplace(lease, impl_->request(StepAsk::end));
  Task<StepReplies> asking = impl_->ask(std::move(what));
  (void)co_await asking;
  impl_->is_over = true;
}

}  // namespace coracle
