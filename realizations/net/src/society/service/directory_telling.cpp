// The announcements of a directory service to its nodes, and the conditions for which they wait.
#include "directory_service_client.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace coracle::society {

namespace {

// The pause before the next check while nodes still come, and the time for which a node that comes
// has more to send.
constexpr Duration next_look = std::chrono::milliseconds(250);
constexpr Duration still_coming = std::chrono::seconds(1);
// The time that a node has to confirm that it has seen a change of groups.
constexpr Duration seen_patience = std::chrono::milliseconds(250);

}  // namespace

void DirectoryService::tell_all(ByteSpan frame) {
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

void DirectoryService::tell_of_older(const HeardOf& older) {
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Told::older));
  write(out, older);
  tell_all(frame);
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

void DirectoryService::tell_everything(Client& client) {
  client.is_attached = client.is_mute = false;
  wait_no_more_for(client);
  client.channel.send(told_policy());
  const std::set<LeaseId> moved = moved_leases();
  const auto has_moved = [&](const Name& name) {
    const auto entry = moved.empty() ? std::nullopt : book_.look_up(name);
    return entry && moved.contains(entry->lease);
  };
  Bytes frame;
  const auto begin = [&frame](Told kind) {
    frame.clear();
    FrameWriter out(frame);
    out.byte(static_cast<std::uint8_t>(kind));
    return out;
  };
  for (const auto& [lease, info] : nodes_) {
    if (moved.contains(lease)) continue;
    FrameWriter out = begin(Told::lease_opened);
    write(out, info);
    client.channel.send(frame);
  }
  constexpr std::uint32_t at_once = 4096;
  for (std::uint32_t from = 0;; from += at_once) {
    std::vector<Entry> entries;
    const bool more = book_.search(Query(), from, at_once, entries);
    for (const Entry& entry : entries) {
      if (moved.contains(entry.lease)) continue;
      DirectoryEvent event;
      event.kind = DirectoryEvent::Kind::arrived;
      event.name = entry.name;
      event.incarnation = entry.incarnation;
      FrameWriter out = begin(Told::event);
      write(out, event, &entry);
      client.channel.send(frame);
    }
    if (!more) break;
  }
  for (const Name& group : book_.groups()) {
    for (const Name& member : *book_.members(group)) {
      if (has_moved(member)) continue;
      DirectoryEvent event;
      event.kind = DirectoryEvent::Kind::joined;
      event.name = member;
      event.group = group;
      FrameWriter out = begin(Told::event);
      write(out, event, nullptr);
      client.channel.send(frame);
    }
  }
  begin(Told::all_told);
  client.channel.send(frame);
  client.is_attached = true;
  client.groups_told = client.groups_seen = 0;
  client.note_beginning();
}

// An answer about a group waits so that later messages of any sender reach the new members. A node
// that does not confirm the change within a moment is waited for no more, until it does.
void DirectoryService::answer_when_seen(Client& asker, Bytes frame) {
  const auto answer = std::make_shared<Awaiting>(
      Awaiting{asker.unanswered, std::move(frame), 0, clock_.now() + seen_patience});
  for (const auto& [node, client] : clients_) {
    const bool knows =
        !client->is_attached || client->is_mute || client->groups_seen >= client->groups_told;
    if (client.get() == &asker || knows) continue;
    client->awaited.emplace_back(client->groups_told, answer);
    ++answer->missing;
  }
  if (answer->missing == 0) return (void)asker.channel.send(answer->answer);
  ++asker.unanswered->count;
  if (std::exchange(is_awaiting_, true)) return;
  too_long_->set(answer->until);
}

// This client knows of so many changes of groups, or is waited for no more.
void DirectoryService::note_seen_by(Client& client, std::uint64_t changes) {
  while (!client.awaited.empty() && client.awaited.front().first <= changes) {
    const std::shared_ptr<Awaiting> answer = std::move(client.awaited.front().second);
    client.awaited.pop_front();
    if (--answer->missing != 0) continue;
    Unanswered& of_asker = *answer->asker;
    --of_asker.count;
    if (of_asker.client != nullptr) of_asker.client->channel.send(answer->answer);
  }
}

void DirectoryService::wait_no_more_for(Client& client) {
  note_seen_by(client, client.groups_told);
}

// The answers that wait for a client are in the order of their requests.
void DirectoryService::leave_out_the_mute() {
  const Time now = clock_.now();
  Time next = Time::max();
  for (const auto& [node, client] : clients_) {
    if (client->awaited.empty()) continue;
    const Time until = client->awaited.front().second->until;
    if (until > now) {
      next = std::min(next, until);
      continue;
    }
    client->is_mute = true;
    log_("node " + client->node +
         " does not acknowledge the changes of groups; other nodes do not wait for it until it "
         "does");
    wait_no_more_for(*client);
  }
  is_awaiting_ = next != Time::max();
  too_long_->set(next);
}

// Where messages pass the service, the service itself applies the policy.
Bytes DirectoryService::told_policy() const {
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Told::policy));
  out.number(policy_version_);
  out.text(besides_ == nullptr ? std::string_view(policy_) : std::string_view());
  return frame;
}

void DirectoryService::set_policy(std::string text) {
  policy_ = std::move(text);
  ++policy_version_;
  tell_all(told_policy());
}

// A node that was not heard from since the service began, for as long as the service waits for a
// silent node, is dead to the service. Nodes may know such nodes from the service before this one.
void DirectoryService::look_for_missing() {
  const Time now = clock_.now();
  // If this check is late, all nodes that wanted to come were held up, too.
  const bool was_held_up = now > look_at_ + still_coming;
  const bool somebody_comes = now < returned_ + still_coming ||
                              std::any_of(clients_.begin(), clients_.end(), [](const auto& entry) {
                                return entry.second->is_coming();
                              });
  if (now >= term_ends_) answer_waiting_claims();
  if (was_held_up || somebody_comes) {
    look_at_ = now + (was_held_up ? service_patience : next_look);
    return missing_->set(look_at_);
  }
  DirectoryEvent event;
  event.kind = DirectoryEvent::Kind::lease_ended;
  event.lease = all_missing;
  event.ending.reason = EndReason::unreachable;
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Told::event));
  write(out, event, nullptr);
  tell_all(frame);
  answer_waiting_claims();
}

}  // namespace coracle::society
