#include "checkpoint.hpp"

#include "coracle/node.hpp"
#include "coracle/support/bytes.hpp"
#include "coracle/support/core_frames.hpp"
#include "coracle/support/mutations.hpp"
#include "realizations/net/src/society/directory/directory_frames.hpp"

#include <optional>

namespace coracle::society {

namespace {

using namespace detail;

// Returns the name that comes next; nullopt when it is malformed.
std::optional<Name> next_name(FrameReader& in, std::vector<Name>& known) {
  const std::uint64_t number = in.number();
  if (!in.ok()) return std::nullopt;
  if (number >= first_number) {
    const std::uint64_t index = number - first_number;
    if (index >= known.size()) return std::nullopt;
    return known[static_cast<std::size_t>(index)];
  }
  Result<Name> name = Name::parse(in.text());
  if (!in.ok() || !name) return std::nullopt;
  if (number == new_name) {
    if (known.size() >= names_sent_limit) return std::nullopt;
    known.push_back(*name);
  }
  return *std::move(name);
}

// Forgets the names of a malformed frame: its receiver does not get the frame.
class Learning {
 public:
  explicit Learning(std::vector<Name>& known) : known_(known), before_(known.size()) {}
  void forget() { known_.resize(before_); }

 private:
  std::vector<Name>& known_;
  const std::size_t before_;
};

// Records the names of frames that carry no message to an agent.
bool learn_names(FrameReader& in, std::uint8_t kind, std::vector<Name>& known) {
  if (kind == reports_frame) {
    while (in.ok() && !in.at_end()) {
      if (!next_name(in, known)) return false;
      (void)in.byte();
      (void)in.number();
      (void)in.number();
    }
    return in.ok();
  }
  if (!next_name(in, known)) return false;
  if (kind != probe_frame) return true;
  (void)in.number();
  return next_name(in, known).has_value();
}

}  // namespace

struct FrameAsked {
  Name target, source;
  std::size_t bits_at = 0, type_at = 0;  // positions in the frame
  std::uint64_t flags = 0;
  bool is_emptied = false;  // by its sender's node
  bool has_fields = false;
  bool has_content = false;
  bool is_to_be_kept = false;  // true for the message store
  Name addressed_to;           // from the optional fields
  std::uint64_t entry = 0;     // from the optional fields
  std::uint64_t redirects = 0;
  Name redirected_by;
};

namespace {

// Reads from the optional fields the addressee, the entry in the message store, and the
// redirection.
bool read_fields(FrameReader& in, FrameAsked& asked) {
  asked.addressed_to = read_name(in);
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    (void)in.text();
    (void)in.text();
  }
  // Skips time, trace and deliveries; the count of missed copies; the tap.
  for (int skipped = 0; skipped < 7; ++skipped) (void)in.number();
  asked.entry = in.number();
  asked.redirects = in.number();
  if (asked.redirects != 0) asked.redirected_by = read_name(in);
  return in.ok();
}

// Reads a message, a slot request, or a record that is handed over or sent to the message store.
std::optional<FrameAsked> read_asked(ByteSpan frame, std::vector<Name>& of_both) {
  FrameReader in(frame);
  const std::uint8_t kind = in.byte();
  const bool is_handed_over = kind == hand_over_frame;
  std::vector<Name> none;
  std::vector<Name>& known = is_handed_over ? none : of_both;  // such a frame is stored as it is
  FrameAsked asked;
  const auto skip_two = [&in] { return in.number(), in.number(); };
  if (is_handed_over) (void)skip_two();  // place and time; else slot and incarnation
  const auto target = next_name(in, known);
  if (!is_handed_over) (void)skip_two();
  if (kind == store_message_frame) (void)in.number();  // the time
  asked.bits_at = frame.size() - in.left();
  const std::uint8_t bits = in.byte();
  const auto source = (bits & has_source) != 0 ? next_name(in, known) : Name();
  const auto reply_to = (bits & has_reply_to) != 0 ? next_name(in, known) : Name();
  if (!in.ok() || !target || !source || !reply_to) return std::nullopt;
  asked.is_to_be_kept = is_handed_over || kind == store_message_frame;
  asked.target = *target;
  asked.source = *source;
  asked.is_emptied = (bits & is_forbidden) != 0;
  asked.flags = in.number();
  (void)in.number();
  (void)in.number();
  asked.type_at = frame.size() - in.left();
  const std::uint8_t type = in.byte();
  asked.has_content = type != no_content;
  if (type == named_content) (void)in.text();
  asked.has_fields = (bits & has_fields) != 0;
  if (!in.ok() || (asked.has_fields && !read_fields(in, asked))) return std::nullopt;
  return asked;
}

// Writes the same frame without its content; never longer than it was.
void write_emptied(Bytes& out, ByteSpan frame, const FrameAsked& asked) {
  out.assign(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(asked.type_at));
  out[asked.bits_at] &= ~static_cast<std::byte>(has_asking_life | has_note);
  out[asked.bits_at] |= static_cast<std::byte>(is_forbidden);
  FrameWriter writer(out);
  writer.byte(no_content);
  if (!asked.has_fields) return;
  writer.text({});
  for (int nothing = 0; nothing < 8; ++nothing) writer.number(0);
  writer.number(asked.entry);
  writer.number(0);
}

}  // namespace

Checkpoint::Pair& Checkpoint::pair_of(const Leases& leases) {
  const auto [pair, is_new] = pairs_.try_emplace({leases.from, leases.to});
  if (is_new) pairs_.try_emplace({leases.to, leases.from});
  return pair->second;
}

Checkpoint::Ruling Checkpoint::rule(const Leases& leases, ByteSpan piece) {
  if (piece.empty()) return Ruling::nonsense;
  Pair& pair = pair_of(leases);
  if (!is_piece(piece)) return rule_on_frame(leases, pair, piece);
  FrameReader in(piece);
  const bool is_first = in.byte() == static_cast<std::uint8_t>(first_piece);
  const std::uint8_t place = in.byte();
  if (!in.ok() || place >= piece_places) return Ruling::nonsense;
  bool& is_emptied = pair.is_emptied[place];
  if (!is_first) return is_emptied ? Ruling::dropped : Ruling::passes;
  const std::uint64_t head = in.number();
  (void)in.number();
  // A head that is split into pieces could not be judged; no honest node sends such a large one.
  if (!in.ok() || head == 0 || head > in.left()) return Ruling::nonsense;
  const ByteSpan frame = piece.last(in.left()).first(static_cast<std::size_t>(head));
  // The receiver reads the head when the last piece has come, and may have read other frames
  // before. It would then give another number to a name of this frame than this checkpoint gives.
  const std::size_t names = pair.names.size();
  Ruling ruling = rule_on_frame(leases, pair, frame);
  if (pair.names.size() != names) {
    pair.names.resize(names);
    ruling = Ruling::nonsense;
  }
  is_emptied = ruling != Ruling::passes;
  return ruling;
}

Checkpoint::Ruling Checkpoint::rule_on_frame(const Leases& leases, Pair& pair, ByteSpan frame) {
  Learning names(pair.names);
  const Ruling ruling = rule_by_kind(leases, pair, frame);
  if (ruling == Ruling::nonsense) names.forget();
  return ruling;
}

Checkpoint::Ruling Checkpoint::rule_by_kind(const Leases& leases, Pair& pair, ByteSpan frame) {
  FrameReader in(frame);
  const std::uint8_t kind = in.byte();
  switch (kind) {
    case message_frame:
    case slot_request_frame:
    case hand_over_frame:
    case store_message_frame:
      return rule_on_message(leases, pair, frame);
    case tap_frame:
      return rule_on_tap(leases, frame);
    case look_frame:
      return rule_on_look(leases, frame);
    case last_frame:
      return rule_on_last(leases, frame);
    case store_state_frame:
      return rule_on_store(leases, frame);
    case reports_frame:
    case closed_frame:
    case slot_withdrawal_frame:
    case slot_answer_frame:
    case mailbox_frame:
    case probe_frame:
      return learn_names(in, kind, pair.names) ? Ruling::passes : Ruling::nonsense;
    case greeting_frame:
    case no_tap_frame:
    case answer_frame:
    case inspection_frame:
    case act_frame:  // its receiver asks the directory
    case acted_frame:
    case step_frame:  // likewise
    case stepped_frame:
    case taken_over_frame:
    case refused_request_frame:
    case denied_frame:
      return Ruling::passes;
    default:
      return Ruling::nonsense;
  }
}

Checkpoint::Ruling Checkpoint::rule_on_message(const Leases& leases, Pair& pair, ByteSpan frame) {
  const auto asked = read_asked(frame, pair.names);
  if (!asked) return Ruling::nonsense;
  // The node that has emptied a message has also reported the refusal; without its fields, the
  // message would be judged differently here.
  if (!asked->is_emptied && is_allowed(leases.from, *asked)) return Ruling::passes;
  write_emptied(instead_, frame, *asked);
  return Ruling::replaced;
}

bool Checkpoint::is_allowed(LeaseId from, const FrameAsked& asked) {
  if (mutated(Mutation::copies_unasked) && (asked.flags & copy_flag) != 0) return true;
  if (mutated(Mutation::sends_unasked) && asked.flags == 0) return true;
  if (mutated(Mutation::any_gap) && asked.flags == gap_flag) return true;
  const bool is_special = (asked.flags & (gap_flag | copy_flag | letter_flag)) != 0;
  if (is_special && asked.is_to_be_kept) return false;
  // A gap carries the count of copies, goes to its eavesdropper in its own name, and has no
  // content.
  if (asked.flags == gap_flag) return !asked.has_content && asked.source == asked.target;
  if (asked.flags == copy_flag)
    return !asked.source.empty() && !asked.addressed_to.empty() &&
           authority_.lets_overhear(from, asked.target, asked.source, asked.addressed_to);
  // A node may always report undeliverable messages of its own agents in their name.
  if (asked.flags == letter_flag)
    return asked.target == Node::dead_letters() &&
           (asked.source.empty() || authority_.lets_speak(from, asked.source));
  if (is_special) return false;
  if (asked.redirects != 0)
    return authority_.lets_redirect(from, asked.redirected_by, asked.source, asked.target);
  return authority_.lets_send(from, asked.source, asked.target);
}

// The eavesdropper must be the node's own agent. An agent that registers patterns for messages to a
// role is addressed, and overhears nobody.
Checkpoint::Ruling Checkpoint::rule_on_tap(const Leases& leases, ByteSpan frame) {
  FrameReader in(frame);
  (void)in.byte();
  const std::uint64_t token = in.number();
  (void)in.number();
  const Result<Name> eavesdropper = Name::parse(in.text());
  (void)in.number();
  (void)detail::read_mailbox(in);
  for (int conditions = 0; conditions < 6; ++conditions) (void)in.text();
  bool is_addressed = false;
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    is_addressed |= in.text() == role_component;
    (void)in.text();
  }
  if (!in.ok() || !eavesdropper) return Ruling::nonsense;
  const bool may = is_addressed ? authority_.lets_speak(leases.from, *eavesdropper)
                                : authority_.lets_listen(leases.from, *eavesdropper);
  return may ? Ruling::passes : refuse_question(token);
}

Checkpoint::Ruling Checkpoint::rule_on_look(const Leases& leases, ByteSpan frame) {
  FrameReader in(frame);
  (void)in.byte();
  const std::uint64_t token = in.number();
  const Result<Name> name = Name::parse(in.text());
  if (!in.ok() || !name) return Ruling::nonsense;
  return authority_.lets_inspect(leases.from, *name) ? Ruling::passes : refuse_question(token);
}

// An agent that may join a group may ask for earlier messages to it. Every agent may report that it
// does not join.
Checkpoint::Ruling Checkpoint::rule_on_last(const Leases& leases, ByteSpan frame) {
  FrameReader in(frame);
  (void)in.byte();
  const std::uint64_t token = in.number();
  const std::uint8_t when = in.byte();
  const Result<Name> group = Name::parse(in.text());
  const Result<Name> member = Name::parse(in.text());
  (void)in.number();
  if (!in.ok() || !group || !member) return Ruling::nonsense;
  const bool may =
      when == detail::not_joining || !authority_.against_join(leases.from, *member, *group);
  return may ? Ruling::passes : refuse_question(token);
}

// Every node may ask which node is the message store. A node that announces that it is the message
// store gets messages that are meant for others.
Checkpoint::Ruling Checkpoint::rule_on_store(const Leases& leases, ByteSpan frame) {
  FrameReader in(frame);
  (void)in.byte();
  const std::uint8_t keeps = in.byte();
  if (!in.ok() || !in.at_end()) return Ruling::nonsense;
  const bool is_allowed = keeps == detail::keeps_nothing || authority_.lets_keep(leases.from);
  return is_allowed ? Ruling::passes : Ruling::dropped;
}

Checkpoint::Ruling Checkpoint::refuse_question(std::uint64_t token) {
  instead_.clear();
  FrameWriter out(instead_);
  out.byte(refused_request_frame);
  out.number(token);
  return Ruling::replaced;
}

void Checkpoint::on_lease_ended(LeaseId lease) {
  auto from = pairs_.lower_bound({lease, 0});
  while (from != pairs_.end() && from->first.first == lease) {
    const LeaseId other = from->first.second;
    if (other != lease) pairs_.erase({other, lease});
    from = pairs_.erase(from);
  }
}

}  // namespace coracle::society
