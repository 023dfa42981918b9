#include "model/messages.hpp"

#include <algorithm>
#include <utility>

namespace coracle::view {

using formats::Kind;

Number Messages::add(Seen message) {
  message.n = std::max(message.n, next_);
  next_ = message.n + 1;
  if (message.size < message.content.size()) message.size = message.content.size();
  if (message.content.size() > limits_.content) {
    message.content.resize(limits_.content);
    message.content.shrink_to_fit();
    message.is_cut = true;
  }
  std::size_t headers = 0;
  std::erase_if(message.headers, [&](const auto& each) {
    headers += each.first.size() + each.second.size();
    return headers > limits_.content;
  });
  join(message);
  if (message.sequence != 0) sent_[{message.from, message.life, message.sequence}] = message.n;
  bytes_ += cost_of(message);
  messages_.push_back(std::move(message));
  while (messages_.size() > limits_.messages || bytes_ > limits_.bytes) drop_oldest();
  return next_ - 1;
}

// A conversation's number belongs to its society, so a message back to the one who began it
// answers, if it is a reply or its kind is not known.
void Messages::join(Seen& message) {
  if (message.conversation == 0) return;
  const auto [at, is_new] = openers_.try_emplace(message.conversation, message.n);
  if (is_new || message.answers != 0) return;
  if (message.kind == Kind::request) {
    at->second = message.n;
    return;
  }
  const Seen* const opener = find(at->second);
  if (opener == nullptr) at->second = message.n;
  else if (opener->from == message.to) message.answers = opener->n;
}

void Messages::drop_oldest() {
  const Seen& oldest = messages_.front();
  bytes_ -= cost_of(oldest);
  const auto opener = openers_.find(oldest.conversation);
  if (opener != openers_.end() && opener->second == oldest.n) openers_.erase(opener);
  const auto sent = sent_.find({oldest.from, oldest.life, oldest.sequence});
  if (sent != sent_.end() && sent->second == oldest.n) sent_.erase(sent);
  messages_.pop_front();
}

Number Messages::note(const Name& from, Incarnation life, std::uint64_t sequence,
                      const StageNews& news) {
  const auto found = sent_.find({from, life, sequence});
  return found != sent_.end() && note(found->second, news) ? found->second : 0;
}

bool Messages::note(Number n, const StageNews& news) {
  Seen* const message = find_own(n);
  if (message == nullptr) return false;
  switch (news.what) {
    case StageNews::What::kept:
      message->kept = news.at;
      break;
    case StageNews::What::taken:
      message->taken = news.at;
      break;
    case StageNews::What::ended:
      message->ended = news.at;
      message->outcome = news.outcome;
      message->reason = news.reason;
      break;
  }
  news_.push_back(n);
  if (news_.size() > 2 * limits_.messages) news_.pop_front(), ++first_news_;
  return true;
}

void Messages::add(Gap gap) {
  gaps_.push_back(std::move(gap));
  if (gaps_.size() > limits_.gaps) gaps_.pop_front(), ++first_gap_;
}

void Messages::clear(bool again) {
  messages_.clear(), openers_.clear(), sent_.clear();
  bytes_ = 0;
  first_news_ += news_.size(), news_.clear();
  first_gap_ += gaps_.size(), gaps_.clear();
  if (again) next_ = 1;
}

std::size_t Messages::place_of(Number n) const noexcept {
  if (messages_.empty() || n <= messages_.front().n) return 0;
  // Numbers have few holes, so the place is near its distance from the first.
  const auto found =
      std::lower_bound(messages_.begin(), messages_.end(), n,
                       [](const Seen& message, Number number) { return message.n < number; });
  return static_cast<std::size_t>(found - messages_.begin());
}

const Seen* Messages::find(Number n) const noexcept {
  if (messages_.empty() || n < messages_.front().n) return nullptr;
  const std::size_t near = n - messages_.front().n;
  if (near < messages_.size() && messages_[near].n == n) return &messages_[near];
  const std::size_t place = place_of(n);
  return place < messages_.size() && messages_[place].n == n ? &messages_[place] : nullptr;
}

Seen* Messages::find_own(Number n) noexcept { return const_cast<Seen*>(find(n)); }

}  // namespace coracle::view
