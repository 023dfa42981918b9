// The frames that a node receives. Nothing in a frame is trusted before it is checked: a frame that
// makes no sense ends the link, and nothing else.
#include "coracle/support/mutations.hpp"
#include "homes.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/storing.hpp"

namespace coracle::detail {

namespace {

constexpr std::uint64_t headers_limit = 1024;
constexpr unsigned excesses_limit = 1000;

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
  constexpr std::uint64_t longest = std::uint64_t{1} << 60;
  const std::uint64_t left = in.number_up_to(longest);
  if (left != 0) fields.deadline = present + Duration(static_cast<Duration::rep>(left));
  fields.trace.trace_high = in.number();
  fields.trace.trace_low = in.number();
  fields.trace.span = in.number();
  fields.deliveries = static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0} / 2));
  fields.gap = in.number_up_to(largest_gap);
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

}  // namespace

Worker& Remote::reader_of(LeaseId lease) {
  return node_.worker(static_cast<std::size_t>(lease % node_.worker_count()));
}

void Remote::on_frame(LeaseId from, std::span<const std::byte> frame, Content content) {
  if (node_.is_here()) return read(*Worker::current(), from, frame, std::move(content));
  std::vector<std::byte> copy(frame.begin(), frame.end());
  const LeaseId self = this->self();
  reader_of(from).post(command([this, self, from, copy = std::move(copy), content](Worker& at) {
    if (self == this->self())
      read(at, from, copy, Content(content));  // otherwise nothing of it is known any more
  }));
}

void Remote::on_too_large(LeaseId from, std::span<const std::byte> frame) {
  if (!node_.is_here()) {
    std::vector<std::byte> copy(frame.begin(), frame.end());
    return reader_of(from).post(
        command([this, self = self(), from, copy = std::move(copy)](Worker&) {
          if (self == this->self()) on_too_large(from, copy);
        }));
  }
  Peer& other = peer(from);
  other.is_cut = true;
  read(*Worker::current(), from, frame, {});
  other.is_cut = false;
}

std::size_t Remote::content_limit() const noexcept { return node_.options().content_limit; }

// Reads a frame of the most common form. Returns false, and does nothing, for any other frame;
// read_message() then decides whether that frame makes sense.
bool Remote::read_short(Worker& at, LeaseId from, std::span<const std::byte> frame,
                        Content& content) {
  FrameReader in(frame);
  const std::optional<std::uint64_t> word = in.next_word();
  if (!word || !ShortHead::is(*word)) return false;
  in.skip(sizeof *word);
  const ShortHead head = ShortHead::of(*word);
  const Conversation conversation = in.number();
  const std::uint8_t type = in.byte();
  Peer& other = peer(from);
  const std::size_t target_index = std::size_t{head.target} - first_number;
  const std::size_t source_index = std::size_t{head.source} - first_number;
  if (!in.ok() || !in.at_end() || other.is_cut || target_index >= other.heard.size() ||
      source_index >= other.heard.size() || content.size() > node_.options().content_limit) {
    return false;
  }
  ReceivedName& target = other.heard[target_index];
  ReceivedName& source = other.heard[source_index];
  if (target.mailbox == nullptr || !source.is_its_own || other.is_over) return false;
  if (type == text_content) {
    content = renamed(std::move(content), text_type);
  } else if (type == no_content ? content.size() != 0
                                : type != bytes_content || content.block() == nullptr) {
    return false;
  }
  target.serial += head.serial_step;
  source.sequence += head.sequence_step;
  MessageRecord* const record = allocate_record();
  record->source = source.mailbox;
  record->target = target.mailbox;
  record->content = content.release();
  record->conversation = conversation;
  record->flags = static_cast<std::uint16_t>(head.flags | foreign_flag);
  if (!at.is_observed()) set_flag(*record, simple_flag);
  record->set_sequence(source.sequence);
  record->fields = new OptionalFields;
  record->fields->origin = from;
  record->fields->serial = target.serial;
  record->fields->life = target.life;
  record->fields->asking_life = source.asks_in;
  arrive(at, record);
  return true;
}

// Takes in a message for a mailbox here.
void Remote::arrive(Worker& at, MessageRecord* record) {
  ++at.flow.received;
  Mailbox& target = *record->target;
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != &at) return at.forward(home, record);
  at.take_in(target, record);
}

void Remote::read(Worker& at, LeaseId from, std::span<const std::byte> frame, Content&& content) {
  if (read_short(at, from, frame, content)) return;
  if (!is_listened_to(peer(from))) return;
  FrameReader in(frame);
  bool is_good = false;
  const std::uint8_t kind = in.byte();
  // For other kinds, the work of other workers must come behind the earlier messages: these are
  // published. Reports are sent once in a turn, not between those that have come.
  const bool stays_here = kind == reports_frame && node_.worker_count() == 1;
  const bool is_message = kind == message_frame || kind == store_message_frame;
  if (!is_message && !stays_here) at.publish();
  try {
    switch (kind) {
      case message_frame:
        is_good = read_message(at, from, in, std::move(content));
        break;
      case reports_frame:
        is_good = read_reports(at, from, in);
        break;
      case closed_frame:
        is_good = read_closed(at, from, in);
        break;
      case slot_request_frame:
        is_good = read_slot_request(at, from, in, std::move(content));
        break;
      case slot_withdrawal_frame:
        is_good = read_slot_withdrawal(at, from, in);
        break;
      case slot_answer_frame:
        is_good = read_slot_answer(at, from, in);
        break;
      case mailbox_frame:
        is_good = read_mailbox(at, from, in);
        break;
      case probe_frame:
        is_good = read_probe(at, from, in);
        break;
      case greeting_frame:
        is_good = read_hello(from, in);
        break;
      case tap_frame:
        is_good = read_tap(at, from, in);
        break;
      case no_tap_frame:
        is_good = read_no_tap(from, in);
        break;
      case answer_frame:
        is_good = read_answer(from, in);
        break;
      case store_state_frame:
        is_good = read_store(from, in);
        break;
      case hand_over_frame:
        is_good = read_hand_over(at, from, in, std::move(content));
        break;
      case taken_over_frame:
        is_good = read_taken_over(in, from);
        break;
      case store_message_frame:
        is_good = read_store_message(at, from, in, std::move(content));
        break;
      default:
        is_good = read_question(at, kind, from, in);
        break;
    }
  } catch (const Error& error) {
    return refuse(from, error.sentence());
  }
  if (!is_good) refuse(from, "a frame that cannot be understood");
}

// The names of the peer are known in part only, so nothing more from it can be understood.
void Remote::refuse(LeaseId from, const std::string& why) {
  peer(from).is_over = true;
  transport_.refuse(from, why);
}

void Remote::on_excess(LeaseId lease) {
  if (peer(lease).excesses.fetch_add(1) + 1 != excesses_limit) return;
  reader_of(lease).post(command([this, lease](Worker&) {
    refuse(lease,
           "it has asked for more than its share " + std::to_string(excesses_limit) + " times");
  }));
}

// `passing` is for a name that is not kept. A name in a frame does not make a record here.
Remote::ReceivedName* Remote::hear_name(Peer& from, FrameReader& in, ReceivedName& passing) {
  const std::uint64_t number = in.number();
  if (!in.ok()) return nullptr;
  if (number >= first_number) {
    const std::uint64_t index = number - first_number;
    return index < from.heard.size() ? &from.heard[static_cast<std::size_t>(index)] : nullptr;
  }
  const std::string_view name = in.text();
  if (!in.ok() || !Name::parse(name)) return nullptr;
  if (number == new_name && from.heard.size() >= names_sent_limit) return nullptr;
  ReceivedName& heard = number == new_name ? from.heard.emplace_back() : passing;
  heard.spelled = std::make_unique<const std::string>(name);
  return &heard;
}

Mailbox* Remote::known(ReceivedName& heard) {
  if (heard.mailbox != nullptr || !heard.spelled) return heard.mailbox;
  if (Mailbox* const found = node_.mailboxes().find(*heard.spelled)) heard.has_mailbox(*found);
  return heard.mailbox;
}

// Reads a name; `mailbox` is nullptr when it has no record here. False when it makes no sense.
bool Remote::read_known(Peer& from, FrameReader& in, Mailbox*& mailbox) {
  ReceivedName passing;
  ReceivedName* const heard = hear_name(from, in, passing);
  if (heard == nullptr) return false;
  mailbox = known(*heard);
  return true;
}

// Notes the source of the message in `source`; the source is still to be proved.
MessageRecord* Remote::read_record(Worker& at, Peer& from, FrameReader& in, Content content,
                                   Source& source) {
  const std::uint8_t bits = in.byte();
  ReceivedName passing, answered;
  ReceivedName* const heard = (bits & has_source) != 0 ? hear_name(from, in, passing) : &passing;
  if (heard == nullptr) return nullptr;
  source.name = heard->name();
  source.heard = heard != &passing ? heard : nullptr;
  ReceivedName* const reply_to =
      (bits & has_reply_to) != 0 ? hear_name(from, in, answered) : nullptr;
  if ((bits & has_reply_to) != 0 && reply_to == nullptr) return nullptr;
  const std::uint64_t flags = in.number_up_to(travelling_flags);
  const std::uint64_t sequence = heard->sequence += in.number();
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
      from.is_cut || (from.lease != 0 && content.size() > node_.options().content_limit);
  if (is_too_large) content = {};
  else if (!type.empty()) content = renamed(std::move(content), type);
  std::unique_ptr<OptionalFields> fields(
      new OptionalFields);  // not make_unique, which fills it with zeros
  if ((bits & has_fields) != 0 && !read_fields(in, *fields, at.now())) return nullptr;
  if ((bits & has_asking_life) != 0) heard->asks_in = read_life(in);
  fields->asking_life = heard->asks_in;
  if (!in.ok() || !in.at_end() || ((flags & gap_flag) != 0) != (fields->gap != 0)) return nullptr;
  if (reply_to != nullptr) fields->reply_to = record_of(at, from, reply_to->name());
  const bool has_no_room = reply_to != nullptr && fields->reply_to == nullptr;
  const bool is_told_of = (flags & (copy_flag | gap_flag | letter_flag)) == 0;
  fields->tracked = (bits & is_tracked) != 0 && is_told_of;
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

bool Remote::read_message(Worker& at, LeaseId from, FrameReader& in, Content content) {
  Peer& other = peer(from);
  ReceivedName passing;
  ReceivedName* const heard = hear_name(other, in, passing);
  if (heard == nullptr) return false;
  const std::uint64_t serial = heard->serial += in.number();
  const Incarnation life = read_life(in, heard->life);
  Source source;
  Mailbox* const mailbox = known(*heard);
  const Name target = heard->name();
  source.target = target;
  MessageRecord* const record = read_record(at, other, in, std::move(content), source);
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
  if (speaks_as(at, other, source, *record) || is_letter) {
    take_message(at, from, record, target, serial, life);
    return true;
  }
  when_proven(at, other, source, record,
              [this, from, target, serial, life](Worker& here, MessageRecord* proven) {
                take_message(here, from, proven, target, serial, life);
              });
  return true;
}

// Takes in a message whose source is known. Without a target, its name has no record here.
void Remote::take_message(Worker& at, LeaseId from, MessageRecord* record, const Name& target,
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
    if ((record->flags & gap_flag) == 0) ++at.flow.copies_received;
    return says_nothing ? at.end_record(record, Outcome::refused) : at.route_copy(record);
  }
  if (is_letter) {
    return at_home(*record->target,
                   [record](Worker& home, Mailbox& there) { home.arrive_at(there, record); });
  }
  set_flag(*record, foreign_flag);
  record->fields->origin = from;
  record->fields->serial = serial;
  record->fields->life = life;
  arrive(at, record);
}

// No agent here ever had that name: the sender's news is old, or it has none.
void Remote::send_back(LeaseId to, const Name& target, std::uint64_t serial, Incarnation life) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(reports_frame);
  spell(out, target.view());
  out.byte(static_cast<std::uint8_t>(ReportKind::unread));
  out.number(serial);
  out.number(1);
  transport_.send(self(), to, frame, {}, nullptr);
  frame.clear();
  out.byte(closed_frame);
  spell(out, target.view());
  out.number(number_of_life(life));
  out.byte(static_cast<std::uint8_t>(EndReason::stopped));
  out.text({});
  transport_.send(self(), to, frame, {}, nullptr);
}

}  // namespace coracle::detail
