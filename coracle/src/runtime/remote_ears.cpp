// Who overhears what, told to all nodes: an ear is heard of everywhere before overhear() returns,
// and a node that comes later asks all others before any of its agents may send.
#include "pattern_parts.hpp"
#include "runtime/errors_said.hpp"
#include "runtime/node_core.hpp"
#include "runtime/planted.hpp"
#include "runtime/remote_frames.hpp"

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

// Throws what the pattern's own functions throw.
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

// About what it takes, compiled, in each worker.
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

// Of one lease; a node greets when it begins, and not again.
constexpr unsigned most_greetings = 4;
constexpr std::size_t worth_giving_back = std::size_t{1} << 20;

// Has every worker do something, and then `done` once.
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

void miss_unknown(Worker& home, Party& hearer, std::uint64_t ear) {
  if ((hearer.mode_now() & elsewhere) != 0) return;
  home.deliver_copy(hearer, home.gap_marker(hearer, ear, MessageView::unknown_gap));
}

}  // namespace

void Remote::send_ear(LeaseId to, const OwnEar& ear, std::uint64_t token) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(ear_frame);
  out.number(token);
  out.number(ear.id);
  out.text(ear.hearer.view());
  out.number(std::uint64_t{ear.life.epoch} << 32 | ear.life.counter);
  write_mailbox(out, ear.mailbox);
  write_pattern(out, ear.pattern);
  links_.send(self(), to, frame, {});
}

void Remote::send_token(LeaseId to, std::uint8_t kind, std::uint64_t token) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(kind);
  out.number(token);
  if (kind != no_ear_frame) out.byte(kept_here());
  links_.send(self(), to, frame, {});
}

// Waits until all other nodes have answered what `ask` sends them, or are gone. Who does not answer
// in time is left out, and asked again without being waited for, until it answers something.
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

Task<> Remote::ask_to_hear(Worker& at, OwnEar ear) {
  const std::function<void(LeaseId, std::uint64_t)> ask =
      [this, ear](LeaseId to, std::uint64_t token) { send_ear(to, ear, token); };
  Task<> asking = ask_all(at, ears_patience, ask);
  co_await asking;
}

Task<Result<void>> Remote::tell_ear(Worker& at, std::uint64_t id, const Party& hearer,
                                    const Pattern& pattern) {
  const OwnEar ear{id, hearer.name, hearer.incarnation, hearer.extension->mailbox, pattern};
  {
    const std::lock_guard lock(mutex_);
    if (own_ears_.size() == EarsOf::most) {
      co_return Error(Errc::limit_reached, "this node's agents overhear by " +
                                               std::to_string(EarsOf::most) +
                                               " patterns already; drop one first");
    }
    own_ears_.push_back(ear);
  }
  if (planted(Bug::ear_not_told)) co_return Result<void>();
  if (!is_for_role(pattern)) {
    Task<Result<void>> permitting = node_.directory().may_overhear(node_.lease(), hearer.name);
    const Result<void> permitted = co_await permitting;
    if (!permitted && permitted.error().errc() == Errc::not_permitted) {
      co_return may_not_overhear(hearer.name);
    }
  }
  Task<> asking = ask_to_hear(at, ear);
  co_await asking;
  co_return Result<void>();
}

// Copies were on their way from a node that is gone, or it was about to send some.
void Remote::miss_copies() {
  std::vector<OwnEar> ears;
  {
    const std::lock_guard lock(mutex_);
    ears = own_ears_;
  }
  for (const OwnEar& ear : ears) {
    Party* const hearer = node_.parties().find(ear.hearer.view());
    if (hearer == nullptr || is_for_role(ear.pattern)) continue;
    at_home(*hearer, [id = ear.id](Worker& home, Party& there) { miss_unknown(home, there, id); });
  }
}

// Behind all copies: what is on its way still comes.
Task<> Remote::drop_ear(std::uint64_t id) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(own_ears_, [id](const OwnEar& ear) { return ear.id == id; });
  }
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  for (const LeaseId lease : leases) {
    if (lease != node_.lease()) send_token(lease, no_ear_frame, id);
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

// Who holds the hearer's name, and in which life, is the directory's to say: what the frame says of
// it is not looked at. News of the name may come later than the ear.
bool Remote::read_ear(Worker& at, LeaseId from, FrameReader& in) {
  EarAsked asked;
  asked.token = in.number();
  asked.id = in.number();
  const Result<Name> hearer = Name::parse(in.text());
  asked.life = read_life(in);  // neither is believed
  (void)detail::read_mailbox(in);
  {
    const std::lock_guard lock(mutex_);
    EarsOf& of = ears_of_[from];
    if (of.has_room()) {
      asked.pattern = read_pattern(in);
      asked.is_known = in.ok() && of.ears.try_emplace(asked.id).second;
      of.bytes += asked.is_known ? bytes_of(asked.pattern) : 0;
    }
    ++of.settling;
  }
  if (!asked.is_known) on_excess(from);
  if (!hearer || (asked.is_known && !in.ok())) return false;
  asked.hearer = *hearer;
  const auto known = node_.directory().try_look_up(*hearer);
  const bool is_at_hand = known && *known && (*known)->lease == from;
  if (!asked.is_known || is_at_hand) {
    settle_ear(at, from, asked, known ? *known : std::nullopt);
    return true;
  }
  at.run_detached([](Remote& self, LeaseId own, LeaseId lease, EarAsked ear) -> Task<> {
    Directory& directory = self.node_.directory();
    co_await directory.catch_up();
    const auto entry = co_await directory.look_up(ear.hearer);
    if (own == self.self()) self.settle_ear(*Worker::current(), lease, ear, entry);
  }(*this, self(), from, asked));
  return true;
}

// It is known who holds the name of its hearer.
void Remote::settle_ear(Worker& at, LeaseId from, const EarAsked& asked,
                        const std::optional<Entry>& holder) {
  const bool is_its_own = planted(Bug::any_hearer) || (holder && holder->lease == from);
  std::vector<std::uint64_t> answers;
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = ears_of_.find(from);
    if (found == ears_of_.end()) return;  // it is gone
    EarsOf& of = found->second;
    if (--of.settling == 0) answers = std::exchange(of.answers, {});
    const auto ear = of.ears.find(asked.id);
    if (asked.is_known && ear != of.ears.end()) {
      if (is_its_own) id = ear->second = node_.next_ear();
      else of.ears.erase(ear);
    }
  }
  if (id != 0) {
    Party* const party = node_.party(asked.hearer, at);
    hear(*party,
         holder && holder->lease == from ? holder_of(*holder) : Holder{from, asked.life, {}});
    on_all_workers(
        node_,
        [id, told = asked.id, party, pattern = asked.pattern](Worker& worker) {
          worker.add_ear(id, *party, pattern, told);
        },
        [this, from, token = asked.token] { send_token(from, answer_frame, token); });
  } else {
    // Whose name is another's by now will hear of that; an ear for which there is no room is
    // denied.
    send_token(from, asked.is_known ? answer_frame : denied_frame, asked.token);
  }
  for (const std::uint64_t token : answers) answered(from, token);
}

void Remote::forget_ear(std::uint64_t id) {
  on_all_workers(
      node_, [id](Worker& worker) { worker.remove_ear(id); }, [] {});
}

// Its node is gone. What many ears took is the system's again, not only this process's.
void Remote::forget_ears(const EarsOf& of) {
  for (const auto& [told, id] : of.ears) {
    if (id != 0) forget_ear(id);
  }
  if (of.bytes < worth_giving_back) return;
  on_all_workers(
      node_, [](Worker&) {}, [] { give_memory_back(); });
}

bool Remote::read_no_ear(LeaseId from, FrameReader& in) {
  const std::uint64_t told = in.number();
  if (!in.ok()) return false;
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    auto of = ears_of_.find(from);
    if (planted(Bug::any_ear)) {
      of = std::find_if(ears_of_.begin(), ears_of_.end(),
                        [told](const auto& one) { return one.second.ears.contains(told); });
    }
    if (of == ears_of_.end()) return true;
    const auto ear = of->second.ears.extract(told);
    if (!ear.empty()) id = ear.mapped();
    if (of->second.ears.empty()) of->second.bytes = 0;
  }
  if (id != 0) forget_ear(id);
  return true;
}

bool Remote::read_hello(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (!in.ok()) return false;
  if (!in.at_end()) note_keeper(from, in.byte());
  if (has_no_room(from)) return send_token(from, denied_frame, token), true;
  if (peer(from).greetings++ >= most_greetings) {
    on_excess(from);
    return send_token(from, denied_frame, token), true;
  }
  std::vector<OwnEar> ears;
  {
    const std::lock_guard lock(mutex_);
    ears = own_ears_;
  }
  for (const OwnEar& ear : ears) send_ear(from, ear, 0);
  send_token(from, answer_frame, token);
  return true;
}

// The other node hears why it waits for nothing.
bool Remote::read_refused_question(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok() && token != 0) send_token(from, denied_frame, token);
  return in.ok();
}

// A policy on the way has taken out what was asked. What the policy says the directory was asked
// before: that another node says so is no more than an answer.
bool Remote::read_denied(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok()) answered(from, token);
  return in.ok();
}

bool Remote::read_answer(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok() && !in.at_end()) note_keeper(from, in.byte());
  if (!in.ok()) return false;
  {
    // It is said behind the ears that the peer has told.
    const std::lock_guard lock(mutex_);
    const auto of = ears_of_.find(from);
    if (of != ears_of_.end() && of->second.settling != 0)
      return of->second.answers.push_back(token), true;
  }
  answered(from, token);
  return true;
}

}  // namespace coracle::detail
