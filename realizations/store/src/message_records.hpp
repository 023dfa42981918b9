// The content of the records of a message store. See docs/journal.md.
#pragma once

#include "store/message_store.hpp"

namespace coracle::store {

// The kinds of records; their numbers never change.
enum class Kind : std::uint8_t {
  message = 1,       // id (zero: the record's sequence), expiry, deliveries, queue, header, content
  finished = 2,      // ids
  delivered = 3,     // id, deliveries
  time = 4,          // of the store's own clock
  registration = 5,  // name, incarnation, lease, present, owner, details
  forgotten = 6,     // name
  joined = 7,        // group, member
  left = 8,          // group, member
  doubtful = 9,      // no fields: every message stored so far may have been handed out
};

struct MessageFields {
  MessageId id = 0;
  Duration expires{};
  std::uint32_t deliveries = 0;
  std::string_view queue;
  ByteSpan header, content;
  bool good = false;
};

inline MessageFields read_message(ByteSpan body) {
  FieldReader fields(body);
  MessageFields message;
  message.id = fields.number<MessageId>();
  message.expires = Duration(fields.number<std::int64_t>());
  message.deliveries = fields.number<std::uint32_t>();
  message.queue = fields.text();
  message.header = fields.sized();
  message.content = fields.rest();
  message.good = fields.complete() && !message.queue.empty();
  return message;
}

// The size of what message_body() puts before the content.
constexpr std::size_t message_fixed_bytes = 8 + 8 + 4 + 4 + 4;
inline std::size_t bytes_of_record(const StoredMessage& message) {
  return record_bytes(message_fixed_bytes + message.queue->name.size() + message.header_bytes +
                      message.content_bytes);
}

template <class Value>
void MessageStore::move(Kept<Value>& kept, const Journal::Appended& to, std::size_t bytes) {
  drop(kept);
  kept.place = to.place;
  kept.bytes = bytes;
  journal_->add_live(kept.place, kept.bytes);
}

template <class Value>
void MessageStore::drop(const Kept<Value>& kept) {
  if (kept.bytes > 0) journal_->drop_live(kept.place, kept.bytes);
}

}  // namespace coracle::store
