// What a node hears from other nodes. Nothing of it is believed before it has been looked at: a
// frame that makes no sense ends the link, and nothing else.
#include "runtime/entrusting.hpp"
#include "runtime/node_core.hpp"
#include "runtime/planted.hpp"
#include "runtime/probe.hpp"
#include "runtime/remote_frames.hpp"

namespace coracle::detail {

namespace {

constexpr std::uint64_t headers_limit = 1024;
constexpr std::uint64_t marks_limit = std::uint64_t{1} << 32;

bool read_extras(FrameReader& in, Extras& extras, Time present) {
  const std::string_view target = in.text();
  if (!target.empty()) {
    const Result<Name> name = Name::parse(target);
    if (!name) return false;
    extras.target_name = *name;
  }
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
  extras.deliveries = static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0}));
  extras.gap = in.number();
  extras.ear = in.number();
  extras.entry = in.number();
  extras.redirects = static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0}));
  return in.ok();
}

}  // namespace

void Remote::on_frame(LeaseId from, std::span<const std::byte> frame, Content content) {
  if (node_.is_here()) return read(*Worker::current(), from, frame, std::move(content));
  std::vector<std::byte> copy(frame.begin(), frame.end());
  Worker& reader = node_.worker(static_cast<std::size_t>(from % node_.worker_count()));
  const LeaseId self = this->self();
  reader.post(command([this, self, from, copy = std::move(copy), content](Worker& at) {
    if (self == this->self())
      read(at, from, copy, Content(content));  // else nothing of it is known any more
  }));
}

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
  if (!in.ok() || !in.at_end() || target_index >= other.heard.size() ||
      source_index >= other.heard.size() || content.size() > node_.options().content_limit) {
    return false;
  }
  if (type == text_content) {
    content = renamed(std::move(content), text_type);
  } else if (type == no_content ? content.size() != 0
                                : type != bytes_content || content.block() == nullptr) {
    return false;
  }
  Heard& target = other.heard[target_index];
  Heard& source = other.heard[source_index];
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
        is_good = read_question(kind, from, in);
        break;
    }
  } catch (const Error& error) {
    return links_.refuse(from, error.sentence());
  }
  if (!is_good) links_.refuse(from, "a frame that makes no sense");
}

// `passing` is for a name that is not kept.
Remote::Heard* Remote::hear_name(Worker& at, Peer& from, FrameReader& in, Heard& passing) {
  const std::uint64_t number = in.number();
  if (!in.ok()) return nullptr;
  if (number >= first_number) {
    const std::uint64_t index = number - first_number;
    return index < from.heard.size() ? &from.heard[static_cast<std::size_t>(index)] : nullptr;
  }
  const Result<Name> name = Name::parse(in.text());
  if (!in.ok() || !name) return nullptr;
  Party* const party = node_.party(name->view(), at);
  if (number == new_name) {
    if (from.heard.size() >= names_told_limit) return nullptr;
    return &from.heard.emplace_back(Heard{party, {}});
  }
  passing = Heard{party, {}};
  return &passing;
}

Party* Remote::read_name(Worker& at, Peer& from, FrameReader& in) {
  Heard passing;
  const Heard* const heard = hear_name(at, from, in, passing);
  return heard != nullptr ? heard->party : nullptr;
}

Parcel* Remote::read_parcel(Worker& at, Peer& from, FrameReader& in, Content content) {
  const std::uint8_t bits = in.byte();
  Heard passing;
  Heard* const heard = (bits & has_source) != 0 ? hear_name(at, from, in, passing) : &passing;
  if (heard == nullptr) return nullptr;
  Party* const source = heard->party;
  Party* const reply_to = (bits & has_reply_to) != 0 ? read_name(at, from, in) : nullptr;
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
  if (!in.ok() || content.size() > node_.options().content_limit) return nullptr;
  if (!type.empty()) content = renamed(std::move(content), type);
  std::unique_ptr<Extras> extras(new Extras);  // not make_unique, which fills it with zeros
  if ((bits & has_extras) != 0 && !read_extras(in, *extras, at.now())) return nullptr;
  if (!in.ok() || !in.at_end()) return nullptr;
  extras->reply_to = reply_to;
  extras->tracked = (bits & is_tracked) != 0;
  Parcel* const parcel = new_parcel();
  parcel->source = source;
  parcel->content = content.release();
  parcel->conversation = conversation;
  parcel->extras = extras.release();
  parcel->set_sequence(sequence);
  parcel->flags = static_cast<std::uint16_t>(flags & travelling_flags);
  if ((bits & is_forbidden) != 0) set_flag(*parcel, forbidden_flag);
  return parcel;
}

bool Remote::read_message(Worker& at, LeaseId from, FrameReader& in, Content content) {
  Peer& other = peer(from);
  Heard passing;
  Heard* const heard = hear_name(at, other, in, passing);
  if (heard == nullptr) return false;
  Party* const target = heard->party;
  const std::uint64_t serial = heard->serial += in.number();
  const Incarnation life = read_life(in, heard->life);
  Parcel* const parcel = read_parcel(at, other, in, std::move(content));
  if (parcel == nullptr) return false;
  parcel->target = target;
  if (is_copy(*parcel) && planted(Bug::copy_forgotten)) {
    ++at.flow.copies_received;
    return free_parcel(parcel), true;
  }
  if (is_copy(*parcel)) {
    if ((parcel->flags & gap_flag) == 0) ++at.flow.copies_received;
    if ((parcel->flags & forbidden_flag) != 0) {
      at.end_parcel(parcel, Outcome::refused);
    } else {
      at.route_copy(parcel);
    }
    return true;
  }
  if ((parcel->flags & letter_flag) != 0) {
    if ((parcel->flags & forbidden_flag) != 0) return free_parcel(parcel), true;
    at_home(*target, [parcel](Worker& home, Party& there) { home.arrive_at(there, parcel); });
    return true;
  }
  set_flag(*parcel, foreign_flag);
  parcel->extras->origin = from;
  parcel->extras->serial = serial;
  parcel->extras->life = life;
  arrive(at, parcel);
  return true;
}

bool Remote::read_knock(Worker& at, LeaseId from, FrameReader& in, Content content) {
  Peer& other = peer(from);
  Heard passing;
  Heard* const heard = hear_name(at, other, in, passing);
  const std::uint64_t number = in.number();
  if (heard == nullptr || number == 0) return false;
  (void)read_life(in, heard->life);
  Party* const target = heard->party;
  Parcel* const likeness = read_parcel(at, other, in, std::move(content));
  if (likeness == nullptr) return false;
  likeness->target = target;
  at_home(*target, [from, number, likeness](Worker& home, Party& there) {
    home.on_knock(there, from, number, likeness);
  });
  return true;
}

bool Remote::read_unknock(Worker& at, LeaseId from, FrameReader& in) {
  Party* const target = read_name(at, peer(from), in);
  const std::uint64_t number = in.number();
  if (target == nullptr || !in.ok()) return false;
  at_home(*target,
          [from, number](Worker& home, Party& there) { home.on_unknock(there, from, number); });
  return true;
}

bool Remote::read_knock_answer(Worker& at, LeaseId from, FrameReader& in) {
  Party* const target = read_name(at, peer(from), in);
  const std::uint64_t number = in.number();
  const std::uint8_t answer = in.byte();
  if (target == nullptr || !in.ok() || answer > show_all) return false;
  at_home(*target, [from, number, answer](Worker& home, Party& there) {
    home.on_answer(there, from, number, answer);
  });
  return true;
}

bool Remote::read_marks(Worker& at, LeaseId from, FrameReader& in) {
  Peer& other = peer(from);
  const bool is_of_keeper = node_.entrusts() && from == keeper();
  while (!in.at_end()) {
    Party* party = read_name(at, other, in);
    const std::uint8_t mark = in.byte();
    const std::uint64_t first = in.number();
    const std::uint64_t count = in.number_up_to(marks_limit);
    if (party == nullptr || !in.ok() || mark > last_mark) return false;
    if (Party* const there =
            is_of_keeper ? node_.entrusting_parties().find(party->name.view()) : nullptr)
      party = there;
    at_home(*party, [from, mark, first, count](Worker& home, Party& there) {
      home.on_mark(there, from, mark, first, count);
    });
  }
  return true;
}

bool Remote::read_closed(Worker& at, LeaseId from, FrameReader& in) {
  Party* const party = read_name(at, peer(from), in);
  const Incarnation life = read_life(in);
  const std::uint8_t reason = in.byte();
  std::string text(in.text());
  if (party == nullptr || !in.ok() || reason > static_cast<std::uint8_t>(EndReason::fenced)) {
    return false;
  }
  const Ending ending(party->name, life, static_cast<EndReason>(reason), std::move(text));
  if (node_.entrusts() && from == keeper()) return tell_askers(node_, *party, ending), true;
  at_home(*party, [from, ending](Worker& home, Party& there) {
    home.on_holder_closed(there, from, ending);
  });
  return true;
}

bool Remote::read_mailbox(Worker& at, LeaseId from, FrameReader& in) {
  Party* const party = read_name(at, peer(from), in);
  const MailboxOptions mailbox = detail::read_mailbox(in);
  if (party == nullptr || !in.ok()) return false;
  at_home(*party,
          [from, mailbox](Worker& home, Party& there) { home.on_mailbox(there, from, mailbox); });
  return true;
}

bool Remote::read_probe(Worker& at, LeaseId from, FrameReader& in) {
  Peer& other = peer(from);
  auto probe = std::make_unique<Probe>();
  probe->origin = read_name(at, other, in);
  probe->serial = in.number();
  probe->at = read_name(at, other, in);
  probe->hops = static_cast<int>(in.number_up_to(probe_hops_limit));
  probe->path = in.text();
  if (probe->origin == nullptr || probe->at == nullptr || !in.ok()) return false;
  if (probe->path.size() > probe_path_limit) return false;
  at.follow(probe.release());
  return true;
}

}  // namespace coracle::detail
