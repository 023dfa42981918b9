// The properties of a message, and the tests that a receive can make of it.
#include "coracle/detail/access.hpp"
#include "coracle/match.hpp"
#include "coracle/message.hpp"
#include "coracle/message_kind.hpp"
#include "mailbox.hpp"
#include "runtime/groups/notes.hpp"

namespace coracle {

const Name& Address::name() const noexcept {
  static const Name nobody;
  return mailbox_ == nullptr ? nobody : mailbox_->name;
}

const Name& MessageView::target() const noexcept {
  const detail::OptionalFields* fields = record_->fields;
  if (fields != nullptr && !fields->target_name.empty()) return fields->target_name;
  return record_->target->name;
}

Content MessageView::content() const noexcept {
  detail::retain(record_->content);
  return Content::adopt(record_->content);
}

// The message owns the block as well, so the text outlives the temporary Content.
std::string_view MessageView::text() const { return content().text(); }

void MessageView::cannot_be_read(const Error& failure) const {
  throw Error(failure.errc(),
              "cannot read a message from '" + source().name().str() + "': " + failure.sentence());
}

Address MessageView::reply_to() const noexcept {
  const detail::OptionalFields* fields = record_->fields;
  return fields != nullptr && fields->reply_to != nullptr ? Address(fields->reply_to) : source();
}

std::optional<std::string_view> MessageView::header(std::string_view key) const noexcept {
  if (record_->fields == nullptr) return std::nullopt;
  for (const auto& [name, value] : record_->fields->headers) {
    if (name == key) return value;
  }
  return std::nullopt;
}

const std::vector<std::pair<std::string, std::string>>& MessageView::headers() const noexcept {
  static const std::vector<std::pair<std::string, std::string>> none;
  return record_->fields == nullptr ? none : record_->fields->headers;
}

Time MessageView::deadline() const noexcept {
  return record_->fields == nullptr ? Time::max() : record_->fields->deadline;
}

TraceContext MessageView::trace() const noexcept {
  return record_->fields == nullptr ? TraceContext() : record_->fields->trace;
}

std::uint64_t MessageView::gap() const noexcept {
  return has(detail::gap_flag) ? record_->fields->gap : 0;
}

GapReason MessageView::gap_reason() const noexcept {
  if (gap() == unknown_gap) return GapReason::unknown;
  return has(detail::gap_flag) ? static_cast<GapReason>(record_->fields->note) : GapReason();
}

std::optional<Notice> MessageView::notice() const {
  if (!detail::is_notice(*record_)) return std::nullopt;
  const std::uint8_t note = record_->fields->note;
  Notice notice;
  notice.stage = note == detail::kept_note         ? NoticeStage::kept
                 : note == detail::handed_out_note ? NoticeStage::handed_out
                                                   : NoticeStage::ended;
  if (note >= detail::dropped_note) {
    notice.outcome = Outcome::dropped;
    notice.drop_reason = static_cast<DropReason>(note - detail::dropped_note);
  } else if (notice.stage == NoticeStage::ended) {
    notice.outcome = note == detail::store_lost_note
                         ? Outcome::store_lost
                         : static_cast<Outcome>(note - detail::consumed_note);
  }
  const bool is_named = record_->content != nullptr && record_->content->size != 0;
  notice.receiver = is_named ? Name(text()) : target();
  return notice;
}

Incarnation MessageView::source_life() const noexcept {
  return has(detail::copy_flag) ? record_->fields->life : Incarnation();
}

const char* to_string(MessageKind kind) noexcept {
  switch (kind) {
    case MessageKind::plain:
      return "plain";
    case MessageKind::request:
      return "request";
    case MessageKind::reply:
      return "reply";
    case MessageKind::failure:
      return "failure";
  }
  return "?";
}

MessageKind copied_kind(const MessageView& copy) noexcept {
  const detail::MessageRecord& record = *detail::Access::record(copy);
  const std::uint8_t note = detail::note_of(record);
  const bool is_kind = (record.flags & detail::copy_flag) != 0 && note > detail::last_stage_note;
  return is_kind ? static_cast<MessageKind>(note - detail::last_stage_note) : MessageKind::plain;
}

bool MessageView::earlier() const noexcept {
  return record_->fields != nullptr && record_->fields->is_earlier;
}

std::uint64_t MessageView::tap() const noexcept { return overheard() ? record_->fields->tap : 0; }

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

Match overheard_by(std::uint64_t tap) {
  return that([tap](const MessageView& message) { return message.tap() == tap; });
}

Match addressed() {
  return that([](const MessageView& message) { return !message.overheard(); });
}

// The result keeps the sender or conversation of either side, by which the mailbox can look a
// message up.
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
