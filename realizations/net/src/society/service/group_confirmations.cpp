#include "group_confirmations.hpp"

#include <algorithm>

namespace coracle::society {

namespace {

// The time that a node has to confirm that it has seen a change.
constexpr Duration seen_patience = std::chrono::milliseconds(250);

}  // namespace

GroupConfirmations::GroupConfirmations(net::Alarms& alarms, const Clock& clock, const Log& log)
    : clock_(clock), log_(log), too_long_(alarms.make([this] { leave_out_the_mute(); })) {}

void GroupConfirmations::begin(const std::string& name, Node& node) {
  node.announced_ = node.seen_ = 0;
  node.is_mute_ = false;
  node.has_begun_ = true;
  attached_[name] = &node;
}

void GroupConfirmations::end(const std::string& name, Node& node) {
  attached_.erase(name);
  node.has_begun_ = false;
  note_seen(node, node.announced_);
}

void GroupConfirmations::forget_requests(Node& node) {
  node.unanswered_->channel = nullptr;
  node.unanswered_.reset(new Unanswered{&node.channel_});
}

bool GroupConfirmations::confirm(Node& node, std::uint64_t seen) {
  if (seen < node.seen_ || seen > node.announced_) return false;
  node.seen_ = seen;
  if (seen == node.announced_) node.is_mute_ = false;
  note_seen(node, seen);
  return true;
}

void GroupConfirmations::answer_when_seen(Node& asker, Bytes frame) {
  const auto answer = std::make_shared<Awaiting>(
      Awaiting{asker.unanswered_, std::move(frame), 0, clock_.now() + seen_patience});
  for (const auto& [name, node] : attached_) {
    if (node == &asker || node->is_mute_ || node->seen_ >= node->announced_) continue;
    node->awaited_.emplace_back(node->announced_, answer);
    ++answer->missing;
  }
  if (answer->missing == 0) return (void)asker.channel_.send(answer->answer);
  ++asker.unanswered_->count;
  if (std::exchange(is_awaiting_, true)) return;
  too_long_->set(answer->until);
}

// The node knows of so many changes, or is waited for no more.
void GroupConfirmations::note_seen(Node& node, std::uint64_t changes) {
  while (!node.awaited_.empty() && node.awaited_.front().first <= changes) {
    const std::shared_ptr<Awaiting> answer = std::move(node.awaited_.front().second);
    node.awaited_.pop_front();
    if (--answer->missing != 0) continue;
    Unanswered& of_asker = *answer->asker;
    --of_asker.count;
    if (of_asker.channel != nullptr) of_asker.channel->send(answer->answer);
  }
}

// The answers that wait for a node are in the order of their requests.
void GroupConfirmations::leave_out_the_mute() {
  const Time now = clock_.now();
  Time next = Time::max();
  for (const auto& [name, node] : attached_) {
    if (node->awaited_.empty()) continue;
    const Time until = node->awaited_.front().second->until;
    if (until > now) {
      next = std::min(next, until);
      continue;
    }
    node->is_mute_ = true;
    log_("node " + name +
         " does not acknowledge the changes of groups; other nodes do not wait for it until it "
         "does");
    note_seen(*node, node->announced_);
  }
  is_awaiting_ = next != Time::max();
  too_long_->set(next);
}

}  // namespace coracle::society
