// What can be asked of a message, and the tests that a receive can make of it.
#include "coracle/match.hpp"
#include "coracle/message.hpp"
#include "runtime/party.hpp"

namespace coracle {

const Name& Address::name() const noexcept {
  static const Name nobody;
  return party_ == nullptr ? nobody : party_->name;
}

const Name& MessageView::target() const noexcept {
  const detail::Extras* extras = parcel_->extras;
  if (extras != nullptr && !extras->target_name.empty()) return extras->target_name;
  return parcel_->target->name;
}

Content MessageView::content() const noexcept {
  detail::retain(parcel_->content);
  return Content::adopt(parcel_->content);
}

// The block belongs to the message as well, so the text outlives the temporary Content.
std::string_view MessageView::text() const { return content().text(); }

void MessageView::cannot_be_read(const Error& failure) const {
  throw Error(failure.errc(),
              "cannot read a message from '" + source().name().str() + "': " + failure.sentence());
}

Address MessageView::reply_to() const noexcept {
  const detail::Extras* extras = parcel_->extras;
  return extras != nullptr && extras->reply_to != nullptr ? Address(extras->reply_to) : source();
}

std::optional<std::string_view> MessageView::header(std::string_view key) const noexcept {
  if (parcel_->extras == nullptr) return std::nullopt;
  for (const auto& [name, value] : parcel_->extras->headers) {
    if (name == key) return value;
  }
  return std::nullopt;
}

const std::vector<std::pair<std::string, std::string>>& MessageView::headers() const noexcept {
  static const std::vector<std::pair<std::string, std::string>> none;
  return parcel_->extras == nullptr ? none : parcel_->extras->headers;
}

Time MessageView::deadline() const noexcept {
  return parcel_->extras == nullptr ? Time::max() : parcel_->extras->deadline;
}

TraceContext MessageView::trace() const noexcept {
  return parcel_->extras == nullptr ? TraceContext() : parcel_->extras->trace;
}

std::uint64_t MessageView::gap() const noexcept {
  return has(detail::gap_flag) ? parcel_->extras->gap : 0;
}

bool MessageView::earlier() const noexcept {
  return parcel_->extras != nullptr && parcel_->extras->is_earlier;
}

std::uint64_t MessageView::ear() const noexcept { return overheard() ? parcel_->extras->ear : 0; }

bool Match::is_from(const MessageView& message) const {
  if (from_ && message.source() != from_) return false;
  if (!from_ && !name_.empty() && message.source().name() != name_) return false;
  return conversation_ == 0 || message.conversation() == conversation_;
}

Match from(Address sender) {
  Match match;
  match.from_ = sender;
  return match;
}

Match from(Name sender) {
  Match match;
  match.name_ = std::move(sender);
  return match;
}

Match in_conversation(Conversation conversation) {
  Match match;
  match.conversation_ = conversation;
  return match;
}

Match matching(std::shared_ptr<const Match::Test> test) {
  Match match;
  match.test_ = std::move(test);
  return match;
}

Match of_type(std::string content_type) {
  return that([type = std::move(content_type)](const MessageView& message) {
    return message.content().type() == type;
  });
}

Match heard_by(std::uint64_t ear) {
  return that([ear](const MessageView& message) { return message.ear() == ear; });
}

Match addressed() {
  return that([](const MessageView& message) { return !message.overheard(); });
}

// Keeps what the mailbox can look up where only one side says it.
Match operator&&(const Match& a, const Match& b) {
  Match both = a;
  const auto holds_both = [a, b](const MessageView& m) { return a.fits(m) && b.fits(m); };
  if (!both.from_) both.from_ = b.from_;
  if (both.name_.empty()) both.name_ = b.name_;
  if (both.conversation_ == 0) both.conversation_ = b.conversation_;
  both.test_ = that(holds_both).test_;
  return both;
}

Match operator||(const Match& a, const Match& b) {
  return that([a, b](const MessageView& message) { return a.fits(message) || b.fits(message); });
}

Match operator!(const Match& a) {
  return that([a](const MessageView& message) { return !a.fits(message); });
}

}  // namespace coracle
