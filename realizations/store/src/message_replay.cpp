// Rebuilds a message store, and keeps the records of the oldest segment that are still needed.
#include "message_records.hpp"

#include <algorithm>

namespace coracle::store {

void MessageStore::replay_message(const Record& record) {
  const MessageFields fields = read_message(record.body);
  if (!fields.good) return;
  const MessageId id = fields.id == 0 ? record.sequence : fields.id;
  fill(fields, id, record.place, fields.content.size() <= options_.in_memory_bytes);
}

void MessageStore::replay_member(const Record& record, bool joins) {
  FieldReader fields(record.body);
  const std::string group(fields.text()), member(fields.text());
  if (!fields.complete()) return;
  if (joins) {
    groups_[group][member] = {true, record.place, record_bytes(record.body.size())};
    return;
  }
  const auto found = groups_.find(group);
  if (found == groups_.end()) return;
  found->second.erase(member);
  if (found->second.empty()) groups_.erase(found);
}

void MessageStore::replay(const Record& record) {
  FieldReader fields(record.body);
  switch (static_cast<Kind>(record.kind)) {
    case Kind::message:
      replay_message(record);
      break;
    case Kind::finished:
      while (fields.left() >= sizeof(MessageId)) {
        const auto found = messages_.find(fields.number<MessageId>());
        if (found != messages_.end()) remove(found->second);
      }
      break;
    case Kind::delivered: {
      const auto found = messages_.find(fields.number<MessageId>());
      const auto deliveries = fields.number<std::uint32_t>();
      if (found != messages_.end() && fields.complete()) found->second.deliveries = deliveries;
      break;
    }
    case Kind::time:
      base_ = std::max(base_, Duration(fields.number<std::int64_t>()));
      break;
    case Kind::registration: {
      const std::string name(fields.text());
      Registration value;
      value.incarnation = fields.number<std::uint64_t>();
      value.lease = Duration(fields.number<std::int64_t>());
      value.present = fields.number<std::uint8_t>() != 0;
      value.owner = fields.text();
      const ByteSpan details = fields.rest();
      value.details.assign(details.begin(), details.end());
      if (fields.complete())
        registrations_[name] = {std::move(value), record.place, record_bytes(record.body.size())};
      break;
    }
    case Kind::forgotten: {
      const auto found = registrations_.find(fields.text());
      if (found != registrations_.end() && fields.complete()) registrations_.erase(found);
      break;
    }
    case Kind::joined:
      replay_member(record, true);
      break;
    case Kind::left:
      replay_member(record, false);
      break;
    case Kind::doubtful:
      missing();
      break;
  }
}

// The missing records may have noted that messages were handed out, or even finished.
void MessageStore::missing() {
  missing_ = true;
  for (auto& [id, message] : messages_) message.deliveries = std::max(message.deliveries, 1u);
}

Result<void> MessageStore::begin(Journal& journal, Time now) {
  journal_ = &journal;
  begun_ = now;
  noted_ = base_;
  std::vector<StoredMessage*> all;
  all.reserve(messages_.size());
  for (auto& [id, message] : messages_) all.push_back(&message);
  std::sort(all.begin(), all.end(),
            [](const StoredMessage* a, const StoredMessage* b) { return a->id < b->id; });
  for (StoredMessage* each : all) {
    each->queue->append(*each);
    if (each->expires != Duration::max()) expiries_.emplace_back(each->expires, each->id);
    journal_->add_live(each->place, bytes_of_record(*each));
  }
  std::make_heap(expiries_.begin(), expiries_.end(), std::greater<>());
  for (const auto& [name, kept] : registrations_) journal_->add_live(kept.place, kept.bytes);
  for (const auto& [group, members] : groups_)
    for (const auto& [name, kept] : members) journal_->add_live(kept.place, kept.bytes);
  // The damaged segment is removed one day, and with it the reason for the doubt.
  if (!missing_) return {};
  const auto done =
      journal_->append(static_cast<std::uint8_t>(Kind::doubtful), {}, Urgency::needed);
  return done ? Result<void>() : done.error();
}

Result<void> MessageStore::keep_message(const Record& record) {
  MessageFields fields = read_message(record.body);
  if (!fields.good) return {};
  fields.id = fields.id == 0 ? record.sequence : fields.id;
  const auto found = messages_.find(fields.id);
  if (found == messages_.end() || found->second.place != record.place) return {};
  fields.deliveries = found->second.deliveries;
  const auto done = write_message(fields, Urgency::needed);
  if (!done) return done.error();
  const std::size_t bytes = bytes_of_record(found->second);
  journal_->drop_live(record.place, bytes);
  journal_->add_live(done->place, bytes);
  fill(fields, fields.id, done->place, true);
  if (fields.content.size() > options_.in_memory_bytes)
    large_.push_back({done->sequence, fields.id, done->place});
  return {};
}

Result<void> MessageStore::keep_registration(const Record& record) {
  FieldReader fields(record.body);
  const auto found = registrations_.find(fields.text());
  if (found == registrations_.end() || found->second.place != record.place) return {};
  const auto done = write_registration(found->first, found->second.value);
  if (!done) return done.error();
  move(found->second, *done, found->second.bytes);
  return {};
}

Result<void> MessageStore::keep_member(const Record& record) {
  FieldReader fields(record.body);
  const auto group = groups_.find(fields.text());
  if (group == groups_.end()) return {};
  const auto member = group->second.find(std::string(fields.text()));
  if (member == group->second.end() || member->second.place != record.place) return {};
  const auto done =
      write_member(static_cast<std::uint8_t>(Kind::joined), group->first, member->first);
  if (!done) return done.error();
  move(member->second, *done, member->second.bytes);
  return {};
}

Result<void> MessageStore::keep(const Record& record) {
  switch (static_cast<Kind>(record.kind)) {
    case Kind::message:
      return keep_message(record);
    case Kind::registration:
      return keep_registration(record);
    case Kind::joined:
      return keep_member(record);
    default:
      return {};
  }
}

Result<void> MessageStore::remove_oldest(Time now) {
  // The segment may hold the last record of the time.
  if (auto done = write_time(own_time(now)); !done) return done;
  return journal_->remove_oldest();
}

}  // namespace coracle::store
