// How a message is told to another node; remote_arrivals.cpp hears it.
#include "runtime/entrusting.hpp"
#include "runtime/lent.hpp"
#include "runtime/node_core.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

template <class Out>
void write_header(Out& out, const Parcel& parcel, std::uint64_t last_sequence) {
  out.number(parcel.flags & travelling_flags);
  out.number(parcel.sequence() - last_sequence);
  out.number(parcel.conversation);
}

// Content types that most messages have are a number.
template <class Out>
[[gnu::always_inline]] inline void write_type(Out& out, const Parcel& parcel) {
  if (parcel.content == nullptr) return out.byte(no_content);
  if (parcel.content->kind == &bytes_kind) return out.byte(bytes_content);
  if (parcel.content->kind == &text_kind) return out.byte(text_content);
  const std::string_view type = parcel.content->type();
  if (type == text_type) return out.byte(text_content);
  if (type == bytes_type) return out.byte(bytes_content);
  out.byte(named_content);
  out.text(type);
}

template <class Out>
void write_extras(Out& out, const Extras& extras, Time present) {
  out.text(extras.target_name.view());
  out.number(extras.headers.size());
  for (const auto& [key, value] : extras.headers) {
    out.text(key);
    out.text(value);
  }
  const bool expires = extras.deadline != Time::max();
  const Duration left = expires ? std::max(extras.deadline - present, Duration(1)) : Duration(0);
  out.number(static_cast<std::uint64_t>(left.count()));
  out.number(extras.trace.trace_high);
  out.number(extras.trace.trace_low);
  out.number(extras.trace.span);
  out.number(extras.deliveries);
  out.number(std::min(extras.gap, largest_gap));
  out.number(extras.ear);
  out.number(extras.entry);
  out.number(extras.redirects);
  if (extras.redirects != 0) out.text(extras.redirected_by.view());
}

template <class Out>
void write_duration(Out& out, Duration left) {
  out.number(static_cast<std::uint64_t>(std::max(left, Duration(1)).count()));
}

// Links send what has more than that in pieces, and let other pairs' messages go before it.
constexpr std::size_t most_at_once = std::size_t{240} << 10;

bool is_large(const Parcel& parcel, const Content& content) noexcept {
  std::size_t bytes = content.size();
  if (parcel.extras == nullptr) return bytes > most_at_once;
  for (const auto& [key, value] : parcel.extras->headers) bytes += key.size() + value.size();
  return bytes > most_at_once;
}

// A gap is behind all that its hearer was told, and a letter without a source behind all letters.
FramePair pair_of(const Parcel& parcel) noexcept {
  const bool is_gap = (parcel.flags & gap_flag) != 0;
  return frame_pair(is_gap ? nullptr : parcel.source, parcel.target);
}

// Whether another node wants to know what becomes of it.
bool is_told_of(const Extras& extras) { return extras.tracked && extras.kept != 0; }

}  // namespace

bool Remote::send_message(const Holder& to, const Parcel& parcel, std::uint64_t serial) {
  const bool goes_to_keeper = is_entrusting(*parcel.target);
  return send_parcel(goes_to_keeper ? entrust_frame : message_frame, to, parcel, serial);
}

bool Remote::send_knock(const Holder& to, const Parcel& likeness, std::uint64_t number) {
  return send_parcel(knock_frame, to, likeness, number);
}

// Most messages: false when this is none of them, and nothing was written.
bool Remote::write_short(Peer& other, const Holder& to, const Parcel& parcel,
                         std::uint64_t serial) {
  if (parcel.extras != nullptr || parcel.source == nullptr) return false;
  const auto& [target_party, target] = other.told_lately(*parcel.target);
  const auto& [source_party, source] = other.told_lately(*parcel.source);
  if (target_party != parcel.target || source_party != parcel.source) return false;
  const unsigned flags = parcel.flags & travelling_flags;
  const std::uint64_t sequence = parcel.sequence();
  const std::uint64_t sequence_step = sequence - source->sequence;
  const std::uint64_t serial_step = serial - target->serial;
  if ((target->number | source->number | serial_step | sequence_step) >= 0x80 ||
      (flags & ~unsigned{ShortHead::flags_allowed}) != 0 || target->life != to.life ||
      ((flags & request_flag) != 0 && source->asks_in != parcel.source->life())) {
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
  other.frame.number(parcel.conversation);
  write_type(other.frame, parcel);
  return true;
}

// One that stands by itself says all that it means: it counts from nothing that was told before,
// and nothing that is told later counts from it.
void Remote::write_message(std::uint8_t kind, Peer& other, const Holder& to, const Parcel& parcel,
                           std::uint64_t serial, bool stands_by_itself) {
  FrameBuffer& out = other.frame;
  out.byte(kind);
  const auto name = [&](const Party& party) -> Told* {
    if (!stands_by_itself) return write_name(other, out, party);
    spell(out, party.name.view());
    return nullptr;
  };
  Told* const told = name(*parcel.target);
  // Most are the next one after the last.
  const bool is_message = kind != knock_frame && told != nullptr;
  out.number(is_message ? serial - std::exchange(told->serial, serial) : serial);
  const bool same_life = told != nullptr && told->life == to.life;
  out.number(same_life ? same_life_as_before : first_life + number_of_life(to.life));
  if (told != nullptr) told->life = to.life;
  if (kind == entrust_frame) write_duration(out, node_.options().absent_time_to_live);
  const Extras* const extras = parcel.extras;
  const bool tracked = extras != nullptr && (extras->receipt != nullptr || is_told_of(*extras));
  const bool answers_elsewhere = extras != nullptr && extras->reply_to != nullptr;
  const bool asks = parcel.source != nullptr && (parcel.flags & request_flag) != 0;
  out.byte(static_cast<std::uint8_t>(
      (parcel.source != nullptr ? has_source : 0) | (extras != nullptr ? has_extras : 0) |
      (tracked ? is_tracked : 0) | (answers_elsewhere ? has_reply_to : 0) |
      (asks ? has_asking_life : 0) | (is_earlier(parcel) ? is_sent_earlier : 0)));
  Told* const source = parcel.source != nullptr ? name(*parcel.source) : nullptr;
  if (answers_elsewhere) name(*extras->reply_to);
  const std::uint64_t sequence = parcel.sequence();
  write_header(out, parcel, source != nullptr ? std::exchange(source->sequence, sequence) : 0);
  write_type(out, parcel);
  if (extras != nullptr) write_extras(out, *extras, node_.clock().now());
  if (!asks) return;
  const Incarnation life = parcel.source->life();
  out.number(number_of_life(life));
  if (source != nullptr) source->asks_in = life;
}

// Where the frame goes that is sent next: apart, or (nothing) in its order. Requires other.mutex.
std::optional<Apart> Remote::place_of(Peer& other, const FramePair& pair, bool is_large) {
  if (other.is_in_order(is_large)) [[likely]]
    return std::nullopt;
  const bool is_apart =
      is_large ? links_.takes_turns()
               : std::any_of(other.apart.begin(), other.apart.end(),
                             [&pair](const FramePair& before) { return before.meets(pair); });
  if (!is_apart) return std::nullopt;
  if (std::find(other.apart.begin(), other.apart.end(), pair) == other.apart.end())
    other.apart.push_back(pair);
  other.last_apart = ++sent_apart_;
  return Apart{pair, other.last_apart};
}

void Remote::on_apart_gone(LeaseId lease, std::uint64_t number) {
  if (!node_.is_here()) {
    return node_.worker(0).post(
        command([this, lease, number](Worker&) { on_apart_gone(lease, number); }));
  }
  Peer& other = peer(lease);
  const std::lock_guard lock(other.mutex);
  if (other.last_apart == number) other.apart.clear();
}

bool Remote::send_parcel(std::uint8_t kind, const Holder& to, const Parcel& parcel,
                         std::uint64_t serial) {
  const Lent lent((parcel.flags & withheld_flag) == 0 ? parcel.content : nullptr);
  Peer& other = peer(to.lease);
  const std::lock_guard lock(other.mutex);
  other.frame.clear();
  const bool is_large = detail::is_large(parcel, lent.content());
  // A knock keeps its place, or would come after it has been taken back.
  std::optional<Apart> apart;
  if (kind != knock_frame && !other.is_in_order(is_large)) [[unlikely]]
    apart = place_of(other, pair_of(parcel), is_large);
  const bool stands_by_itself = apart || is_large;
  if (stands_by_itself || kind != message_frame || !write_short(other, to, parcel, serial))
    write_message(kind, other, to, parcel, serial, stands_by_itself);
  const bool has_room = send_frame(other, other.frame, lent.content(), apart);
  // Noted before anybody can say that there is room again.
  if (!has_room && kind != knock_frame) other.blocked.push_back(parcel.target);
  return has_room;
}

// As for another node, but with every name spelled, so that it can be kept; `left` is its time when
// nobody holds its target's name.
void Remote::write_kept(FrameWriter& out, const Parcel& parcel, Duration left) {
  const Extras* const extras = parcel.extras;
  const bool answers_elsewhere = extras != nullptr && extras->reply_to != nullptr;
  write_duration(out, left);
  spell(out, parcel.target->name.view());
  out.byte(static_cast<std::uint8_t>(
      (parcel.source != nullptr ? has_source : 0) | (extras != nullptr ? has_extras : 0) |
      (answers_elsewhere ? has_reply_to : 0) | (is_earlier(parcel) ? is_sent_earlier : 0)));
  if (parcel.source != nullptr) spell(out, parcel.source->name.view());
  if (answers_elsewhere) spell(out, extras->reply_to->name.view());
  write_header(out, parcel, 0);
  write_type(out, parcel);
  if (extras != nullptr) write_extras(out, *extras, node_.clock().now());
}

bool Remote::send_handed(LeaseId to, const Parcel& parcel, std::uint64_t serial) {
  const Lent lent(parcel.content);
  const Extras* const extras = parcel.extras;
  const Duration longest = node_.options().absent_time_to_live;
  const bool ends = extras != nullptr && extras->absent_until != Time::max();
  const Duration left =
      ends ? std::min(extras->absent_until - node_.clock().now(), longest) : longest;
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(hand_over_frame);
  out.number(serial);
  write_kept(out, parcel, left);
  Peer& other = peer(to);
  const std::lock_guard lock(other.mutex);
  const auto apart = place_of(other, pair_of(parcel), is_large(parcel, lent.content()));
  return send_frame(other, frame, lent.content(), apart);
}

}  // namespace coracle::detail
