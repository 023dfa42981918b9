// Who overhears what, told to all nodes: an ear is heard of everywhere before overhear() returns,
// and a node that comes later asks all others before any of its agents may send.
#include "pattern_parts.hpp"
#include "runtime/node_core.hpp"
#include "runtime/planted.hpp"
#include "runtime/remote_frames.hpp"

namespace coracle::detail {

namespace {

constexpr Duration ears_patience = std::chrono::seconds(5);

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

// Waits until all other nodes have answered what `ask` sends them, or are gone.
Task<bool> Remote::ask_all(Worker& at, std::function<void(LeaseId, std::uint64_t)> ask) {
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  const Signal done(at);
  std::uint64_t token = 0;
  {
    const std::lock_guard lock(mutex_);
    token = ++tokens_;
    Asked asked(done);
    for (const LeaseId lease : leases) {
      if (lease != node_.lease() && !gone_.contains(lease)) asked.unanswered.insert(lease);
    }
    if (asked.unanswered.empty()) co_return true;
    asked_.emplace(token, std::move(asked));
  }
  for (const LeaseId lease : leases) {
    if (lease != node_.lease()) ask(lease, token);
  }
  (void)co_await done.wait(ears_patience);
  const std::lock_guard lock(mutex_);
  const auto asked = asked_.extract(token);
  co_return asked.empty() || !asked.mapped().is_denied;
}

Task<bool> Remote::tell_ear(Worker& at, std::uint64_t id, const Party& hearer,
                            const Pattern& pattern) {
  const OwnEar ear{id, hearer.name, hearer.incarnation, hearer.extension->mailbox, pattern};
  {
    const std::lock_guard lock(mutex_);
    own_ears_.push_back(ear);
  }
  if (planted(Bug::ear_not_told)) co_return true;
  const std::function<void(LeaseId, std::uint64_t)> ask =
      [this, ear](LeaseId to, std::uint64_t token) { send_ear(to, ear, token); };
  Task<bool> asking = ask_all(at, ask);
  const bool is_allowed = co_await asking;
  co_return is_allowed;
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
  const auto found = asked_.find(token);
  if (found == asked_.end() || found->second.unanswered.erase(by) == 0) return;
  if (found->second.unanswered.empty()) found->second.done.set();
}

bool Remote::read_ear(Worker& at, LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  const std::uint64_t id = in.number();
  const Result<Name> hearer = Name::parse(in.text());
  const std::uint64_t life = in.number();
  Holder holder{from,
                {static_cast<std::uint32_t>(life >> 32), static_cast<std::uint32_t>(life)},
                detail::read_mailbox(in)};
  const Pattern pattern = read_pattern(in);
  if (!in.ok() || !hearer) return false;
  Party* const party = node_.party(hearer->view(), at);
  // The directory may not have told of it here: then copies would find nobody.
  hear(*party, std::move(holder));
  {
    const std::lock_guard lock(mutex_);
    ears_of_[from].push_back(id);
  }
  on_all_workers(
      node_, [id, party, pattern](Worker& worker) { worker.add_ear(id, *party, pattern); },
      [this, from, token] { send_token(from, answer_frame, token); });
  return true;
}

void Remote::forget_ear(std::uint64_t id) {
  on_all_workers(
      node_, [id](Worker& worker) { worker.remove_ear(id); }, [] {});
}

bool Remote::read_no_ear(LeaseId from, FrameReader& in) {
  const std::uint64_t id = in.number();
  const std::lock_guard lock(mutex_);
  if (!in.ok() || std::erase(ears_of_[from], id) == 0) return in.ok();
  forget_ear(id);
  return true;
}

bool Remote::read_hello(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (!in.ok()) return false;
  if (!in.at_end()) note_keeper(from, in.byte());
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

bool Remote::read_denied(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (!in.ok()) return false;
  {
    const std::lock_guard lock(mutex_);
    const auto found = asked_.find(token);
    if (found != asked_.end()) found->second.is_denied = true;
  }
  answered(from, token);
  return true;
}

bool Remote::read_answer(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok() && !in.at_end()) note_keeper(from, in.byte());
  if (in.ok()) answered(from, token);
  return in.ok();
}

}  // namespace coracle::detail
