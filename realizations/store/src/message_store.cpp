#include "message_records.hpp"

#include <algorithm>
#include <utility>

namespace coracle::store {

void MessageQueue::append(StoredMessage& message) {
  message.previous = last;
  message.next = nullptr;
  (last != nullptr ? last->next : first) = &message;
  last = &message;
}

void MessageQueue::unlink(const StoredMessage& message) {
  if (message.previous != nullptr || first == &message)
    (message.previous != nullptr ? message.previous->next : first) = message.next;
  if (message.next != nullptr || last == &message)
    (message.next != nullptr ? message.next->previous : last) = message.previous;
}

MessageStore::MessageStore(StoreOptions options) : options_(options) {}

Result<Journal::Appended> MessageStore::write_message(const MessageFields& fields,
                                                      Urgency urgency) {
  FieldWriter head;
  head.number(fields.id)
      .number(static_cast<std::int64_t>(fields.expires.count()))
      .number(fields.deliveries)
      .text(fields.queue)
      .number(static_cast<std::uint32_t>(fields.header.size()));
  return journal_->append(static_cast<std::uint8_t>(Kind::message),
                          {head.bytes(), fields.header, fields.content}, urgency);
}

// Fills an existing or a new message; a new message is not in a queue yet.
StoredMessage& MessageStore::fill(const MessageFields& fields, MessageId id, Place place,
                                  bool in_memory) {
  StoredMessage& message = messages_[id];
  message.id = id;
  if (message.queue == nullptr) {
    const auto found = queues_.try_emplace(std::string(fields.queue)).first;
    found->second.name = found->first;
    message.queue = &found->second;
    ++message.queue->messages;
  }
  message.expires = fields.expires;
  message.deliveries = fields.deliveries;
  message.header_bytes = static_cast<std::uint32_t>(fields.header.size());
  message.content_bytes = static_cast<std::uint32_t>(fields.content.size());
  message.place = place;
  message.in_memory.clear();
  if (in_memory) {
    message.in_memory.reserve(fields.header.size() + fields.content.size());
    message.in_memory.assign(fields.header.begin(), fields.header.end());
    message.in_memory.insert(message.in_memory.end(), fields.content.begin(), fields.content.end());
  }
  return message;
}

// Removes a message from all containers.
void MessageStore::remove(StoredMessage& message) {
  MessageQueue& queue = *message.queue;
  queue.unlink(message);
  if (--queue.messages == 0) queues_.erase(std::string(queue.name));
  messages_.erase(MessageId{message.id});
}

void MessageStore::watch(const StoredMessage& message) {
  if (message.expires == Duration::max()) return;
  if (expiries_.size() > 2 * messages_.size() + 64) {
    std::erase_if(expiries_, [&](const auto& each) { return !messages_.contains(each.second); });
    std::make_heap(expiries_.begin(), expiries_.end(), std::greater<>());
  }
  expiries_.emplace_back(message.expires, message.id);
  std::push_heap(expiries_.begin(), expiries_.end(), std::greater<>());
}

Result<MessageId> MessageStore::store(const Incoming& incoming, Time now) {
  if (incoming.queue.empty())
    return Error(Errc::bad_options, "a message is stored for a name; give one that is not empty");
  const Duration time = own_time(now);
  MessageFields fields;
  fields.expires = incoming.time_to_live > Duration::max() - time ? Duration::max()
                                                                  : time + incoming.time_to_live;
  fields.deliveries = incoming.handed_out ? 1 : 0;
  fields.queue = incoming.queue;
  fields.header = incoming.header;
  fields.content = incoming.content;
  const auto done = write_message(fields, Urgency::refusable);
  if (!done) return done.error();
  StoredMessage& message = fill(fields, done->sequence, done->place, true);
  message.queue->append(message);
  watch(message);
  journal_->add_live(message.place, bytes_of_record(message));
  if (message.content_bytes > options_.in_memory_bytes)
    large_.push_back({done->sequence, message.id, message.place});
  return message.id;
}

Result<Sequence> MessageStore::finish(std::span<const MessageId> ids) {
  FieldWriter body;
  std::vector<StoredMessage*> found;
  for (const MessageId id : ids) {
    const auto message = messages_.find(id);
    if (message == messages_.end()) continue;
    found.push_back(&message->second);
    body.number(id);
  }
  if (found.empty()) return journal_->last();
  const auto done =
      journal_->append(static_cast<std::uint8_t>(Kind::finished), {body.bytes()}, Urgency::needed);
  if (!done) return done.error();
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (StoredMessage* each : found) {
    journal_->drop_live(each->place, bytes_of_record(*each));
    remove(*each);
  }
  return done->sequence;
}

Result<Sequence> MessageStore::deliver(MessageId id) {
  const auto found = messages_.find(id);
  if (found == messages_.end()) return journal_->last();
  FieldWriter body;
  body.number(id).number(found->second.deliveries + 1);
  const auto done =
      journal_->append(static_cast<std::uint8_t>(Kind::delivered), {body.bytes()}, Urgency::needed);
  if (!done) return done.error();
  ++found->second.deliveries;
  return done->sequence;
}

Result<std::vector<MessageId>> MessageStore::expire(Time now, std::size_t most) {
  std::vector<std::pair<Duration, MessageId>> due;
  std::vector<MessageId> ids;
  const Duration time = own_time(now);
  while (!expiries_.empty() && expiries_.front().first <= time && ids.size() < most) {
    due.push_back(expiries_.front());
    std::pop_heap(expiries_.begin(), expiries_.end(), std::greater<>());
    expiries_.pop_back();
    if (messages_.contains(due.back().second)) ids.push_back(due.back().second);
  }
  const auto done = finish(ids);
  if (done) return ids;
  for (const auto& each : due) {  // a message that fails here expires later
    expiries_.push_back(each);
    std::push_heap(expiries_.begin(), expiries_.end(), std::greater<>());
  }
  return done.error();
}

Duration MessageStore::left_of(const StoredMessage& message, Time now) const {
  if (message.expires == Duration::max()) return message.expires;
  return std::max(message.expires - own_time(now), Duration::zero());
}

Time MessageStore::next_expiry() const {
  if (expiries_.empty()) return Time::max();
  return begun_ + (expiries_.front().first - base_);
}

Result<void> MessageStore::write_time(Duration time) {
  FieldWriter body;
  body.number(static_cast<std::int64_t>(time.count()));
  const auto done =
      journal_->append(static_cast<std::uint8_t>(Kind::time), {body.bytes()}, Urgency::needed);
  if (!done) return done.error();
  noted_ = time;
  return {};
}

Result<Sequence> MessageStore::note_time(Time now) {
  const Duration time = own_time(now);
  const bool has_use = !expiries_.empty() || (options_.keeps_time && !messages_.empty());
  if (has_use && time - noted_ >= options_.time_step)
    if (auto done = write_time(time); !done) return done.error();
  return journal_->last();
}

const StoredMessage* MessageStore::find(MessageId id) const {
  const auto found = messages_.find(id);
  return found == messages_.end() ? nullptr : &found->second;
}

const MessageQueue* MessageStore::queue(std::string_view name) const {
  const auto found = queues_.find(std::string(name));
  return found == queues_.end() ? nullptr : &found->second;
}

void MessageStore::on_durable() {
  while (!large_.empty() && large_.front().sequence <= journal_->durable()) {
    const Large large = large_.front();
    large_.pop_front();
    const auto found = messages_.find(large.id);
    if (found != messages_.end() && found->second.place == large.place)
      Bytes().swap(found->second.in_memory);
  }
}

}  // namespace coracle::store
