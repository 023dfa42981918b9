// Another node of the society, as one node of it sees it: the way there, under which leases both
// speak, and what came before the directory had told of these.
#pragma once

#include "peers.hpp"
#include "runtime/log.hpp"

#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace coracle::distributed {

// Says of which lease the frames behind it are, and for which; no frame of the node's begins so.
inline constexpr std::uint8_t leases_frame = 0xf0;

class Peers::Peer final : public net::SessionEvents {
 public:
  Peer(Peers& home, std::string node)
      : node_(std::move(node)), home_(home), way_(home.station_.turn(), home.largest_taken()) {}

  Way& way() noexcept { return way_; }
  bool send(const Leases& leases, ByteSpan frame, const Content& content, const Apart* apart) {
    if (told_ != leases) tell(leases);
    const bool has_room = judge(leases, frame, content, apart);
    if (!has_room) blocked_ = true;
    home_.tell_apart_gone(leases.to, way_);
    return has_room;
  }
  // What the policy does not let the other one have stays here.
  bool judge(const Leases& leases, ByteSpan frame, const Content& content, const Apart* apart) {
    Gate& gate = home_.station_.directory().gate();
    if (!gate.is_set()) return pass(frame, content, apart);
    const Checkpoint::Ruling ruling = gate.rule(leases, frame);
    if (ruling == Checkpoint::Ruling::dropped) return true;
    if (ruling == Checkpoint::Ruling::replaced) return pass(gate.instead(), {}, apart);
    return pass(frame, content, apart);
  }
  bool pass(ByteSpan frame, const Content& content, const Apart* apart) {
    return apart ? way_.send_apart(frame, content, *apart) : way_.send_together(frame, content);
  }
  // The directory has told of a lease, or the node has another one itself. What is for a lease of
  // ours of which we never learn waits for good, and holds up nothing else.
  void look_again() {
    state_ = state_of(heard_);
    if (state_ != State::unknown) release_parts();
    for (Held& each : std::exchange(held_, {})) {
      const State state = state_of(each.leases);
      if (state == State::unknown) {
        held_.push_back(std::move(each));
        continue;
      }
      if (state == State::open) read(each);
      way_.release(each.bytes);
    }
  }

  void on_arrived(const net::Arrived& message) override {
    const Way::Got got = way_.take(message);
    if (got == Way::Got::nonsense) return fail("pieces of a frame that do not fit");
    if (got == Way::Got::part) return on_part(message.bytes());
    const bool is_cut = got == Way::Got::too_large;
    if (way_.head().front() == std::byte{leases_frame}) {
      way_.release(message.bytes());
      return hear();
    }
    if (is_piece(message.header) && way_.head().front() == together_mark)
      return fail("frames that go together, in pieces");
    if (heard_ == Leases()) return fail("a frame before its sender's lease");
    if (state_ == State::over) return way_.release(message.bytes());
    if (state_ == State::unknown) {
      Bytes head(way_.head().begin(), way_.head().end());
      held_.push_back({heard_, std::move(head), way_.take_content(), message.bytes(), is_cut});
      return;
    }
    if (way_.head().front() == together_mark && !is_cut)
      read_together(heard_, way_.head(), way_.content());
    else read_one(heard_, way_.head(), way_.take_content(), is_cut);
    way_.release(message.bytes());
  }
  void on_settled(const net::Settled&) override {}
  void on_credit(net::Lane) override {
    const bool has_room = way_.on_credit();
    home_.tell_apart_gone(told_.to, way_);
    if (!has_room || !std::exchange(blocked_, false)) return;
    if (home_.user_ != nullptr) home_.user_->on_room(told_.to);
  }
  void on_open(net::Opening) override {
    say("connected");
    if (!home_.parted_.empty()) home_.look_for(node_);
  }
  void on_lost(const net::Closing& why) override { say("connection lost: " + why.sentence); }
  void on_restarted(const net::Unsettled&) override { forget(); }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&, const net::Unsettled&) override { forget(); }

  // It says no more under this lease: what it has told is known in part.
  void fail(const std::string& why) {
    is_over_ = true;
    way_.link()->session().close(net::Reason::malformed, why);
  }
  // Nobody is there.
  bool is_silent() const {
    return way_.link() != nullptr && !way_.link()->session().is_attached() && held_.empty();
  }

 private:
  // Of what was sent under some leases.
  enum class State : std::uint8_t {
    unknown,  // the directory has not told of them yet
    open,
    over,  // whoever sent it has taken it back, or will
  };
  struct Held {
    Leases leases;
    Bytes head;
    Content content;
    std::size_t bytes;
    bool is_cut;
  };

  void say(const std::string& what) const {
    detail::log_debug(detail::LogPart::link, [&] { return "link to " + node_ + ": " + what; });
  }

  void tell(const Leases& leases) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(leases_frame);
    out.number(leases.from);
    out.number(leases.to);
    told_ = leases;
    way_.begin_anew(frame);
  }

  void hear() {
    FrameReader in(way_.head());
    in.byte();
    Leases leases;
    leases.from = in.number();
    leases.to = in.number();
    const auto info = home_.station_.directory().node_of(leases.from);
    if (!in.ok() || (info && info->node != node_)) return fail("a lease that is not its own");
    if (leases.from != heard_.from) {
      drop_held();
      is_over_ = false;
    }
    way_.forget_parts();
    release_parts();
    heard_ = leases;
    look_again();
  }

  // A part of a frame takes its room until it is known whether the frame will be read.
  void on_part(std::size_t bytes) {
    parts_held_ += bytes;
    ++parts_;
    if (state_ != State::unknown) release_parts();
  }
  void release_parts() {
    if (parts_ == 0) return;
    way_.release(std::exchange(parts_held_, 0), std::exchange(parts_, 0));
  }

  // What a node said under one lease is over when it says something under another.
  void drop_held() {
    for (const Held& each : std::exchange(held_, {})) way_.release(each.bytes);
  }

  State state_of(const Leases& leases) const {
    DirectoryClient& directory = home_.station_.directory();
    if (home_.earlier_.contains(leases.to) || directory.has_ended(leases.from)) return State::over;
    if (leases.to != home_.self_ || home_.parted_.contains(leases.from)) return State::unknown;
    const auto info = directory.node_of(leases.from);
    return info && info->node == node_ ? State::open : State::unknown;
  }

  void read(Held& held) {
    if (held.head.front() == together_mark && !held.is_cut)
      return read_together(held.leases, held.head, held.content.bytes());
    read_one(held.leases, held.head, std::move(held.content), held.is_cut);
  }

  void read_together(const Leases& leases, ByteSpan head, ByteSpan frames) {
    Together each(frames);
    while (each.next()) read_one(leases, each.head(), content_of(each.content()));
    if (!each.ok() || head.size() != 1) fail("frames that go together and do not fit");
  }

  // `is_cut`: its content was too large, and is thrown away.
  void read_one(const Leases& leases, ByteSpan head, Content&& content, bool is_cut = false) {
    if (home_.user_ == nullptr || is_over_) return;
    Gate& gate = home_.station_.directory().gate();
    const auto ruling = gate.is_set() ? gate.rule(leases, head) : Checkpoint::Ruling::passes;
    switch (ruling) {
      case Checkpoint::Ruling::passes:
        if (is_cut) return home_.user_->on_too_large(leases.from, head);
        return home_.user_->on_frame(leases.from, head, std::move(content));
      case Checkpoint::Ruling::replaced:
        return home_.user_->on_frame(leases.from, gate.instead(), {});
      case Checkpoint::Ruling::dropped:
        return;
      case Checkpoint::Ruling::nonsense:
        return fail("a frame that the policy cannot be asked about");
    }
  }

  void let_go() {
    held_.clear();
    parts_held_ = parts_ = 0;
    way_.bind(way_.link());
    blocked_ = false;
    state_ = State::unknown;
  }

  // What was said between us is nothing any more. Whether it lives, the directory says.
  void forget() {
    let_go();
    const LeaseId heard = std::exchange(heard_, {}).from;
    const LeaseId told = std::exchange(told_, {}).to;
    home_.part(heard);
    if (told != heard) home_.part(told);
  }

  const std::string node_;
  Peers& home_;
  Way way_;
  Leases heard_;                  // of what comes, as the peer has said
  Leases told_;                   // of what goes
  State state_ = State::unknown;  // of what comes
  bool blocked_ = false;
  bool is_over_ = false;  // what it has said under this lease made no sense
  std::deque<Held> held_;
  std::size_t parts_ = 0, parts_held_ = 0;  // of frames that came in part meanwhile; their bytes
};

}  // namespace coracle::distributed
