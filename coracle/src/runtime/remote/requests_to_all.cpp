#include "requests_to_all.hpp"

#include "coracle/support/mutations.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/store_state.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace coracle::detail {

Task<> RequestsToAll::send(Worker& at, Duration patience, Ask ask, std::shared_ptr<Peeked> found) {
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  const Signal done(at);
  std::uint64_t token = 0;
  bool is_awaited = false;
  {
    const std::lock_guard lock(mutex_);
    token = ++tokens_;
    Asked asked{{}, done, std::move(found)};
    for (const LeaseId lease : leases) {
      // A node that goes after this look is removed by forget(), which needs the mutex.
      if (lease != node_.lease() && !peers_.is_gone(lease)) asked.unanswered.insert(lease);
    }
    if (asked.unanswered.empty()) co_return;
    is_awaited = !are_mute(asked.unanswered);
    asked_.emplace(token, std::move(asked));
  }
  for (const LeaseId lease : leases) {
    if (lease != node_.lease()) ask(lease, token);
  }
  if (mutated(Mutation::mute_is_awaited)) is_awaited = true, patience *= 100;
  if (is_awaited) (void)co_await done.wait(patience);
  const std::lock_guard lock(mutex_);
  const auto asked = asked_.extract(token);
  if (asked.empty()) co_return;
  for (const LeaseId lease : asked.mapped().unanswered) mute_.try_emplace(lease, token);
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
  const std::lock_guard lock(mutex_);
  const auto mute = mute_.find(by);
  if (mute != mute_.end() && token >= mute->second && token <= tokens_) mute_.erase(mute);
  const auto found = asked_.find(token);
  if (found == asked_.end() || found->second.unanswered.erase(by) == 0) return;
  if (are_mute(found->second.unanswered)) found->second.done.set();
}

void RequestsToAll::on_reply(LeaseId by, std::uint64_t token, Peeked there) {
  {
    const std::lock_guard lock(mutex_);
    const auto asked = asked_.find(token);
    if (asked != asked_.end() && asked->second.found && asked->second.unanswered.contains(by)) {
      Peeked& all = *asked->second.found;
      all.count += there.count;
      std::move(there.messages.begin(), there.messages.end(), std::back_inserter(all.messages));
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
  for (auto& [token, asked] : asked_) {
    if (asked.unanswered.erase(lease) != 0 && asked.unanswered.empty()) asked.done.set();
  }
  mute_.erase(lease);
}

}  // namespace coracle::detail
