// What a directory service tells its nodes, and what it waits for before it does.
#include "directory_service_client.hpp"
#include "settings.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace coracle::society {

namespace {

// How soon to look again while nodes still come; and for how long one that comes has more to say.
constexpr Duration next_look = std::chrono::milliseconds(250);
constexpr Duration still_coming = std::chrono::seconds(1);
// How long a node may take to say that it has seen a change of groups.
constexpr Duration seen_patience = std::chrono::milliseconds(250);

}  // namespace

void DirectoryService::tell_all(ByteSpan frame) {
  for (const auto& [node, client] : clients_) {
    if (!client->is_attached) continue;
    client->way.send(frame);
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

// Those of nodes that use another service. Whoever comes now cannot reach them from here, and is
// not told of them, nor, therefore, of the end that their leases have here soon.
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
  client.way.send(told_policy());
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
    client.way.send(frame);
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
      client.way.send(frame);
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
      client.way.send(frame);
    }
  }
  begin(Told::all_told);
  client.way.send(frame);
  client.is_attached = true;
  client.groups_told = client.groups_seen = 0;
  client.note_beginning();
}

// Of a group: what others send from then on goes to its new members, whoever sends it. A node that
// does not say within a moment that it knows is waited for no more, until it does.
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
  if (answer->missing == 0) return (void)asker.way.send(answer->answer);
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
    if (of_asker.client != nullptr) of_asker.client->way.send(answer->answer);
  }
}

void DirectoryService::wait_no_more_for(Client& client) {
  note_seen_by(client, client.groups_told);
}

// Those that a client awaits are in the order in which they were asked for.
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
         " does not say that it knows who is in which group; nobody "
         "waits for it until it does");
    wait_no_more_for(*client);
  }
  is_awaiting_ = next != Time::max();
  too_long_->set(next);
}

// Where messages pass the service, it asks the policy itself.
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

// Whoever was not heard of since the service began, for as long as it waits for a silent node, is
// dead to it. Nodes may know of such ones, from the service before this one.
void DirectoryService::look_for_missing() {
  const Time now = clock_.now();
  // Then everybody was held up who wanted to come.
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
