#include "message_reader.hpp"

#include "coracle/support/mutations.hpp"
#include "homes.hpp"
#include "runtime/elsewhere/inbound.hpp"
#include "runtime/groups/notes.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/receipts/settling.hpp"

namespace coracle::detail {

namespace {

constexpr std::uint64_t headers_limit = 1024;

// Reads a name, or an empty text.
Name read_optional_name(FrameReader& in) {
  const std::string_view text = in.text();
  if (text.empty()) return {};
  Result<Name> name = Name::parse(text);
  if (name) return *std::move(name);
  in.fail();
  return {};
}

bool read_fields(FrameReader& in, OptionalFields& fields, Time present) {
  fields.target_name = read_optional_name(in);
  for (std::uint64_t left = in.number_up_to(headers_limit); left != 0 && in.ok(); --left) {
    std::string key(in.text());
    fields.headers.emplace_back(std::move(key), in.text());
  }
  const std::uint64_t left = in.number_up_to(std::uint64_t{1} << 60);  // 36 years
  if (left != 0) fields.deadline = present + Duration(static_cast<Duration::rep>(left));
  fields.trace.trace_high = in.number();
  fields.trace.trace_low = in.number();
  fields.trace.span = in.number();
  fields.deliveries = static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0} / 2));
  fields.gap = in.number_up_to(largest_gap);
  if (fields.gap == largest_gap) fields.gap = MessageView::unknown_gap;
  fields.tap = in.number();
  fields.entry = in.number();
  fields.redirects = static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0}));
  if (fields.redirects != 0) fields.redirected_by = read_optional_name(in);
  return in.ok();
}

// Returns whether the flags fit together; a copy, a gap and a letter have no other flags.
bool is_sensible(std::uint64_t flags, bool is_earlier) noexcept {
  if (is_earlier) return (flags & ~std::uint64_t{redelivered_flag}) == 0;
  const std::uint64_t special = flags & (copy_flag | gap_flag | letter_flag);
  if (special != 0) return flags == copy_flag || flags == gap_flag || flags == letter_flag;
  return (flags & failure_flag) == 0 || (flags & reply_flag) != 0;
}

// Reads what a copy or a gap is about. The content of a notice is the name of a receiver.
std::uint8_t read_note(FrameReader& in, std::uint64_t flags, const Content& content) {
  const std::uint8_t note = in.byte();
  const bool is_gap = (flags & gap_flag) != 0;
  const bool may_have_note = is_gap || (flags & copy_flag) != 0;
  if (!may_have_note && !mutated(Mutation::any_noted)) in.fail();
  const bool is_known = note != no_note && note <= (is_gap ? last_gap_note : last_note);
  if (!is_known && !mutated(Mutation::any_note)) in.fail();
  const bool names_receiver = !is_gap && is_stage(note) && content.size() != 0;
  const bool names_nobody = in.ok() && names_receiver && !Name::parse(content.text());
  if (names_nobody && !mutated(Mutation::any_receiver)) in.fail();
  return in.ok() ? note : std::uint8_t{no_note};
}

}  // namespace

bool MessageReader::read_short(Worker& at, Peer& from, std::span<const std::byte> frame,
                               Content& content) {
  FrameReader in(frame);
  const std::optional<std::uint64_t> word = in.next_word();
  if (!word || !ShortHead::is(*word)) return false;
  in.skip(sizeof *word);
  const ShortHead head = ShortHead::of(*word);
  const Conversation conversation = in.number();
  const std::uint8_t type = in.byte();
  ReceivedName* const target = from.received.find(head.target);
  ReceivedName* const source = from.received.find(head.source);
  if (!in.ok() || !in.at_end() || from.is_cut || target == nullptr || source == nullptr ||
      content.size() > node_.options().content_limit) {
    return false;
  }
  if (target->mailbox == nullptr || !source->is_its_own || from.is_over) return false;
  if (type == text_content) {
    content = renamed(std::move(content), text_type);
  } else if (type == no_content ? content.size() != 0
                                : type != bytes_content || content.block() == nullptr) {
    return false;
  }
  target->serial += head.serial_step;
  source->sequence += head.sequence_step;
  MessageRecord* const record = allocate_record();
  record->source = source->mailbox;
  record->target = target->mailbox;
  record->content = content.release();
  record->conversation = conversation;
  record->flags = static_cast<std::uint16_t>(head.flags | foreign_flag);
  if (!at.observing.is_on()) set_flag(*record, simple_flag);
  record->set_sequence(source->sequence);
  record->fields = new OptionalFields;
  record->fields->origin = from.lease;
  record->fields->serial = target->serial;
  record->fields->life = target->life;
  record->fields->asking_life = source->asks_in;
  arrive(at, record);
  return true;
}

// Takes in a message for a mailbox here.
void MessageReader::arrive(Worker& at, MessageRecord* record) {
  ++at.flow.received;
  Mailbox& target = *record->target;
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != &at) return at.exchange.forward(home, record);
  take_in(at, target, record);
}

MessageRecord* MessageReader::read_record(Worker& at, Peer& from, FrameReader& in, Content content,
                                          Source& source) {
  const std::uint8_t bits = in.byte();
  ReceivedName passing, answered;
  ReceivedName* const name = (bits & has_source) != 0 ? from.received.read(in, passing) : &passing;
  if (name == nullptr) return nullptr;
  source.name = name->name();
  source.received = name != &passing ? name : nullptr;
  ReceivedName* const reply_to =
      (bits & has_reply_to) != 0 ? from.received.read(in, answered) : nullptr;
  if ((bits & has_reply_to) != 0 && reply_to == nullptr) return nullptr;
  const std::uint64_t flags = in.number_up_to(travelling_flags);
  const std::uint64_t sequence = name->sequence += in.number();
  const Conversation conversation = in.number();
  std::string_view type;
  switch (in.byte()) {
    case no_content:
      content = {};
      break;
    case text_content:
      type = text_type;
      break;
    case bytes_content:  // as they are
      if (content.block() == nullptr) type = bytes_type;
      break;
    case named_content:
      type = in.text();
      break;
    default:
      in.fail();
  }
  const bool is_earlier = (bits & is_sent_earlier) != 0;
  if (!in.ok() || !is_sensible(flags, is_earlier)) return nullptr;
  // A message that this node has stored itself was not too large when it came.
  const bool is_too_large =
      from.is_cut || (from.lease != 0 && content.size() > node_.options().content_limit &&
                      !mutated(Mutation::any_size));
  if (is_too_large) content = {};
  else if (!type.empty()) content = renamed(std::move(content), type);
  std::unique_ptr<OptionalFields> fields(
      new OptionalFields);  // not make_unique, which fills it with zeros
  if ((bits & has_fields) != 0 && !read_fields(in, *fields, at.now())) return nullptr;
  if ((bits & has_asking_life) != 0) name->asks_in = read_life(in);
  if ((flags & copy_flag) != 0) fields->life = name->asks_in;
  else fields->asking_life = name->asks_in;
  if ((bits & has_note) != 0) fields->note = read_note(in, flags, content);
  if (!in.ok() || !in.at_end() || ((flags & gap_flag) != 0) != (fields->gap != 0)) return nullptr;
  if (reply_to != nullptr) fields->reply_to = sources_.record_of(at, from, reply_to->name());
  const bool has_no_room = reply_to != nullptr && fields->reply_to == nullptr;
  const bool is_told_of = (flags & (copy_flag | gap_flag | letter_flag)) == 0;
  fields->tracked = (bits & is_tracked) != 0 && (is_told_of || mutated(Mutation::any_tracked));
  fields->is_earlier = is_earlier;
  MessageRecord* const record = new_record();
  record->content = content.release();
  record->conversation = conversation;
  record->fields = fields.release();
  record->set_sequence(sequence);
  record->flags = static_cast<std::uint16_t>(flags & travelling_flags);
  if ((bits & is_forbidden) != 0 || has_no_room) set_flag(*record, forbidden_flag);
  if (is_too_large) set_flag(*record, oversize_flag);
  return record;
}

bool MessageReader::read(Worker& at, Peer& from, FrameReader& in, Content content) {
  ReceivedName passing;
  ReceivedName* const name = from.received.read(in, passing);
  if (name == nullptr) return false;
  const std::uint64_t serial = name->serial += in.number();
  const Incarnation life = read_life(in, name->life);
  Source source;
  Mailbox* const mailbox = from.received.mailbox_of(*name);
  const Name target = name->name();
  source.target = target;
  MessageRecord* const record = read_record(at, from, in, std::move(content), source);
  if (record == nullptr) return false;
  record->target = mailbox;
  clear_flag(*record, withheld_flag);  // only a slot request comes without its content
  const bool is_letter = (record->flags & letter_flag) != 0;
  if (is_letter && target != Node::dead_letters()) return free_record(record), false;
  if ((record->flags & gap_flag) != 0 && !mutated(Mutation::any_gap)) {
    // A gap contains the number of missed copies, and nothing else.
    Content::adopt(std::exchange(record->content, nullptr));
    source = {};
    record->source = record->target;
  }
  const bool may_be_of_nobody = is_letter || (record->flags & gap_flag) != 0;
  if (source.name.empty() && !may_be_of_nobody) return free_record(record), false;
  if (sources_.speaks_as(at, from, source, *record) || is_letter) {
    take(at, from.lease, record, target, serial, life);
    return true;
  }
  const auto then = [this, lease = from.lease, target, serial, life](Worker& here,
                                                                     MessageRecord* proven) {
    take(here, lease, proven, target, serial, life);
  };
  sources_.when_proven(at, from, source, record, then);
  return true;
}

namespace {

// A copy that is too large for this node becomes a gap.
MessageRecord* gap_for(Worker& at, MessageRecord* copy) {
  MessageRecord* const gap = gap_marker(*copy->target, copy->fields->tap, 1, reason_of(*copy));
  ++at.flow.copies_missed;
  free_record(copy);
  return gap;
}

}  // namespace

// Takes in a message whose source is known. Without a target, its name has no record here.
void MessageReader::take(Worker& at, LeaseId from, MessageRecord* record, const Name& target,
                         std::uint64_t serial, Incarnation life) {
  const bool says_nothing = is_emptied(*record);
  const bool is_letter = (record->flags & letter_flag) != 0;
  if (record->target == nullptr || (is_letter && says_nothing)) {
    const bool is_ordinary = is_counted(*record);
    free_record(record);
    if (is_ordinary) send_back(from, target, serial, life);
    return;
  }
  if (is_copy(*record)) {
    if (mutated(Mutation::copy_forgotten)) return ++at.flow.copies_received, free_record(record);
    const bool is_gap = (record->flags & gap_flag) != 0;
    if (!is_gap) ++at.flow.copies_received;
    if ((record->flags & forbidden_flag) != 0) return end_record(at, record, Outcome::refused);
    return at.overhearing.route(says_nothing && !is_gap ? gap_for(at, record) : record);
  }
  if (is_letter) {
    return at_home(*record->target,
                   [record](Worker& home, Mailbox& there) { arrive_at(home, there, record); });
  }
  set_flag(*record, foreign_flag);
  record->fields->origin = from;
  record->fields->serial = serial;
  record->fields->life = life;
  arrive(at, record);
}

// No agent here ever had that name: the sender's news is old, or it has none.
void MessageReader::send_back(LeaseId to, const Name& target, std::uint64_t serial,
                              Incarnation life) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(reports_frame);
  spell(out, target.view());
  out.byte(static_cast<std::uint8_t>(ReportKind::unread));
  out.number(serial);
  out.number(1);
  peers_.send(to, frame);
  frame.clear();
  out.byte(closed_frame);
  spell(out, target.view());
  out.number(number_of_life(life));
  out.byte(static_cast<std::uint8_t>(EndReason::stopped));
  out.text({});
  peers_.send(to, frame);
}

}  // namespace coracle::detail
