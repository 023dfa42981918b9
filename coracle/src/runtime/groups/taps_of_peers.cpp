#include "taps_of_peers.hpp"

#include "coracle/support/mutations.hpp"
#include "memory/returning.hpp"
#include "own_taps.hpp"
#include "pattern_fields.hpp"
#include "patterns/pattern_parts.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace coracle::detail {

namespace {

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

void report_unknown_gap(Mailbox& eavesdropper, std::uint64_t tap) {
  at_home(eavesdropper,
          [tap](Worker& home, Mailbox& there) { home.overhearing.report_unknown_gap(there, tap); });
}

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

}  // namespace

bool TapsOfPeers::TapsOf::has_room() const noexcept {
  constexpr std::size_t most_bytes = std::size_t{32} << 20;
  const bool has_room = taps.size() < OwnTaps::most && bytes < most_bytes;
  return has_room || mutated(Mutation::taps_uncounted);
}

Task<> TapsOfPeers::request(Worker& at) {
  const RequestsToAll::Ask greet = [this](LeaseId to, std::uint64_t token) {
    {
      const std::lock_guard lock(mutex_);
      greeting_ = token;
    }
    requests_.reply(to, greeting_frame, token);
  };
  Task<> asking = requests_.send(at, greet);
  co_await asking;
  const std::lock_guard lock(mutex_);
  has_begun_ = true;
}

// The directory decides which lease holds the eavesdropper's name, and in which incarnation: the
// frame's own fields for this are ignored. News of the name may come later than the tap.
bool TapsOfPeers::read(Worker& at, Peer& from, FrameReader& in) {
  TapAsked asked;
  asked.token = in.number();
  asked.id = in.number();
  const Result<Name> eavesdropper = Name::parse(in.text());
  asked.life = read_life(in);  // neither field is trusted
  (void)detail::read_mailbox(in);
  {
    const std::lock_guard lock(mutex_);
    TapsOf& of = of_peers_[from.lease];
    if (of.has_room()) {
      asked.pattern = read_pattern(in);
      asked.options = read_tap_options(in);
      asked.is_known = in.ok() && of.taps.try_emplace(asked.id).second;
      of.bytes += asked.is_known ? bytes_of(asked.pattern) : 0;
    }
    ++of.settling;
  }
  if (!asked.is_known) peers_.on_excess(from.lease);
  if (!eavesdropper || (asked.is_known && !in.ok())) return false;
  asked.eavesdropper = *eavesdropper;
  const auto known = node_.directory().try_look_up(*eavesdropper);
  const bool is_at_hand = known && *known && (*known)->lease == from.lease;
  if (!asked.is_known || is_at_hand) {
    settle(at, from.lease, asked, known ? *known : std::nullopt);
    return true;
  }
  run_detached(at, [](TapsOfPeers& self, LeaseId own, LeaseId lease, TapAsked tap) -> Task<> {
    Directory& directory = self.node_.directory();
    co_await directory.catch_up();
    const auto entry = co_await directory.look_up(tap.eavesdropper);
    if (own == self.peers_.self()) self.settle(*Worker::current(), lease, tap, entry);
  }(*this, peers_.self(), from.lease, asked));
  return true;
}

// The holder of the eavesdropper's name is known now.
void TapsOfPeers::settle(Worker& at, LeaseId from, const TapAsked& asked,
                         const std::optional<Entry>& holder) {
  const bool is_its_own = mutated(Mutation::any_eavesdropper) || (holder && holder->lease == from);
  std::vector<std::uint64_t> replies;
  std::uint64_t id = 0;
  bool is_late = false;
  {
    const std::lock_guard lock(mutex_);
    const auto found = of_peers_.find(from);
    if (found == of_peers_.end()) return;  // the peer is gone
    TapsOf& of = found->second;
    is_late = asked.token == 0 && has_begun_ && !of.is_whole && !is_for_role(asked.pattern);
    if (--of.settling == 0) replies = std::exchange(of.replies, {});
    const auto tap = of.taps.find(asked.id);
    if (asked.is_known && tap != of.taps.end()) {
      if (is_its_own) id = tap->second = node_.numbers().next_tap();
      else of.taps.erase(tap);
    }
  }
  if (id != 0) {
    // The tap missed the messages that this node sent before. With a token, the peer knows that.
    Mailbox* const mailbox = node_.mailbox(asked.eavesdropper, at);
    store_server_.on_holder(*mailbox, holder && holder->lease == from
                                          ? holder_of(*holder)
                                          : Holder{from, asked.life, {}});
    on_all_workers(
        node_,
        [id, told = asked.id, mailbox, pattern = asked.pattern, options = asked.options](
            Worker& worker) { worker.overhearing.add(id, *mailbox, pattern, told, options); },
        [this, told = asked.id, from, mailbox, is_late, token = asked.token] {
          if (is_late) report_unknown_gap(*mailbox, told);
          requests_.reply(from, answer_frame, token);
        });
  } else {
    // If the name is another's by now, the peer will learn that itself. A tap for which there is no
    // room is denied.
    requests_.reply(from, asked.is_known ? answer_frame : denied_frame, asked.token);
  }
  for (const std::uint64_t token : replies) on_reply(from, token);
}

void TapsOfPeers::remove(std::uint64_t id) {
  on_all_workers(
      node_, [id](Worker& worker) { worker.overhearing.remove(id); }, [] {});
}

// The memory of many taps goes back to the system, not only to this process.
void TapsOfPeers::forget(LeaseId lease) {
  TapsOf of;
  {
    const std::lock_guard lock(mutex_);
    const auto known = of_peers_.find(lease);
    if (known == of_peers_.end()) return;
    of = std::move(known->second);
    of_peers_.erase(known);
  }
  for (const auto& [told, id] : of.taps) {
    if (id != 0) remove(id);
  }
  if (of.bytes < worth_giving_back) return;
  on_all_workers(
      node_, [](Worker&) {}, [] { give_memory_back(); });
}

bool TapsOfPeers::read_drop(Peer& from, FrameReader& in) {
  const std::uint64_t told = in.number();
  if (!in.ok()) return false;
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    auto of = of_peers_.find(from.lease);
    if (mutated(Mutation::any_tap)) {
      of = std::find_if(of_peers_.begin(), of_peers_.end(),
                        [told](const auto& one) { return one.second.taps.contains(told); });
    }
    if (of == of_peers_.end()) return true;
    const auto tap = of->second.taps.extract(told);
    if (!tap.empty()) id = tap.mapped();
    if (of->second.taps.empty()) of->second.bytes = 0;
  }
  if (id != 0) remove(id);
  return true;
}

bool TapsOfPeers::read_reply(Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (in.ok() && !in.at_end()) store_.note(from.lease, in.byte());
  if (!in.ok()) return false;
  {
    const std::lock_guard lock(mutex_);
    const auto of = of_peers_.find(from.lease);
    if (of != of_peers_.end() && of->second.settling != 0)
      return of->second.replies.push_back(token), true;
  }
  on_reply(from.lease, token);
  return true;
}

void TapsOfPeers::on_reply(LeaseId from, std::uint64_t token) {
  {
    const std::lock_guard lock(mutex_);
    if (token == greeting_) of_peers_[from].is_whole = true;
  }
  requests_.on_reply(from, token);
}

}  // namespace coracle::detail
