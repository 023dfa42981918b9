// The state that a server needs after a restart: messages in queues by name, registrations, group
// membership. It is a pure state machine: each change becomes a record of a Journal, and the same
// records rebuild the state. durable_store.hpp drives it.
#pragma once

#include "store/journal.hpp"
#include "store/recovery.hpp"
#include "store/segment_scan.hpp"

#include <map>
#include <string>
#include <unordered_map>

namespace coracle::store {

// The sequence of the record that first held the message; never used twice.
using MessageId = Sequence;

// Settings of a message store.
struct StoreOptions {
  std::size_t in_memory_bytes = 4096;  // a longer content stays only on the disk
  // The longest extra time that messages may live because of a crash.
  Duration time_step = std::chrono::seconds(1);
  // Makes the store write down the time even while no message expires, for a user of own_time().
  bool keeps_time = false;
};

// A message to store. `header` and `content` mean nothing to the store.
struct Incoming {
  std::string_view queue;
  ByteSpan header, content;
  Duration time_to_live = Duration::max();
  bool handed_out = false;  // given to a receiver at once, without waiting for the disk
};

struct MessageFields;
struct MessageQueue;

// A message in the store.
struct StoredMessage {
  MessageId id = 0;
  MessageQueue* queue = nullptr;
  StoredMessage* next = nullptr;  // the next message in the queue
  StoredMessage* previous = nullptr;
  Duration expires{};            // on the store's own clock, see MessageStore::left_of()
  std::uint32_t deliveries = 0;  // the number of times handed out, at most
  std::uint32_t header_bytes = 0, content_bytes = 0;
  Place place;
  Bytes in_memory;  // header and content; empty if they are only on the disk
};

// The messages for one name, the oldest first.
struct MessageQueue {
  // The message has this queue; `messages` counts it already.
  void append(StoredMessage& message);
  void unlink(const StoredMessage& message);

  std::string name;
  StoredMessage* first = nullptr;
  StoredMessage* last = nullptr;
  std::size_t messages = 0;
};

// The holder of a name.
struct Registration {
  std::uint64_t incarnation = 0;
  Duration lease{};  // zero: no lease
  std::string owner;
  Bytes details;
  bool present = true;  // false: the holder has left; its incarnation is kept
};

class MessageStore final : public Replay {
 public:
  explicit MessageStore(StoreOptions options = {});

  // Rebuilds the state from a record of a journal, see recover(); then call begin(). `journal`
  // outlives the store. Fails as Journal::append() does.
  void replay(const Record& record) override;
  void missing() override;
  Result<void> begin(Journal& journal, Time now);

  // Every operation that changes something returns the sequence that Journal::durable() has to
  // reach before anybody is notified. It fails as Journal::append() does, and then nothing has
  // changed.

  // Stores a message. The result is also the message's id. Fails also with Errc::bad_options (the
  // name of the queue is empty).
  Result<MessageId> store(const Incoming& message, Time now);
  // Finishes messages that were consumed or have another outcome. Unknown ids are skipped.
  Result<Sequence> finish(std::span<const MessageId> ids);
  // Notes that a message is handed out once more.
  Result<Sequence> deliver(MessageId id);
  // Finishes messages whose time has come, at most `most`, and returns their ids. Fails as the
  // others do.
  Result<std::vector<MessageId>> expire(Time now, std::size_t most);
  // Registers a name, or changes what is known of it.
  Result<Sequence> put_registration(std::string_view name, const Registration& registration);
  // Forgets a name that is not needed any more, and its incarnation.
  Result<Sequence> forget_registration(std::string_view name);
  Result<Sequence> join(std::string_view group, std::string_view member);
  Result<Sequence> leave(std::string_view group, std::string_view member);
  // Writes down how much time has passed; call it now and then.
  Result<Sequence> note_time(Time now);

  const StoredMessage* find(MessageId id) const;
  // The messages for a name; nullptr if there are none.
  const MessageQueue* queue(std::string_view name) const;
  const std::unordered_map<std::string, MessageQueue>& queues() const { return queues_; }
  std::size_t messages() const { return messages_.size(); }
  // The store's own clock: time that passes while it runs, over all runs.
  Duration own_time(Time now) const { return base_ + (now - begun_); }
  // The time that a message may still live.
  Duration left_of(const StoredMessage& message, Time now) const;
  // The time when expire() may have something to do.
  Time next_expiry() const;
  const Registration* registration(std::string_view name) const;
  std::vector<std::string> registered() const;
  std::vector<std::string> members(std::string_view group) const;
  std::vector<std::string> groups() const;

  // Drops from memory the contents that are on the disk by now.
  void on_durable();
  // Writes a record of the oldest segment again if the record is still needed. Fails as the others
  // do.
  Result<void> keep(const Record& record);
  // Removes the oldest segment, in which nothing is needed any more. Fails as the others do.
  Result<void> remove_oldest(Time now);

 private:
  template <class Value>
  struct Kept {
    Value value;
    Place place;
    std::size_t bytes = 0;
  };
  using Groups = std::map<std::string, std::map<std::string, Kept<bool>>, std::less<>>;
  using Registrations = std::map<std::string, Kept<Registration>, std::less<>>;

  // A long content, with the record that holds it.
  struct Large {
    Sequence sequence = 0;
    MessageId id = 0;
    Place place;
  };

  Result<Journal::Appended> write_message(const MessageFields& fields, Urgency urgency);
  Result<Journal::Appended> write_registration(std::string_view name, const Registration& value);
  Result<Journal::Appended> write_member(std::uint8_t kind, std::string_view group,
                                         std::string_view member);
  void replay_message(const Record& record);
  void replay_member(const Record& record, bool joins);
  StoredMessage& fill(const MessageFields& fields, MessageId id, Place place, bool in_memory);
  void remove(StoredMessage& message);
  Result<void> keep_message(const Record& record);
  Result<void> keep_registration(const Record& record);
  Result<void> keep_member(const Record& record);
  template <class Value>
  void move(Kept<Value>& kept, const Journal::Appended& to, std::size_t bytes);
  template <class Value>
  void drop(const Kept<Value>& kept);
  void watch(const StoredMessage& message);
  Result<void> write_time(Duration time);

  StoreOptions options_;
  Journal* journal_ = nullptr;
  Time begun_{};     // the time at which the own clock showed base_
  Duration base_{};  // time that has passed while the store ran, over all its runs
  Duration noted_{};
  std::unordered_map<MessageId, StoredMessage> messages_;
  std::unordered_map<std::string, MessageQueue> queues_;
  Registrations registrations_;
  Groups groups_;
  std::vector<std::pair<Duration, MessageId>> expiries_;  // a heap; some are finished already
  std::deque<Large> large_;                               // in memory until they are on the disk
  bool missing_ = false;
};

}  // namespace coracle::store
