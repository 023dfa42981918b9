// The library's own queue. A short queue is a list of the message records themselves. Once the
// queue is long and a directed read comes, it is indexed by sender and by conversation, so that
// such reads cost the same however many other messages wait.
#include "coracle/detail/access.hpp"
#include "coracle/queue.hpp"

#include "runtime/mailbox/mailbox.hpp"

#include <unordered_map>

namespace coracle {

namespace {

using detail::MessageRecord;

constexpr std::size_t index_until = 8;

// A record's position in one of the lists of its queue.
struct Card;
struct Place {
  Card* before = nullptr;
  Card* behind = nullptr;
};

// An indexed record: its positions in the list of all records, in the list of its sender and in the
// list of its conversation.
struct Card {
  MessageRecord* record = nullptr;
  Place places[3];
};

enum Which { by_age, by_sender, by_conversation };

template <Which which>
struct CardList {
  Card* oldest = nullptr;
  Card* newest = nullptr;

  void push_back(Card& node) {
    node.places[which] = {newest, nullptr};
    (newest != nullptr ? newest->places[which].behind : oldest) = &node;
    newest = &node;
  }
  void push_front(Card& node) {
    node.places[which] = {nullptr, oldest};
    (oldest != nullptr ? oldest->places[which].before : newest) = &node;
    oldest = &node;
  }
  void remove(Card& node) {
    const Place& place = node.places[which];
    (place.before != nullptr ? place.before->places[which].behind : oldest) = place.behind;
    (place.behind != nullptr ? place.behind->places[which].before : newest) = place.before;
  }
};

class MailQueue final : public Queue {
 public:
  ~MailQueue() override {
    if (indexed_) drop_index();
    while (!bare_.empty()) detail::free_record(bare_.take_first());
  }

  void put(Envelope envelope) override {
    MessageRecord* const record = account(envelope, 1);
    if (indexed_) return insert(record);
    bare_.append(record);
  }

  void put_back(Envelope envelope) override {
    MessageRecord* const record = account(envelope, 1);
    if (indexed_) return insert_front(record);
    bare_.prepend(record);
  }

  Envelope take(const Match& match) override {
    if (match.is_any() && !indexed_) {  // the most common read
      if (bare_.empty()) return Envelope();
      Envelope oldest(bare_.take_first());
      account(oldest, -1);
      return oldest;
    }
    MessageRecord* const found = find(match);
    if (found == nullptr) return Envelope();
    Envelope envelope(found);
    account(envelope, -1);
    if (indexed_ && size_ < index_until) drop_index();
    return envelope;
  }

  std::size_t count(const Match& match) const override {
    if (match.is_any()) return size_;
    std::size_t fitting = 0;
    each([&](const Envelope& envelope) { fitting += match.fits(envelope) ? 1 : 0; });
    return fitting;
  }

  void each(const std::function<void(const Envelope&)>& show) const override {
    const auto show_one = [&](MessageRecord* record) {
      Envelope view(record);
      show(view);
      detail::Access::release(view);
    };
    if (indexed_) {
      for (Card* node = all_.oldest; node != nullptr; node = node->places[by_age].behind) {
        show_one(node->record);
      }
      return;
    }
    for (MessageRecord* record = bare_.first; record != nullptr; record = record->next)
      show_one(record);
  }

  std::size_t size() const noexcept override { return size_; }
  std::size_t bytes() const noexcept override { return bytes_; }

 private:
  // Counts a message that is put in (`sign` 1), and releases its record from the envelope; or
  // counts a message that is taken out (`sign` -1).
  MessageRecord* account(Envelope& envelope, int sign) {
    MessageRecord* const record =
        sign > 0 ? detail::Access::release(envelope) : detail::Access::record(envelope);
    const std::size_t bytes = record->content == nullptr ? 0 : record->content->size;
    size_ += static_cast<std::size_t>(sign);
    bytes_ += static_cast<std::size_t>(sign) * bytes;
    return record;
  }

  // Finds the oldest record that matches and removes it from its lists.
  MessageRecord* find(const Match& match) {
    const bool directed = match.sender() || match.conversation() != 0;
    if (!indexed_ && directed && size_ >= detail::looked_through) make_index();
    if (indexed_) return find_indexed(match);
    for (MessageRecord* record = bare_.first; record != nullptr; record = record->next) {
      if (!detail::fits(&match, record)) continue;
      bare_.remove(record);
      return record;
    }
    return nullptr;
  }

  MessageRecord* find_indexed(const Match& match) {
    if (match.sender()) {
      const auto list = senders_.find(detail::Access::mailbox(match.sender()));
      return list == senders_.end() ? nullptr : find_in(list->second, match);
    }
    if (match.conversation() != 0) {
      const auto list = conversations_.find(match.conversation());
      return list == conversations_.end() ? nullptr : find_in(list->second, match);
    }
    return find_in(all_, match);
  }

  template <Which which>
  MessageRecord* find_in(const CardList<which>& list, const Match& match) {
    for (Card* node = list.oldest; node != nullptr; node = node->places[which].behind) {
      if (!detail::fits(&match, node->record)) continue;
      MessageRecord* const record = node->record;
      remove(*node);
      return record;
    }
    return nullptr;
  }

  void insert(MessageRecord* record) {
    Card& node = new_card(record);
    all_.push_back(node);
    senders_[record->source].push_back(node);
    if (record->conversation != 0) conversations_[record->conversation].push_back(node);
  }

  void insert_front(MessageRecord* record) {
    Card& node = new_card(record);
    all_.push_front(node);
    senders_[record->source].push_front(node);
    if (record->conversation != 0) conversations_[record->conversation].push_front(node);
  }

  static Card& new_card(MessageRecord* record) {
    auto* const node = ::new (detail::pool_allocate(sizeof(Card))) Card;
    node->record = record;
    return *node;
  }

  void remove(Card& node) {
    const MessageRecord& record = *node.record;
    all_.remove(node);
    const auto sender = senders_.find(record.source);
    sender->second.remove(node);
    if (sender->second.oldest == nullptr) senders_.erase(sender);
    if (record.conversation != 0) {
      const auto conversation = conversations_.find(record.conversation);
      conversation->second.remove(node);
      if (conversation->second.oldest == nullptr) conversations_.erase(conversation);
    }
    detail::pool_free(&node, sizeof(Card));
  }

  void make_index() {
    indexed_ = true;
    while (!bare_.empty()) insert(bare_.take_first());
  }

  void drop_index() {
    indexed_ = false;
    while (all_.oldest != nullptr) {
      MessageRecord* const record = all_.oldest->record;
      remove(*all_.oldest);
      bare_.append(record);
    }
  }

  detail::RecordList bare_;  // while not indexed
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;

  bool indexed_ = false;
  CardList<by_age> all_;
  std::unordered_map<detail::Mailbox*, CardList<by_sender>> senders_;
  std::unordered_map<Conversation, CardList<by_conversation>> conversations_;
};

}  // namespace

std::unique_ptr<Queue> mail_queue() { return std::make_unique<MailQueue>(); }

namespace {

std::unique_ptr<Queue> mail_queue_of(const Name&) { return mail_queue(); }

}  // namespace

QueueFactory mail_queues() { return &mail_queue_of; }

bool detail::makes_mail_queues(const QueueFactory& factory) noexcept {
  const auto* const made_by = factory.target<std::unique_ptr<Queue> (*)(const Name&)>();
  return made_by != nullptr && *made_by == &mail_queue_of;
}

}  // namespace coracle
