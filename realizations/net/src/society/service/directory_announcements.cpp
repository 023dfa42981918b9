// The announcements of a directory service to its nodes, and the conditions for which they wait.
#include "directory_service_client.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace coracle::society {

namespace {

// The names, groups and prefixes that one node may follow.
constexpr std::size_t most_interests = 1'000'000;

Error too_many_interests() {
  return Error(Errc::limit_reached,
               "a node deals with at most " + std::to_string(most_interests) +
                   " names, groups and prefixes of other nodes; spread its agents over more nodes");
}

FrameWriter begin_frame(Bytes& frame, Announcement kind) {
  frame.clear();
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(kind));
  return out;
}

}  // namespace

void DirectoryService::announce(ByteSpan frame) {
  for (const auto& [node, client] : clients_) {
    if (!client->is_attached) continue;
    client->channel.send(frame);
    client->look_whether_it_takes();
  }
}

bool DirectoryService::is_used() const {
  return std::any_of(clients_.begin(), clients_.end(),
                     [](const auto& entry) { return entry.second->is_attached; });
}

void DirectoryService::announce_older(const DirectoryReport& older) {
  Bytes frame;
  FrameWriter out = begin_frame(frame, Announcement::older);
  write(out, older);
  announce(frame);
}

// Returns the leases of nodes that use another service. A node that comes now cannot reach them
// from here, so it gets no news of them, nor, therefore, of the end of these leases here soon.
std::set<LeaseId> DirectoryService::moved_leases() const {
  std::set<LeaseId> moved;
  for (const auto& [node, client] : clients_) {
    if (!client->is_attached) moved.insert(client->leases.begin(), client->leases.end());
  }
  return moved;
}

// The node hears of all leases, and of what it follows.
void DirectoryService::begin(Client& client) {
  client.channel.send(policy_frame());
  const std::set<LeaseId> moved = moved_leases();
  Bytes frame;
  for (const auto& [lease, info] : nodes_) {
    if (moved.contains(lease)) continue;
    FrameWriter out = begin_frame(frame, Announcement::lease_opened);
    write(out, info);
    client.channel.send(frame);
  }
  client.is_attached = true;
  client.has_followed_all = false;
}

Answer DirectoryService::follow_all(Client& client, FrameReader& in) {
  const Name prefix = read_name(in);
  if (!in.ok() || !client.is_attached) return {};
  if (client.count() >= most_interests) return refusal(too_many_interests());
  if (interests_.add_prefix(client, prefix)) announce_within(client, prefix);
  return {};
}

void DirectoryService::announce_within(Client& client, const Name& prefix) {
  const std::set<LeaseId> moved = moved_leases();
  const auto has_moved = [&](const Name& name) {
    const auto entry = moved.empty() ? std::nullopt : book_.look_up(name);
    return entry && moved.contains(entry->lease);
  };
  Bytes frame;
  Query query;
  query.prefix = prefix;
  constexpr std::uint32_t at_once = 4096;
  for (std::uint32_t from = 0;; from += at_once) {
    std::vector<Entry> entries;
    const bool more = book_.search(query, from, at_once, entries);
    for (const Entry& entry : entries) {
      if (moved.contains(entry.lease)) continue;
      DirectoryEvent event;
      event.kind = DirectoryEvent::Kind::arrived;
      event.name = entry.name;
      event.incarnation = entry.incarnation;
      FrameWriter out = begin_frame(frame, Announcement::event);
      write(out, event, &entry);
      client.channel.send(frame);
    }
    if (!more) break;
  }
  for (const Name& group : book_.groups()) {
    for (const Name& member : *book_.members(group)) {
      if ((!group.within(prefix) && !member.within(prefix)) || has_moved(member)) continue;
      DirectoryEvent event;
      event.kind = DirectoryEvent::Kind::joined;
      event.name = member;
      event.group = group;
      FrameWriter out = begin_frame(frame, Announcement::event);
      write(out, event, nullptr);
      client.channel.send(frame);
      confirmations_.note_announced(client.groups);
    }
  }
}

void DirectoryService::announce_end(Client& client) {
  if (!client.is_attached) return;
  if (std::exchange(client.has_followed_all, true))
    return client.close("it has not attached anew since it last requested what it follows");
  Bytes frame;
  (void)begin_frame(frame, Announcement::all_announced);
  client.channel.send(frame);
  confirmations_.begin(client.node, client.groups);
  client.note_beginning();
}

// Where messages pass the service, the service itself applies the policy.
Bytes DirectoryService::policy_frame() const {
  Bytes frame;
  FrameWriter out = begin_frame(frame, Announcement::policy);
  out.number(policy_version_);
  out.text(besides_ == nullptr ? std::string_view(policy_) : std::string_view());
  return frame;
}

void DirectoryService::set_policy(std::string text) {
  policy_ = std::move(text);
  ++policy_version_;
  announce(policy_frame());
}

// A node that was not heard from since the service began, for as long as the service waits for a
// silent node, is dead to the service. Nodes may know such nodes from the service before this one.
void DirectoryService::look_for_missing() {
  const Time now = clock_.now();
  if (succession_.is_term_over(now)) answer_waiting_claims();
  const bool is_coming = std::any_of(clients_.begin(), clients_.end(),
                                     [](const auto& entry) { return entry.second->is_coming(); });
  if (!succession_.are_all_back(now, is_coming)) return missing_->set(succession_.look_at());
  DirectoryEvent event;
  event.kind = DirectoryEvent::Kind::lease_ended;
  event.lease = all_missing;
  event.ending.reason = EndReason::unreachable;
  Bytes frame;
  FrameWriter out = begin_frame(frame, Announcement::event);
  write(out, event, nullptr);
  announce(frame);
  answer_waiting_claims();
}

}  // namespace coracle::society
