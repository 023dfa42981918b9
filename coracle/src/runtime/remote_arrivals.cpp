// What a node hears from other nodes. Nothing of it is believed before it has been looked at: a
// frame that makes no sense ends the link, and nothing else.
#include "runtime/entrusting.hpp"
#include "runtime/node_core.hpp"
#include "runtime/planted.hpp"
#include "runtime/remote_frames.hpp"

namespace coracle::detail {

namespace {

constexpr std::uint64_t headers_limit = 1024;
constexpr unsigned excesses_limit = 1000;

// A name, or nothing.
Name read_optional_name(FrameReader& in) {
  const std::string_view text = in.text();
  if (text.empty()) return {};
  Result<Name> name = Name::parse(text);
  if (name) return *std::move(name);
  in.fail();
  return {};
}

bool read_extras(FrameReader& in, Extras& extras, Time present) {
  extras.target_name = read_optional_name(in);
  for (std::uint64_t left = in.number_up_to(headers_limit); left != 0 && in.ok(); --left) {
    std::string key(in.text());
    extras.headers.emplace_back(std::move(key), in.text());
  }
  constexpr std::uint64_t longest = std::uint64_t{1} << 60;
  const std::uint64_t left = in.number_up_to(longest);
  if (left != 0) extras.deadline = present + Duration(static_cast<Duration::rep>(left));
  extras.trace.trace_high = in.number();
  extras.trace.trace_low = in.number();
  extras.trace.span = in.number();
  extras.deliveries = static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0} / 2));
  extras.gap = in.number_up_to(largest_gap);
  extras.ear = in.number();
  extras.entry = in.number();
  extras.redirects = static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0}));
  if (extras.redirects != 0) extras.redirected_by = read_optional_name(in);
  return in.ok();
}

// What a message is to its node; a copy, a gap and a letter are nothing else besides.
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
      read(at, from, copy, Content(content));  // else nothing of it is known any more
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

// Most messages: false when this is none of them, and then nothing was done. What makes no sense is
// for read_message() to say.
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
  Heard& target = other.heard[target_index];
  Heard& source = other.heard[source_index];
  if (target.party == nullptr || !source.is_its_own || other.is_over) return false;
  if (type == text_content) {
    content = renamed(std::move(content), text_type);
  } else if (type == no_content ? content.size() != 0
                                : type != bytes_content || content.block() == nullptr) {
    return false;
  }
  target.serial += head.serial_step;
  source.sequence += head.sequence_step;
  Parcel* const parcel = new_record();
  parcel->source = source.party;
  parcel->target = target.party;
  parcel->content = content.release();
  parcel->conversation = conversation;
  parcel->flags = static_cast<std::uint16_t>(head.flags | foreign_flag);
  if (!at.is_observed()) set_flag(*parcel, simple_flag);
  parcel->set_sequence(source.sequence);
  parcel->extras = new Extras;
  parcel->extras->origin = from;
  parcel->extras->serial = target.serial;
  parcel->extras->life = target.life;
  parcel->extras->asking_life = source.asks_in;
  arrive(at, parcel);
  return true;
}

// A message for a mailbox here.
void Remote::arrive(Worker& at, Parcel* parcel) {
  ++at.flow.received;
  Party& target = *parcel->target;
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != &at) return at.forward(home, parcel);
  at.take_in(target, parcel);
}

void Remote::read(Worker& at, LeaseId from, std::span<const std::byte> frame, Content&& content) {
  if (read_short(at, from, frame, content)) return;
  if (!is_heard(peer(from))) return;
  FrameReader in(frame);
  bool is_good = false;
  const std::uint8_t kind = in.byte();
  // What other workers do for the other kinds comes behind the messages that came before. Marks are
  // said once in a turn, not between those that have come.
  const bool stays_here = kind == marks_frame && node_.worker_count() == 1;
  const bool is_message = kind == message_frame || kind == entrust_frame;
  if (!is_message && !stays_here) at.publish();
  try {
    switch (kind) {
      case message_frame:
        is_good = read_message(at, from, in, std::move(content));
        break;
      case marks_frame:
        is_good = read_marks(at, from, in);
        break;
      case closed_frame:
        is_good = read_closed(at, from, in);
        break;
      case knock_frame:
        is_good = read_knock(at, from, in, std::move(content));
        break;
      case unknock_frame:
        is_good = read_unknock(at, from, in);
        break;
      case knock_answer_frame:
        is_good = read_knock_answer(at, from, in);
        break;
      case mailbox_frame:
        is_good = read_mailbox(at, from, in);
        break;
      case probe_frame:
        is_good = read_probe(at, from, in);
        break;
      case hello_frame:
        is_good = read_hello(from, in);
        break;
      case ear_frame:
        is_good = read_ear(at, from, in);
        break;
      case no_ear_frame:
        is_good = read_no_ear(from, in);
        break;
      case answer_frame:
        is_good = read_answer(from, in);
        break;
      case keeper_frame:
        is_good = read_keeper(from, in);
        break;
      case hand_over_frame:
        is_good = read_hand_over(at, from, in, std::move(content));
        break;
      case taken_over_frame:
        is_good = read_taken_over(in, from);
        break;
      case entrust_frame:
        is_good = read_entrusted(at, from, in, std::move(content));
        break;
      default:
        is_good = read_question(at, kind, from, in);
        break;
    }
  } catch (const Error& error) {
    return refuse(from, error.sentence());
  }
  if (!is_good) refuse(from, "a frame that makes no sense");
}

// What it has told is known in part only, so nothing more of it can be understood.
void Remote::refuse(LeaseId from, const std::string& why) {
  peer(from).is_over = true;
  links_.refuse(from, why);
}

void Remote::on_excess(LeaseId lease) {
  if (peer(lease).excesses.fetch_add(1) + 1 != excesses_limit) return;
  reader_of(lease).post(command([this, lease](Worker&) {
    refuse(lease,
           "it has asked for more than its share " + std::to_string(excesses_limit) + " times");
  }));
}

// `passing` is for a name that is not kept. That a peer says a name makes no record of it here.
Remote::Heard* Remote::hear_name(Peer& from, FrameReader& in, Heard& passing) {
  const std::uint64_t number = in.number();
  if (!in.ok()) return nullptr;
  if (number >= first_number) {
    const std::uint64_t index = number - first_number;
    return index < from.heard.size() ? &from.heard[static_cast<std::size_t>(index)] : nullptr;
  }
  const std::string_view name = in.text();
  if (!in.ok() || !Name::parse(name)) return nullptr;
  if (number == new_name && from.heard.size() >= names_told_limit) return nullptr;
  Heard& heard = number == new_name ? from.heard.emplace_back() : passing;
  heard.spelled = std::make_unique<const std::string>(name);
  return &heard;
}

Party* Remote::known(Heard& heard) {
  if (heard.party != nullptr || !heard.spelled) return heard.party;
  if (Party* const record = node_.parties().find(*heard.spelled)) heard.is_recorded_as(*record);
  return heard.party;
}

// A name that is spoken of; nullptr when it has no record here. False when it makes no sense.
bool Remote::read_known(Peer& from, FrameReader& in, Party*& party) {
  Heard passing;
  Heard* const heard = hear_name(from, in, passing);
  if (heard == nullptr) return false;
  party = known(*heard);
  return true;
}

// Its source is noted in `source`, and is to be proved.
Parcel* Remote::read_parcel(Worker& at, Peer& from, FrameReader& in, Content content,
                            Source& source) {
  const std::uint8_t bits = in.byte();
  Heard passing, answered;
  Heard* const heard = (bits & has_source) != 0 ? hear_name(from, in, passing) : &passing;
  if (heard == nullptr) return nullptr;
  source.name = heard->name();
  source.heard = heard != &passing ? heard : nullptr;
  Heard* const reply_to = (bits & has_reply_to) != 0 ? hear_name(from, in, answered) : nullptr;
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
  // A message that this node has kept itself was not too large when it came.
  const bool is_too_large =
      from.is_cut || (from.lease != 0 && content.size() > node_.options().content_limit);
  if (is_too_large) content = {};
  else if (!type.empty()) content = renamed(std::move(content), type);
  std::unique_ptr<Extras> extras(new Extras);  // not make_unique, which fills it with zeros
  if ((bits & has_extras) != 0 && !read_extras(in, *extras, at.now())) return nullptr;
  if ((bits & has_asking_life) != 0) heard->asks_in = read_life(in);
  extras->asking_life = heard->asks_in;
  if (!in.ok() || !in.at_end() || ((flags & gap_flag) != 0) != (extras->gap != 0)) return nullptr;
  if (reply_to != nullptr) extras->reply_to = record_of(at, from, reply_to->name());
  const bool has_no_room = reply_to != nullptr && extras->reply_to == nullptr;
  const bool is_told_of = (flags & (copy_flag | gap_flag | letter_flag)) == 0;
  extras->tracked = (bits & is_tracked) != 0 && is_told_of;
  extras->is_earlier = is_earlier;
  Parcel* const parcel = new_parcel();
  parcel->content = content.release();
  parcel->conversation = conversation;
  parcel->extras = extras.release();
  parcel->set_sequence(sequence);
  parcel->flags = static_cast<std::uint16_t>(flags & travelling_flags);
  if ((bits & is_forbidden) != 0 || has_no_room) set_flag(*parcel, forbidden_flag);
  if (is_too_large) set_flag(*parcel, oversize_flag);
  return parcel;
}

bool Remote::read_message(Worker& at, LeaseId from, FrameReader& in, Content content) {
  Peer& other = peer(from);
  Heard passing;
  Heard* const heard = hear_name(other, in, passing);
  if (heard == nullptr) return false;
  const std::uint64_t serial = heard->serial += in.number();
  const Incarnation life = read_life(in, heard->life);
  Source source;
  Party* const record = known(*heard);
  const Name target = heard->name();
  source.target = target;
  Parcel* const parcel = read_parcel(at, other, in, std::move(content), source);
  if (parcel == nullptr) return false;
  parcel->target = record;
  clear_flag(*parcel, withheld_flag);  // only what knocks comes without its content
  const bool is_letter = (parcel->flags & letter_flag) != 0;
  if (is_letter && target != Node::dead_letters()) return free_parcel(parcel), false;
  if ((parcel->flags & gap_flag) != 0 && !planted(Bug::any_gap)) {
    // It says how many were missed, and nothing else.
    Content::adopt(std::exchange(parcel->content, nullptr));
    source = {};
    parcel->source = parcel->target;
  }
  const bool may_be_of_nobody = is_letter || (parcel->flags & gap_flag) != 0;
  if (source.name.empty() && !may_be_of_nobody) return free_parcel(parcel), false;
  if (speaks_as(at, other, source, *parcel) || is_letter) {
    take_message(at, from, parcel, target, serial, life);
    return true;
  }
  when_proven(at, other, source, parcel,
              [this, from, target, serial, life](Worker& here, Parcel* proven) {
                take_message(here, from, proven, target, serial, life);
              });
  return true;
}

// It is known who has sent it. Without a target it is for a name that has no record here.
void Remote::take_message(Worker& at, LeaseId from, Parcel* parcel, const Name& target,
                          std::uint64_t serial, Incarnation life) {
  const bool says_nothing = is_emptied(*parcel);
  const bool is_letter = (parcel->flags & letter_flag) != 0;
  if (parcel->target == nullptr || (is_letter && says_nothing)) {
    const bool is_ordinary = is_counted(*parcel);
    free_parcel(parcel);
    if (is_ordinary) send_back(from, target, serial, life);
    return;
  }
  if (is_copy(*parcel)) {
    if (planted(Bug::copy_forgotten)) return ++at.flow.copies_received, free_parcel(parcel);
    if ((parcel->flags & gap_flag) == 0) ++at.flow.copies_received;
    return says_nothing ? at.end_parcel(parcel, Outcome::refused) : at.route_copy(parcel);
  }
  if (is_letter) {
    return at_home(*parcel->target,
                   [parcel](Worker& home, Party& there) { home.arrive_at(there, parcel); });
  }
  set_flag(*parcel, foreign_flag);
  parcel->extras->origin = from;
  parcel->extras->serial = serial;
  parcel->extras->life = life;
  arrive(at, parcel);
}

// Nobody here ever had that name: its sender has old news, or none.
void Remote::send_back(LeaseId to, const Name& target, std::uint64_t serial, Incarnation life) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(marks_frame);
  spell(out, target.view());
  out.byte(static_cast<std::uint8_t>(Mark::unread));
  out.number(serial);
  out.number(1);
  links_.send(self(), to, frame, {});
  frame.clear();
  out.byte(closed_frame);
  spell(out, target.view());
  out.number(number_of_life(life));
  out.byte(static_cast<std::uint8_t>(EndReason::stopped));
  out.text({});
  links_.send(self(), to, frame, {});
}

}  // namespace coracle::detail
