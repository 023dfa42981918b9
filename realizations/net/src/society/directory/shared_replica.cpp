#include "shared_replica.hpp"

#include "realizations/net/src/society/home/connectivity.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace coracle::society {

namespace {

// The time for which an old service may not have announced a node that the service before it knew.
constexpr Duration missing_patience = std::chrono::seconds(10);

}  // namespace

SharedReplica::SharedReplica(NodeConnectivity& connectivity, NodeEvents& events,
                             ServiceChannel& channel)
    : connectivity_(connectivity),
      events_(events),
      channel_(channel),
      gate_(connectivity.log(), [this] { reports_.report_soon(); }),
      reports_(connectivity.alarms(), connectivity.clock(), channel, gate_),
      missing_(connectivity.alarms().make([this] { forget_missing(); })) {}

std::optional<NodeInfo> SharedReplica::node_of(LeaseId lease) {
  const Access known = lock();
  const NodeInfo* const info = known->node_of(lease);
  if (info == nullptr) return std::nullopt;
  return *info;
}

void SharedReplica::begin_again() {
  is_complete_ = false;
  if (was_complete_) lock()->begin_again();
}

void SharedReplica::follow_again() {
  const std::set<Name> prefixes = lock()->prefixes();
  for (const Name& prefix : prefixes) {
    Bytes fields;
    FrameWriter(fields).text(prefix.view());
    channel_.send_request(Request::follow_all, 0, fields);
  }
  channel_.send_request(Request::all_followed, 0);
}

bool SharedReplica::receive(Announcement kind, FrameReader& in) {
  switch (kind) {
    case Announcement::lease_opened:
      return receive_lease(in);
    case Announcement::event:
      return receive_event(in);
    case Announcement::all_announced:
      note_complete();
      return true;
    case Announcement::policy:
      return receive_policy(in);
    case Announcement::answer:
    case Announcement::older:
    case Announcement::census:
    case Announcement::audit:
      break;
  }
  return false;
}

bool SharedReplica::receive_lease(FrameReader& in) {
  NodeInfo info = read_node_info(in);
  if (!in.ok()) return false;
  latest_generation_ = std::max(latest_generation_, info.lease >> 32);
  gate_.on_lease(info);
  lock()->lease_opened(info);
  events_.on_nodes();
  notify_watchers();
  return true;
}

bool SharedReplica::receive_event(FrameReader& in) {
  using Change = DirectoryEvent::Kind;
  std::optional<Entry> entry;
  const DirectoryEvent event = read_event(in, entry);
  if (!in.ok()) return false;
  if (event.kind == Change::lease_ended && event.lease == all_missing) {
    if (is_complete_) forget_missing();
    return true;
  }
  if (entry) gate_.on_name(entry->lease, entry->name);
  if (event.kind == Change::lease_ended) gate_.on_lease_ended(event.lease);
  lock()->apply(event, std::move(entry));
  if (event.kind == Change::lease_ended) events_.on_nodes();
  const bool is_of_group = event.kind == Change::joined || event.kind == Change::left;
  if (is_of_group && is_complete_) confirm_group_change();
  notify_watchers();
  return true;
}

bool SharedReplica::receive_policy(FrameReader& in) {
  const std::uint64_t version = in.number();
  const std::string_view text = in.text();
  has_policy_.store(version != no_policy);
  const Access known = lock();
  return in.ok() && gate_.on_policy(text.empty() ? no_policy : version, text, *known.replica);
}

void SharedReplica::note_complete() {
  missing_->set(was_complete_ ? connectivity_.clock().now() + missing_patience : Time::max());
  is_complete_ = was_complete_ = true;
  groups_seen_ = 0;
}

// The service may wait until all nodes know of a change. It does not wait for, or count, changes
// before the replica was complete.
void SharedReplica::confirm_group_change() {
  Bytes fields;
  FrameWriter(fields).number(++groups_seen_);
  channel_.send_request(Request::seen, 0, fields);
}

void SharedReplica::end_own(LeaseId lease) {
  lock()->end_lease(lease);
  events_.on_nodes();
  notify_watchers();
}

// Removes everything that the service has not announced again.
void SharedReplica::forget_missing() {
  lock()->forget_stale();
  events_.on_nodes();
  notify_watchers();
}

void SharedReplica::notify_watchers() {
  Access known = lock();
  known->watches().tell(known.lock);
}

}  // namespace coracle::society
