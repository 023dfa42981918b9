// Registers taps at all nodes. Every node knows a tap before overhear() returns, and a new node
// requests the taps of all others before any of its agents may send.
#include "coracle/support/error_texts.hpp"
#include "coracle/support/mutations.hpp"
#include "patterns/pattern_parts.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

std::string_view written(const SharedExpression& expression) {
  return expression ? std::string_view(expression->written) : std::string_view();
}

void write_pattern(FrameWriter& out, const Pattern& pattern) {
  static const PatternParts nothing;
  const PatternParts& parts = pattern.parts() != nullptr ? *pattern.parts() : nothing;
  out.text(parts.source_name.view());
  out.text(parts.target_name.view());
  for (const auto* one : {&parts.source, &parts.target, &parts.text, &parts.format}) {
    out.text(written(*one));
  }
  out.number(parts.components.size());
  for (const auto& [key, value] : parts.components) {
    out.text(key);
    out.text(value);
  }
}

// Throws the errors of the pattern's own functions.
Pattern read_pattern(FrameReader& in) {
  Pattern pattern;
  const std::string_view source_name = in.text();
  const std::string_view target_name = in.text();
  if (!source_name.empty()) pattern.source_is(Name(source_name));
  if (!target_name.empty()) pattern.target_is(Name(target_name));
  const auto set = [&](Pattern& (Pattern::*condition)(std::string_view)) {
    const std::string_view text = in.text();
    if (!text.empty()) (pattern.*condition)(text);
  };
  set(&Pattern::source);
  set(&Pattern::target);
  set(&Pattern::text);
  set(&Pattern::format);
  for (std::uint64_t left = in.number_up_to(Pattern::max_components); left != 0 && in.ok();
       --left) {
    const std::string_view key = in.text();
    pattern.component(key, in.text());
  }
  return pattern;
}

// Returns about how much memory the pattern takes, compiled, in each worker.
std::size_t bytes_of(const Pattern& pattern) {
  std::size_t bytes = 256;
  if (pattern.parts() == nullptr) return bytes;
  const PatternParts& parts = *pattern.parts();
  for (const auto* one : {&parts.source, &parts.target, &parts.text, &parts.format}) {
    if (!*one) continue;
    bytes += 512 + (*one)->written.size() + (*one)->regex.size();
    if ((*one)->compiled) bytes += 24 * static_cast<std::size_t>((*one)->compiled->ProgramSize());
  }
  for (const auto& [key, value] : parts.components) bytes += 64 + key.size() + value.size();
  return bytes;
}

// The most hellos of one lease; a node sends hellos when it begins, and not again.
constexpr unsigned most_greetings = 4;
constexpr std::size_t worth_giving_back = std::size_t{1} << 20;

// Runs `act` on every worker, and then `done` once.
template <class Act, class Done>
void on_all_workers(NodeCore& node, Act act, Done done) {
  const auto left = std::make_shared<std::atomic<std::size_t>>(node.worker_count());
  for (std::size_t index = 0; index < node.worker_count(); ++index) {
    const auto perform = [act, done, left](Worker& at) {
      act(at);
      if (left->fetch_sub(1) == 1) done();
    };
    if (&node.worker(index) == Worker::current()) {
      perform(node.worker(index));
    } else {
      node.worker(index).post(command(perform));
    }
  }
}

void miss_unknown(Worker& home, Mailbox& eavesdropper, std::uint64_t tap) {
  if ((eavesdropper.mode_now() & elsewhere) != 0) return;
  home.deliver_copy(eavesdropper, home.gap_marker(eavesdropper, tap, MessageView::unknown_gap));
}

}  // namespace

void Remote::send_tap(LeaseId to, const OwnTap& tap, std::uint64_t token) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(tap_frame);
  out.number(token);
  out.number(tap.id);
  out.text(tap.eavesdropper.view());
  out.number(std::uint64_t{tap.life.epoch} << 32 | tap.life.counter);
  write_mailbox(out, tap.mailbox);
  write_pattern(out, tap.pattern);
  transport_.send(self(), to, frame, {}, nullptr);
}

void Remote::send_token(LeaseId to, std::uint8_t kind, std::uint64_t token) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(kind);
  out.number(token);
  if (kind != no_tap_frame) out.byte(kept_here());
  transport_.send(self(), to, frame, {}, nullptr);
}

// Waits until all other nodes have replied to what `ask` sends them, or are gone. A node that does
// not reply in time is left out. It still gets requests, but nobody waits for it until it replies
// to one.
Task<> Remote::ask_all(Worker& at, Duration patience,
                       std::function<void(LeaseId, std::uint64_t)> ask) {
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  const Signal done(at);
  std::uint64_t token = 0;
  bool is_awaited = false;
  {
    const std::lock_guard lock(mutex_);
    token = ++tokens_;
    Asked asked(done);
    for (const LeaseId lease : leases) {
      if (lease != node_.lease() && !gone_.contains(lease)) asked.unanswered.insert(lease);
    }
    if (asked.unanswered.empty()) co_return;
    is_awaited = !are_mute(asked.unanswered);
    asked_.emplace(token, std::move(asked));
  }
  for (const LeaseId lease : leases) {
    if (lease != node_.lease()) ask(lease, token);
  }
  if (is_awaited) (void)co_await done.wait(patience);
  const std::lock_guard lock(mutex_);
  const auto asked = asked_.extract(token);
  if (asked.empty()) co_return;
  for (const LeaseId lease : asked.mapped().unanswered) mute_.try_emplace(lease, token);
}

bool Remote::are_mute(const std::set<LeaseId>& peers) const {
  return std::all_of(peers.begin(), peers.end(),
                     [this](LeaseId peer) { return mute_.contains(peer); });
}

Task<> Remote::ask_to_hear(Worker& at, OwnTap tap) {
  const std::function<void(LeaseId, std::uint64_t)> ask =
      [this, tap](LeaseId to, std::uint64_t token) { send_tap(to, tap, token); };
  Task<> asking = ask_all(at, taps_patience, ask);
  co_await asking;
}

Task<Result<void>> Remote::tell_tap(Worker& at, std::uint64_t id, const Mailbox& eavesdropper,
                                    const Pattern& pattern) {
  const OwnTap tap{id, eavesdropper.name, eavesdropper.incarnation, eavesdropper.extension->mailbox,
                   pattern};
  {
    const std::lock_guard lock(mutex_);
    if (own_taps_.size() == TapsOf::most) {
      co_return Error(Errc::limit_reached, "this node's agents overhear by " +
                                               std::to_string(TapsOf::most) +
                                               " patterns already; drop one first");
    }
    own_taps_.push_back(tap);
  }
  if (mutated(Mutation::tap_not_told)) co_return Result<void>();
  if (!is_for_role(pattern)) {
    Task<Result<void>> permitting =
        node_.directory().may_overhear(node_.lease(), eavesdropper.name);
    const Result<void> permitted = co_await permitting;
    if (!permitted && permitted.error().errc() == Errc::not_permitted) {
      co_return may_not_overhear(eavesdropper.name);
    }
  }
  Task<> asking = ask_to_hear(at, tap);
  co_await asking;
  co_return Result<void>();
}

// Copies were on their way from a node that is gone, or the node was about to send some.
void Remote::miss_copies() {
  std::vector<OwnTap> taps;
  {
    const std::lock_guard lock(mutex_);
    taps = own_taps_;
  }
  for (const OwnTap& tap : taps) {
    Mailbox* const eavesdropper = node_.mailboxes().find(tap.eavesdropper.view());
    if (eavesdropper == nullptr || is_for_role(tap.pattern)) continue;
    at_home(*eavesdropper,
            [id = tap.id](Worker& home, Mailbox& there) { miss_unknown(home, there, id); });
  }
}

// The request goes behind all copies: those on their way still come.
Task<> Remote::drop_tap(std::uint64_t id) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(own_taps_, [id](const OwnTap& tap) { return tap.id == id; });
  }
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  for (const LeaseId lease : leases) {
    if (lease != node_.lease()) send_token(lease, no_tap_frame, id);
  }
}

void Remote::answered(LeaseId by, std::uint64_t token) {
  const std::lock_guard lock(mutex_);
  const auto mute = mute_.find(by);
  if (mute != mute_.end() && token >= mute->second && token <= tokens_) mute_.erase(mute);
  const auto found = asked_.find(token);
  if (found == asked_.end() || found->second.unanswered.erase(by) == 0) return;
  if (are_mute(found->second.unanswered)) found->second.done.set();
}

// The directory decides which lease holds the eavesdropper's name, and in which incarnation: the
// frame's own fields for this are ignored. News of the name may come later than the tap.
bool Remote::read_tap(Worker& at, LeaseId from, FrameReader& in) {
  TapAsked asked;
  asked.token = in.number();
  asked.id = in.number();
  const Result<Name> eavesdropper = Name::parse(in.text());
  asked.life = read_life(in);  // neither field is trusted
  (void)detail::read_mailbox(in);
  {
    const std::lock_guard lock(mutex_);
    TapsOf& of = taps_of_[from];
    if (of.has_room()) {
      asked.pattern = read_pattern(in);
      asked.is_known = in.ok() && of.taps.try_emplace(asked.id).second;
      of.bytes += asked.is_known ? bytes_of(asked.pattern) : 0;
    }
    ++of.settling;
  }
  if (!asked.is_known) on_excess(from);
  if (!eavesdropper || (asked.is_known && !in.ok())) return false;
  asked.eavesdropper = *eavesdropper;
  const auto known = node_.directory().try_look_up(*eavesdropper);
  const bool is_at_hand = known && *known && (*known)->lease == from;
  if (!asked.is_known || is_at_hand) {
    settle_tap(at, from, asked, known ? *known : std::nullopt);
    return true;
  }
  at.run_detached([](Remote& self, LeaseId own, LeaseId lease, TapAsked tap) -> Task<> {
    Directory& directory = self.node_.directory();
    co_await directory.catch_up();
    const auto entry = co_await directory.look_up(tap.eavesdropper);
    if (own == self.self()) self.settle_tap(*Worker::current(), lease, tap, entry);
  }(*this, self(), from, asked));
  return true;
}

// The holder of the eavesdropper's name is known now.
void Remote::settle_tap(Worker& at, LeaseId from, const TapAsked& asked,
                        const std::optional<Entry>& holder) {
  const bool is_its_own = mutated(Mutation::any_eavesdropper) || (holder && holder->lease == from);
  std::vector<std::uint64_t> answers;
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = taps_of_.find(from);
    if (found == taps_of_.end()) return;  // the peer is gone
    TapsOf& of = found->second;
    if (--of.settling == 0) answers = std::exchange(of.answers, {});
    const auto tap = of.taps.find(asked.id);
    if (asked.is_known && tap != of.taps.end()) {
      if (is_its_own) id = tap->second = node_.next_tap();
      else of.taps.erase(tap);
    }
  }
  if (id != 0) {
    Mailbox* const mailbox = node_.mailbox(asked.eavesdropper, at);
    hear(*mailbox,
         holder && holder->lease == from ? holder_of(*holder) : Holder{from, asked.life, {}});
    on_all_workers(
        node_,
        [id, told = asked.id, mailbox, pattern = asked.pattern](Worker& worker) {
          worker.add_tap(id, *mailbox, pattern, told);
        },
        [this, from, token = asked.token] { send_token(from, answer_frame, token); });
  } else {
    // If the name is another's by now, the peer will learn that itself. A tap for which there is no
    // room is denied.
    send_token(from, asked.is_known ? answer_frame : denied_frame, asked.token);
  }
  for (const std::uint64_t token : answers) answered(from, token);
}

void Remote::forget_tap(std::uint64_t id) {
  on_all_workers(
      node_, [id](Worker& worker) { worker.remove_tap(id); }, [] {});
}

// The taps of a node that is gone. The memory of many taps goes back to the system, not only to
// this process.
void Remote::forget_taps(const TapsOf& of) {
  for (const auto& [told, id] : of.taps) {
    if (id != 0) forget_tap(id);
  }
  if (of.bytes < worth_giving_back) return;
  on_all_workers(
      node_, [](Worker&) {}, [] { give_memory_back(); });
}

bool Remote::read_no_tap(LeaseId from, FrameReader& in) {
  const std::uint64_t told = in.number();
  if (!in.ok()) return false;
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    auto of = taps_of_.find(from);
    if (mutated(Mutation::any_tap)) {
      of = std::find_if(taps_of_.begin(), taps_of_.end(),
                        [told](const auto& one) { return one.second.taps.contains(told); });
    }
    if (of == taps_of_.end()) return true;
    const auto tap = of->second.taps.extract(told);
    if (!tap.empty()) id = tap.mapped();
    if (of->second.taps.empty()) of->second.bytes = 0;
  }
  if (id != 0) forget_tap(id);
  return true;
}

bool Remote::read_hello(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (!in.ok()) return false;
  if (!in.at_end()) note_store(from, in.byte());
  if (has_no_room(from)) return send_token(from, denied_frame, token), true;
  if (peer(from).greetings++ >= most_greetings) {
    on_excess(from);
    return send_token(from, denied_frame, token), true;
  }
  std::vector<OwnTap> taps;
  {
    const std::lock_guard lock(mutex_);
    taps = own_taps_;
  }
  for (const OwnTap& tap : taps) send_tap(from, tap, 0);
  send_token(from, answer_frame, token);
  return true;
}

// Replies that the request was denied, so that the other node does not wait in vain.
bool Remote::read_refused_request(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok() && token != 0) send_token(from, denied_frame, token);
  return in.ok();
}

// A policy on the way has removed the request. The directory was asked before for the policy's
// decision, so this frame from another node counts only as a reply.
bool Remote::read_denied(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok()) answered(from, token);
  return in.ok();
}

bool Remote::read_answer(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok() && !in.at_end()) note_store(from, in.byte());
  if (!in.ok()) return false;
  {
    // The reply counts only after the taps that the peer sent before it.
    const std::lock_guard lock(mutex_);
    const auto of = taps_of_.find(from);
    if (of != taps_of_.end() && of->second.settling != 0)
      return of->second.answers.push_back(token), true;
  }
  answered(from, token);
  return true;
}

}  // namespace coracle::detail
