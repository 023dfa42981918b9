// The library's own queue. Short, it is a list of the parcels themselves. Once it is long and a
// directed read comes, it is indexed by sender and by conversation, so that such reads cost the
// same however much else waits.
#include "coracle/queue.hpp"

#include "runtime/party.hpp"

#include <unordered_map>

namespace coracle {

namespace {

using detail::Parcel;

constexpr std::size_t index_until = 8;

// A parcel's place in one of the lists of its queue.
struct Card;
struct Place {
  Card* before = nullptr;
  Card* behind = nullptr;
};

// An indexed parcel: its places among all, among its sender's, among its conversation's.
struct Card {
  Parcel* parcel = nullptr;
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
    while (!bare_.empty()) detail::free_parcel(bare_.take_first());
  }

  void put(Envelope envelope) override {
    Parcel* const parcel = account(envelope, 1);
    if (indexed_) return insert(parcel);
    bare_.append(parcel);
  }

  void put_back(Envelope envelope) override {
    Parcel* const parcel = account(envelope, 1);
    if (indexed_) return insert_front(parcel);
    bare_.prepend(parcel);
  }

  Envelope take(const Match& match) override {
    if (match.is_any() && !indexed_) {  // the commonest read of all
      if (bare_.empty()) return Envelope();
      Envelope oldest(bare_.take_first());
      account(oldest, -1);
      return oldest;
    }
    Parcel* const found = find(match);
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
    const auto show_one = [&](Parcel* parcel) {
      Envelope view(parcel);
      show(view);
      view.release();
    };
    if (indexed_) {
      for (Card* node = all_.oldest; node != nullptr; node = node->places[by_age].behind) {
        show_one(node->parcel);
      }
      return;
    }
    for (Parcel* parcel = bare_.first; parcel != nullptr; parcel = parcel->next) show_one(parcel);
  }

  std::size_t size() const noexcept override { return size_; }
  std::size_t bytes() const noexcept override { return bytes_; }

 private:
  // Takes a parcel out of an envelope for putting it in; only counts it when it goes out.
  Parcel* account(Envelope& envelope, int sign) {
    Parcel* const parcel = sign > 0 ? envelope.release() : envelope.parcel();
    const std::size_t bytes = parcel->content == nullptr ? 0 : parcel->content->size;
    size_ += static_cast<std::size_t>(sign);
    bytes_ += static_cast<std::size_t>(sign) * bytes;
    return parcel;
  }

  // Finds the oldest that fits and takes it out of its lists.
  Parcel* find(const Match& match) {
    const bool directed = match.sender() || match.conversation() != 0;
    if (!indexed_ && directed && size_ >= detail::looked_through) make_index();
    if (indexed_) return find_indexed(match);
    for (Parcel* parcel = bare_.first; parcel != nullptr; parcel = parcel->next) {
      if (!detail::fits(&match, parcel)) continue;
      bare_.remove(parcel);
      return parcel;
    }
    return nullptr;
  }

  Parcel* find_indexed(const Match& match) {
    if (match.sender()) {
      const auto list = senders_.find(match.sender().party());
      return list == senders_.end() ? nullptr : find_in(list->second, match);
    }
    if (match.conversation() != 0) {
      const auto list = conversations_.find(match.conversation());
      return list == conversations_.end() ? nullptr : find_in(list->second, match);
    }
    return find_in(all_, match);
  }

  template <Which which>
  Parcel* find_in(const CardList<which>& list, const Match& match) {
    for (Card* node = list.oldest; node != nullptr; node = node->places[which].behind) {
      if (!detail::fits(&match, node->parcel)) continue;
      Parcel* const parcel = node->parcel;
      remove(*node);
      return parcel;
    }
    return nullptr;
  }

  void insert(Parcel* parcel) {
    Card& node = new_card(parcel);
    all_.push_back(node);
    senders_[parcel->source].push_back(node);
    if (parcel->conversation != 0) conversations_[parcel->conversation].push_back(node);
  }

  void insert_front(Parcel* parcel) {
    Card& node = new_card(parcel);
    all_.push_front(node);
    senders_[parcel->source].push_front(node);
    if (parcel->conversation != 0) conversations_[parcel->conversation].push_front(node);
  }

  static Card& new_card(Parcel* parcel) {
    auto* const node = ::new (detail::pool_allocate(sizeof(Card))) Card;
    node->parcel = parcel;
    return *node;
  }

  void remove(Card& node) {
    const Parcel& parcel = *node.parcel;
    all_.remove(node);
    const auto sender = senders_.find(parcel.source);
    sender->second.remove(node);
    if (sender->second.oldest == nullptr) senders_.erase(sender);
    if (parcel.conversation != 0) {
      const auto conversation = conversations_.find(parcel.conversation);
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
      Parcel* const parcel = all_.oldest->parcel;
      remove(*all_.oldest);
      bare_.append(parcel);
    }
  }

  detail::ParcelList bare_;  // while not indexed
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;

  bool indexed_ = false;
  CardList<by_age> all_;
  std::unordered_map<detail::Party*, CardList<by_sender>> senders_;
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
