#include "requests_to_all.hpp"

#include "coracle/support/mutations.hpp"
#include "inspection/inspection_parts.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/store_state.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace coracle::detail {

namespace {

// A node that has replied to nothing for four of its usual round trips, but at least for this long,
// is left out.
constexpr Duration least_patience = std::chrono::milliseconds(250);
// A request waits this long at most, even for a node that replies to others.
constexpr Duration most_patience = std::chrono::seconds(2);
// The most requests whose late replies are awaited.
constexpr std::size_t most_over = 16384;

}  // namespace

Task<> RequestsToAll::send(Worker& at, Ask ask, std::function<void()> late,
                           std::shared_ptr<Inspection> found) {
  const Time begun = at.now();
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  const Signal done;
  std::uint64_t token = 0;
  Time until{};
  {
    const std::lock_guard lock(mutex_);
    token = ++tokens_;
    Asked asked{{}, done, std::move(found), std::move(late), begun};
    for (const LeaseId lease : leases) {
      // A node that goes after this look is removed by forget(), which needs the mutex.
      if (lease != node_.lease().id() && !peers_.is_gone(lease)) asked.unanswered.insert(lease);
    }
    if (asked.unanswered.empty()) co_return;
    until = awaited_until(asked);
    asked_.emplace(token, std::move(asked));
  }
  for (const LeaseId lease : leases) {
    if (lease != node_.lease().id()) ask(lease, token);
  }
  if (mutated(Mutation::mute_is_awaited)) until = at.now() + std::chrono::minutes(10);
  while (until > at.now()) {
    if (co_await done.wait(Deadline(until))) break;
    if (until > at.now()) break;  // the node stops, so all alarms ring
    until = awaited_until(token);
  }
  end(token);
}

// The oldest of too many unfinished requests counts as if a late reply had come.
void RequestsToAll::end(std::uint64_t token) {
  std::function<void()> late;
  {
    const std::lock_guard lock(mutex_);
    const auto found = asked_.find(token);
    Asked& asked = found->second;
    asked.is_over = true;
    asked.found.reset();
    for (const LeaseId lease : asked.unanswered) mute_.try_emplace(lease, token);
    if (asked.unanswered.empty()) asked_.erase(found);
    if (asked_.size() <= most_over || !asked_.begin()->second.is_over) return;
    late = asked_.extract(asked_.begin()).mapped().late;
  }
  if (late) late();
}

// A reply may take as long as the slowest has taken before; it is forgotten bit by bit.
void RequestsToAll::note_reply(LeaseId lease, Time now, Duration took) {
  Replies& replies = replies_[lease];
  replies.latest = now;
  replies.usual = std::max(took, replies.usual - replies.usual / 8);
}

// The time until which some node may still reply that is not mute.
Time RequestsToAll::awaited_until(const Asked& asked) const {
  Time until{};
  for (const LeaseId lease : asked.unanswered) {
    if (mute_.contains(lease)) continue;
    const auto known = replies_.find(lease);
    const Replies replies = known == replies_.end() ? Replies{} : known->second;
    const Duration patience = std::max(4 * std::min(replies.usual, most_patience), least_patience);
    until = std::max(until, std::max(asked.begun, replies.latest) + patience);
  }
  return std::min(until, asked.begun + most_patience);
}

Time RequestsToAll::awaited_until(std::uint64_t token) {
  const std::lock_guard lock(mutex_);
  return awaited_until(asked_.at(token));
}

void RequestsToAll::reply(LeaseId to, std::uint8_t kind, std::uint64_t token) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(kind);
  out.number(token);
  out.byte(store_state_of(node_));
  peers_.send(to, frame);
}

bool RequestsToAll::are_mute(const std::set<LeaseId>& leases) const {
  return std::all_of(leases.begin(), leases.end(),
                     [this](LeaseId lease) { return mute_.contains(lease); });
}

void RequestsToAll::on_reply(LeaseId by, std::uint64_t token) {
  std::function<void()> late;
  {
    const std::lock_guard lock(mutex_);
    const auto mute = mute_.find(by);
    if (mute != mute_.end() && token >= mute->second && token <= tokens_) mute_.erase(mute);
    const auto found = asked_.find(token);
    if (found == asked_.end() || found->second.unanswered.erase(by) == 0) return;
    Asked& asked = found->second;
    const Time now = Worker::current()->now();
    note_reply(by, now, now - asked.begun);
    if (!asked.is_over) {
      if (are_mute(asked.unanswered)) asked.done.set();
      return;
    }
    late = asked.late;
    if (asked.unanswered.empty()) asked_.erase(found);
  }
  if (late) late();
}

void RequestsToAll::on_reply(LeaseId by, std::uint64_t token, Inspection there) {
  {
    const std::lock_guard lock(mutex_);
    const auto asked = asked_.find(token);
    if (asked != asked_.end() && asked->second.found && asked->second.unanswered.contains(by)) {
      Inspection& all = *asked->second.found;
      add_part(all, std::move(there), by == all.lease);
    }
  }
  on_reply(by, token);
}

// Replies that the request was denied, so that the other node does not wait in vain.
bool RequestsToAll::read_refused(Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok() && token != 0) reply(from.lease, denied_frame, token);
  return in.ok();
}

// A policy on the way has removed the request. The directory was asked before for the policy's
// decision, so this frame from another node counts only as a reply.
bool RequestsToAll::read_denied(Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok()) on_reply(from.lease, token);
  return in.ok();
}

void RequestsToAll::forget(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  for (auto next = asked_.begin(); next != asked_.end();) {
    const auto one = next++;
    Asked& asked = one->second;
    if (asked.unanswered.erase(lease) == 0 || !asked.unanswered.empty()) continue;
    if (asked.is_over) asked_.erase(one);
    else asked.done.set();
  }
  mute_.erase(lease);
  replies_.erase(lease);
}

}  // namespace coracle::detail
