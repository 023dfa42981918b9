// What a node tells other nodes. A frame is a kind, then what that kind has to say; a name is
// spelled once for each pair of nodes, and is a number after that.
#include "runtime/remote.hpp"

#include "runtime/entrusting.hpp"
#include "runtime/lent.hpp"
#include "runtime/node_core.hpp"
#include "runtime/planted.hpp"
#include "runtime/probe.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>

namespace coracle::detail {

Mark mark_of(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::consumed:
      return Mark::consumed;
    case Outcome::expired:
      return Mark::expired;
    case Outcome::refused:
      return Mark::refused;
    default:
      return Mark::undeliverable;
  }
}

Task<> Remote::begin() {
  Directory& directory = node_.directory();
  watch_ = co_await directory.watch(Name(), *this);
  take_lease();
  // Before anybody is heard of, and can be taken for somebody who has nothing of it.
  if (node_.custody() != nullptr) begin_keeping(*Worker::current());
  locate(*node_.party(Node::dead_letters(), *Worker::current()));  // older than the watch
  if (planted(Bug::ears_not_asked_for)) co_return;
  const std::function<void(LeaseId, std::uint64_t)> greet =
      [this](LeaseId to, std::uint64_t token) { send_token(to, hello_frame, token); };
  Task<> asking = ask_all(*Worker::current(), greeting_patience, greet);
  co_await asking;
}

void Remote::take_lease(const std::vector<LeaseId>& open) {
  {
    const std::lock_guard lock(mutex_);
    self_ = node_.lease();
    for (const LeaseId lease : open) {
      gone_.erase(lease);
      ended_.erase(lease);
    }
    for (auto& [lease, peer] : peers_) retired_.push_back(std::move(peer));
    peers_.clear();
    latest_.store(nullptr, std::memory_order_release);
  }
  links_.bind(*this, node_.lease());
}

Task<> Remote::begin_again(Worker& at) {
  std::vector<OwnEar> ears;
  {
    const std::lock_guard lock(mutex_);
    ears = own_ears_;
  }
  // At once for all: who is slow is waited for once.
  const Signal done(at);
  {
    const std::shared_ptr<void> last(nullptr, [done](void*) { done.set(); });
    for (const OwnEar& ear : ears) {
      at.run_detached([](Remote& self, Worker& here, OwnEar one, std::shared_ptr<void>) -> Task<> {
        Task<> asking = self.ask_to_hear(here, std::move(one));
        co_await asking;
      }(*this, at, ear, last));
    }
  }
  (void)co_await done.wait();
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  for (const LeaseId lease : leases) {
    if (lease != node_.lease()) send_keeper(lease, kept_here());
  }
}

Task<> Remote::end() {
  if (node_.custody() != nullptr) node_.custody()->end(node_.clock().now());
  links_.unbind();
  co_await node_.directory().unwatch(watch_);
}

Remote::Peer& Remote::look_up(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  auto& found = peers_[lease];
  if (!found) {
    found = std::make_unique<Peer>(self_, lease, node_.worker_count() > 1);
    if (gone_.contains(lease)) forget_soon(lease);
  }
  latest_.store(found.get(), std::memory_order_release);
  return *found;
}

Remote::Peer* Remote::known_peer(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  const auto known = peers_.find(lease);
  return known == peers_.end() ? nullptr : known->second.get();
}

LeaseId Remote::self() {
  const std::lock_guard lock(mutex_);
  return self_;
}

bool Remote::is_gone(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  return gone_.contains(lease);
}

// Returns what there is to be known next time; nothing when the name is not kept.
Remote::Told* Remote::write_name(Peer& to, FrameBuffer& out, const Party& party) {
  // Most messages are between the same few.
  auto& lately = to.told_lately(party);
  if (lately.first == &party) [[likely]] {
    out.number(lately.second->number);
    return lately.second;
  }
  return find_name(to, out, party);
}

Remote::Told* Remote::find_name(Peer& to, FrameBuffer& out, const Party& party) {
  const auto known = to.told.find(&party);
  if (known != to.told.end()) {
    to.told_lately(party) = {&party, &known->second};
    out.number(known->second.number);
    return &known->second;
  }
  const bool keep = to.told.size() < names_told_limit;
  out.number(keep ? new_name : passing_name);
  out.text(party.name.view());
  if (!keep) return nullptr;
  return &to.told.emplace(&party, Told{to.told.size() + first_number, {}, 0, 0, {}}).first->second;
}

void Remote::send_unknock(Party& target, std::uint64_t number) {
  at_home(target, [this, number](Worker&, Party& there) {
    const RemoteSide* const side = there.extension->remote.get();
    if (side == nullptr || side->now.lease == 0) return;
    Peer& other = peer(side->now.lease);
    const std::lock_guard lock(other.mutex);
    FrameBuffer& out = other.frame;
    out.clear();
    out.byte(unknock_frame);
    write_name(other, out, there);
    out.number(number);
    links_.send(other.self, side->now.lease, out, {});
  });
}

void Remote::send_knock_answer(LeaseId to, const Party& target, std::uint64_t number,
                               std::uint8_t answer) {
  Peer& other = peer(to);
  const std::lock_guard lock(other.mutex);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(knock_answer_frame);
  write_name(other, out, target);
  out.number(number);
  out.byte(answer);
  links_.send(other.self, to, out, {});
}

// Of a name that has no record here.
void Remote::send_knock_answer(LeaseId to, const Name& target, std::uint64_t number,
                               std::uint8_t answer) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(knock_answer_frame);
  spell(out, target.view());
  out.number(number);
  out.byte(answer);
  links_.send(self(), to, frame, {});
}

void Remote::on_room(LeaseId lease) {
  if (!node_.is_here()) {
    return node_.worker(0).post(command([this, lease](Worker&) { on_room(lease); }));
  }
  Peer& other = peer(lease);
  std::vector<Party*> blocked;
  {
    const std::lock_guard lock(other.mutex);
    blocked.swap(other.blocked);
    other.is_full = false;
  }
  for (Party* const party : blocked) {
    at_home(*party, [](Worker& home, Party& there) { home.unblock(there); });
  }
}

// Runs of one mark become one: most are.
void Remote::send_marks(std::vector<MarkOf>& marks) {
  const auto in_order = [](const MarkOf& a, const MarkOf& b) {
    if (a.origin != b.origin) return a.origin < b.origin;
    // By their names, not by where they are, so that a run can be repeated.
    return a.target != b.target && a.target->name.view() < b.target->name.view();
  };
  if (!std::is_sorted(marks.begin(), marks.end(), in_order)) {
    std::stable_sort(marks.begin(), marks.end(), in_order);
  }
  for (std::size_t at = 0; at < marks.size();) {
    const LeaseId origin = marks[at].origin;
    Peer& other = peer(origin);
    const std::lock_guard lock(other.mutex);
    FrameBuffer& out = other.frame;
    out.clear();
    out.byte(marks_frame);
    while (at < marks.size() && marks[at].origin == origin) {
      const MarkOf& begin = marks[at];
      std::uint64_t count = begin.count;
      for (++at; at < marks.size() && marks[at - 1].is_before(marks[at]); ++at)
        count += marks[at].count;
      write_name(other, out, *begin.target);
      out.byte(begin.mark);
      out.number(begin.serial);
      out.number(count);
    }
    links_.send(other.self, origin, out, {});
  }
  marks.clear();
}

void Remote::send_closed(LeaseId to, const Party& party, const Ending& ending) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(closed_frame);
  spell(out, party.name.view());  // not counted as told: it goes out later than others
  out.number(number_of_life(ending.incarnation));
  out.byte(static_cast<std::uint8_t>(ending.reason));
  out.text(std::string_view(ending.text).substr(0, closed_text_limit));
  const FramePair pair = frame_pair(&party, nullptr);
  pass_through_all(node_, 0, [this, self = peer(to).self, to, frame, pair] {
    Peer& other = peer(to);
    if (other.self != self) return;  // nothing of what was said under that lease counts
    const std::lock_guard lock(other.mutex);
    send_frame(other, frame, {}, place_of(other, pair, false));
  });
}

void Remote::send_mailbox(LeaseId to, const Party& party) {
  const MailboxOptions& mailbox = party.extension->mailbox;
  Peer& other = peer(to);
  const std::lock_guard lock(other.mutex);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(mailbox_frame);
  write_name(other, out, party);
  write_mailbox(out, mailbox);
  links_.send(other.self, to, out, {});
}

void Remote::send_probe(LeaseId to, const Probe& probe) {
  if (probe.path.size() > probe_path_limit) return;
  Peer& other = peer(to);
  const std::lock_guard lock(other.mutex);
  // Behind all that may end the wait of the agent that it comes to.
  const std::optional<Apart> apart = place_of(other, frame_pair(nullptr, probe.at), false);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(probe_frame);
  spell(out, probe.origin.view());
  out.number(probe.token);
  if (apart) spell(out, probe.at->name.view());
  else write_name(other, out, *probe.at);
  out.number(static_cast<std::uint64_t>(probe.hops));
  out.text(probe.path);
  send_frame(other, out, {}, apart);
}

}  // namespace coracle::detail
