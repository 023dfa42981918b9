#include "message_writer.hpp"

#include "borrowed_content.hpp"
#include "homes.hpp"
#include "runtime/groups/notes.hpp"
#include "runtime/node/node_core.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

template <class Out>
void write_header(Out& out, const MessageRecord& record, std::uint64_t last_sequence) {
  out.number(record.flags & travelling_flags);
  out.number(record.sequence() - last_sequence);
  out.number(record.conversation);
}

// The most common content types are a number.
template <class Out>
[[gnu::always_inline]] inline void write_type(Out& out, const MessageRecord& record) {
  if (record.content == nullptr) return out.byte(no_content);
  if (record.content->kind == &bytes_kind) return out.byte(bytes_content);
  if (record.content->kind == &text_kind) return out.byte(text_content);
  const std::string_view type = record.content->type();
  if (type == text_type) return out.byte(text_content);
  if (type == bytes_type) return out.byte(bytes_content);
  out.byte(named_content);
  out.text(type);
}

template <class Out>
void write_fields(Out& out, const OptionalFields& fields, Time present) {
  out.text(fields.target_name.view());
  out.number(fields.headers.size());
  for (const auto& [key, value] : fields.headers) {
    out.text(key);
    out.text(value);
  }
  const bool expires = fields.deadline != Time::max();
  const Duration left = expires ? std::max(fields.deadline - present, Duration(1)) : Duration(0);
  out.number(static_cast<std::uint64_t>(left.count()));
  out.number(fields.trace.trace_high);
  out.number(fields.trace.trace_low);
  out.number(fields.trace.span);
  out.number(fields.deliveries);
  out.number(std::min(fields.gap, largest_gap));
  out.number(fields.tap);
  out.number(fields.entry);
  out.number(fields.redirects);
  if (fields.redirects != 0) out.text(fields.redirected_by.view());
}

template <class Out>
void write_duration(Out& out, Duration left) {
  out.number(static_cast<std::uint64_t>(std::max(left, Duration(1)).count()));
}

// Links send more than this in pieces, and let messages of other pairs go before them.
constexpr std::size_t most_at_once = std::size_t{240} << 10;

bool is_large(const MessageRecord& record, const Content& content) noexcept {
  std::size_t bytes = content.size();
  if (record.fields == nullptr) return bytes > most_at_once;
  for (const auto& [key, value] : record.fields->headers) bytes += key.size() + value.size();
  return bytes > most_at_once;
}

// A gap goes behind all that was sent to its eavesdropper, and a letter without a source behind all
// letters.
FramePair pair_of(const MessageRecord& record) noexcept {
  const bool is_gap = (record.flags & gap_flag) != 0;
  return frame_pair(is_gap ? nullptr : record.source, record.target);
}

// Returns whether another node wants the outcome of the message.
bool is_told_of(const OptionalFields& fields) { return fields.tracked && fields.kept != 0; }

}  // namespace

bool MessageWriter::send(std::uint8_t kind, Peer& other, const Holder& to,
                         const MessageRecord& record, std::uint64_t serial) {
  const BorrowedContent lent((record.flags & withheld_flag) == 0 ? record.content : nullptr);
  const std::lock_guard lock(other.mutex);
  other.frame.clear();
  const bool is_large = detail::is_large(record, lent.content());
  // A slot request keeps its position; otherwise it could come after its withdrawal.
  std::optional<Apart> apart;
  if (kind != slot_request_frame && !other.is_in_order(is_large)) [[unlikely]]
    apart = peers_.place_of(other, pair_of(record), is_large);
  const bool stands_by_itself = apart || is_large;
  if (stands_by_itself || kind != message_frame || !write_short(other, to, record, serial))
    write_message(kind, other, to, record, serial, stands_by_itself);
  const bool has_room = other.send(other.frame, lent.content(), apart);
  // This is noted before the link can report room again.
  if (!has_room && kind != slot_request_frame) other.blocked.push_back(record.target);
  return has_room;
}

// Writes a message in the most common form. Returns false, and writes nothing, when it has another
// one.
bool MessageWriter::write_short(Peer& other, const Holder& to, const MessageRecord& record,
                                std::uint64_t serial) {
  if (record.fields != nullptr || record.source == nullptr) return false;
  const auto& [target_mailbox, target] = other.sent.lately(*record.target);
  const auto& [source_mailbox, source] = other.sent.lately(*record.source);
  if (target_mailbox != record.target || source_mailbox != record.source) return false;
  const unsigned flags = record.flags & travelling_flags;
  const std::uint64_t sequence = record.sequence();
  const std::uint64_t sequence_step = sequence - source->sequence;
  const std::uint64_t serial_step = serial - target->serial;
  if ((target->number | source->number | serial_step | sequence_step) >= 0x80 ||
      (flags & ~unsigned{ShortHead::flags_allowed}) != 0 || target->life != to.life ||
      ((flags & request_flag) != 0 && source->asks_in != record.source->life())) {
    return false;
  }
  target->serial = serial;
  source->sequence = sequence;
  const auto byte = [](std::uint64_t value) { return static_cast<std::uint8_t>(value); };
  other.frame.word(ShortHead{.target = byte(target->number),
                             .source = byte(source->number),
                             .flags = byte(flags),
                             .serial_step = byte(serial_step),
                             .sequence_step = byte(sequence_step)}
                       .word());
  other.frame.number(record.conversation);
  write_type(other.frame, record);
  return true;
}

// A message that stands by itself is complete: its numbers do not count from what was sent before,
// and no later number counts from it.
void MessageWriter::write_message(std::uint8_t kind, Peer& other, const Holder& to,
                                  const MessageRecord& record, std::uint64_t serial,
                                  bool stands_by_itself) {
  FrameBuffer& out = other.frame;
  out.byte(kind);
  const auto name = [&](const Mailbox& mailbox) -> SentName* {
    if (!stands_by_itself) return other.sent.write(out, mailbox);
    spell(out, mailbox.name.view());
    return nullptr;
  };
  SentName* const target = name(*record.target);
  // Most serials follow the last one.
  const bool is_message = kind != slot_request_frame && target != nullptr;
  out.number(is_message ? serial - std::exchange(target->serial, serial) : serial);
  const bool same_life = target != nullptr && target->life == to.life;
  out.number(same_life ? same_life_as_before : first_life + number_of_life(to.life));
  if (target != nullptr) target->life = to.life;
  if (kind == store_message_frame) write_duration(out, node_.options().absent_time_to_live);
  const OptionalFields* const fields = record.fields;
  const bool tracked = fields != nullptr && (fields->receipt != nullptr || is_told_of(*fields));
  const bool answers_elsewhere = fields != nullptr && fields->reply_to != nullptr;
  const bool is_copied = (record.flags & copy_flag) != 0;
  const bool asks = record.source != nullptr && (is_copied || (record.flags & request_flag) != 0);
  const std::uint8_t note = note_of(record);
  out.byte(static_cast<std::uint8_t>(
      (record.source != nullptr ? has_source : 0) | (fields != nullptr ? has_fields : 0) |
      (tracked ? is_tracked : 0) | (answers_elsewhere ? has_reply_to : 0) |
      (asks ? has_asking_life : 0) | (is_earlier(record) ? is_sent_earlier : 0) |
      (note != no_note ? has_note : 0)));
  SentName* const source = record.source != nullptr ? name(*record.source) : nullptr;
  if (answers_elsewhere) name(*fields->reply_to);
  const std::uint64_t sequence = record.sequence();
  write_header(out, record, source != nullptr ? std::exchange(source->sequence, sequence) : 0);
  write_type(out, record);
  if (fields != nullptr) write_fields(out, *fields, node_.clock().now());
  if (asks) {
    const Incarnation life = is_copied ? fields->life : record.source->life();
    out.number(number_of_life(life));
    if (source != nullptr) source->asks_in = life;
  }
  if (note != no_note) out.byte(note);
}

void MessageWriter::write_kept(FrameWriter& out, const MessageRecord& record, Duration left) {
  const OptionalFields* const fields = record.fields;
  const bool answers_elsewhere = fields != nullptr && fields->reply_to != nullptr;
  write_duration(out, left);
  spell(out, record.target->name.view());
  out.byte(static_cast<std::uint8_t>(
      (record.source != nullptr ? has_source : 0) | (fields != nullptr ? has_fields : 0) |
      (answers_elsewhere ? has_reply_to : 0) | (is_earlier(record) ? is_sent_earlier : 0)));
  if (record.source != nullptr) spell(out, record.source->name.view());
  if (answers_elsewhere) spell(out, fields->reply_to->name.view());
  write_header(out, record, 0);
  write_type(out, record);
  if (fields != nullptr) write_fields(out, *fields, node_.clock().now());
}

bool MessageWriter::send_handed(LeaseId to, const MessageRecord& record, std::uint64_t serial) {
  const BorrowedContent lent(record.content);
  const OptionalFields* const fields = record.fields;
  const Duration longest = node_.options().absent_time_to_live;
  const bool ends = fields != nullptr && fields->absent_until != Time::max();
  const Duration left =
      ends ? std::min(fields->absent_until - node_.clock().now(), longest) : longest;
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(hand_over_frame);
  out.number(serial);
  write_kept(out, record, left);
  Peer& other = peers_.of(to);
  const std::lock_guard lock(other.mutex);
  const auto apart = peers_.place_of(other, pair_of(record), is_large(record, lent.content()));
  return other.send(frame, lent.content(), apart);
}

}  // namespace coracle::detail
