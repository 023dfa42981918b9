// Another node of the society, as one node of it sees it: the frame channel to that node, the
// leases under which both nodes send, and what arrived before the directory had announced these
// leases.
#pragma once

#include "coracle/support/log.hpp"
#include "peers.hpp"

#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace coracle::distributed {

// Gives the lease that the frames behind it are from, and the lease that they are for; no frame of
// the node itself begins with this byte.
inline constexpr std::uint8_t leases_frame = 0xf0;

class Peers::Peer final : public net::SessionEvents {
 public:
  Peer(Peers& home, std::string node)
      : node_(std::move(node)),
        home_(home),
        channel_(home.connectivity_.flush_queue(), home.largest_taken()) {}

  FrameChannel& channel() noexcept { return channel_; }
  bool send(const Leases& leases, ByteSpan frame, const Content& content, const Apart* apart) {
    if (told_ != leases) tell(leases);
    const bool has_room = judge(leases, frame, content, apart);
    if (!has_room) blocked_ = true;
    home_.report_apart_gone(leases.to, channel_);
    return has_room;
  }
  // A frame that the policy does not allow the other node to have is not sent.
  bool judge(const Leases& leases, ByteSpan frame, const Content& content, const Apart* apart) {
    Gate& gate = home_.connectivity_.directory().replica().gate();
    if (!gate.is_set()) return pass(frame, content, apart);
    const Checkpoint::Ruling ruling = gate.rule(leases, frame);
    if (ruling == Checkpoint::Ruling::dropped) return true;
    if (ruling == Checkpoint::Ruling::replaced) return pass(gate.instead(), {}, apart);
    return pass(frame, content, apart);
  }
  bool pass(ByteSpan frame, const Content& content, const Apart* apart) {
    return apart ? channel_.send_apart(frame, content, *apart)
                 : channel_.send_in_batch(frame, content);
  }
  // The directory has announced a lease, or this node has another one itself. A frame for a lease
  // of ours that we never learn of waits for good, and blocks nothing else.
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
      channel_.release(each.bytes);
    }
  }

  void on_arrived(const net::Arrived& message) override {
    const FrameChannel::Got got = channel_.take(message);
    if (got == FrameChannel::Got::nonsense) return fail("pieces of a frame that do not fit");
    if (got == FrameChannel::Got::part) return on_part(message.bytes());
    const bool is_cut = got == FrameChannel::Got::too_large;
    if (channel_.head().front() == std::byte{leases_frame}) {
      channel_.release(message.bytes());
      return hear();
    }
    if (is_piece(message.header) && channel_.head().front() == batch_mark)
      return fail("a frame batch in pieces");
    if (heard_ == Leases()) return fail("a frame before its sender's lease");
    if (state_ == State::over) return channel_.release(message.bytes());
    if (state_ == State::unknown) {
      Bytes head(channel_.head().begin(), channel_.head().end());
      held_.push_back({heard_, std::move(head), channel_.take_content(), message.bytes(), is_cut});
      return;
    }
    if (channel_.head().front() == batch_mark && !is_cut)
      read_batch(heard_, channel_.head(), channel_.content());
    else read_one(heard_, channel_.head(), channel_.take_content(), is_cut);
    channel_.release(message.bytes());
  }
  void on_credit() override {
    const bool has_room = channel_.on_credit();
    home_.report_apart_gone(told_.to, channel_);
    if (!has_room || !std::exchange(blocked_, false)) return;
    if (home_.user_ != nullptr) home_.user_->on_room(told_.to);
  }
  void on_open(net::Opening) override {
    say("connected");
    if (!home_.parted_.empty()) home_.look_for(node_);
  }
  void on_lost(const net::Closing& why) override { say("connection lost: " + why.sentence); }
  void on_restarted() override { forget(); }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&) override { forget(); }

  // This node sends nothing more under this lease: an unknown part of what it sent was read.
  void fail(const std::string& why) {
    is_over_ = true;
    channel_.link()->session().close(net::Reason::malformed, why);
  }
  // Returns whether the node is not connected and nothing of it waits.
  bool is_silent() const {
    return channel_.link() != nullptr && !channel_.link()->session().is_attached() && held_.empty();
  }

 private:
  // The state of the frames that were sent under some leases.
  enum class State : std::uint8_t {
    unknown,  // the directory has not announced the leases yet
    open,
    over,  // the sender has taken the frames back, or will
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
    channel_.begin_anew(frame);
  }

  void hear() {
    FrameReader in(channel_.head());
    in.byte();
    Leases leases;
    leases.from = in.number();
    leases.to = in.number();
    const auto info = home_.connectivity_.directory().replica().node_of(leases.from);
    if (!in.ok() || (info && info->node != node_)) return fail("a lease that is not its own");
    if (leases.from != heard_.from) {
      drop_held();
      is_over_ = false;
    }
    channel_.forget_parts();
    release_parts();
    heard_ = leases;
    look_again();
  }

  // A part of a frame occupies its room until it is known whether the frame will be read.
  void on_part(std::size_t bytes) {
    parts_held_ += bytes;
    ++impl_;
    if (state_ != State::unknown) release_parts();
  }
  void release_parts() {
    if (impl_ == 0) return;
    channel_.release(std::exchange(parts_held_, 0), std::exchange(impl_, 0));
  }

  // The frames that a node sent under one lease are over when it sends under another.
  void drop_held() {
    for (const Held& each : std::exchange(held_, {})) channel_.release(each.bytes);
  }

  State state_of(const Leases& leases) const {
    SharedReplica& known = home_.connectivity_.directory().replica();
    if (home_.earlier_.contains(leases.to) || known.lock()->has_ended(leases.from))
      return State::over;
    if (leases.to != home_.self_ || home_.parted_.contains(leases.from)) return State::unknown;
    const auto info = known.node_of(leases.from);
    return info && info->node == node_ ? State::open : State::unknown;
  }

  void read(Held& held) {
    if (held.head.front() == batch_mark && !held.is_cut)
      return read_batch(held.leases, held.head, held.content.bytes());
    read_one(held.leases, held.head, std::move(held.content), held.is_cut);
  }

  void read_batch(const Leases& leases, ByteSpan head, ByteSpan frames) {
    FrameBatch each(frames);
    while (each.next()) read_one(leases, each.head(), content_of(each.content()));
    if (!each.ok() || head.size() != 1) fail("a frame batch that cannot be understood");
  }

  // `is_cut`: the content was too large, and was thrown away.
  void read_one(const Leases& leases, ByteSpan head, Content&& content, bool is_cut = false) {
    if (home_.user_ == nullptr || is_over_) return;
    Gate& gate = home_.connectivity_.directory().replica().gate();
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
        return fail("a frame that cannot be checked against the policy");
    }
  }

  void let_go() {
    held_.clear();
    parts_held_ = impl_ = 0;
    channel_.bind(channel_.link());
    blocked_ = false;
    state_ = State::unknown;
  }

  // Everything that the two nodes have agreed on is void. The directory decides whether the other
  // node lives.
  void forget() {
    let_go();
    const LeaseId heard = std::exchange(heard_, {}).from;
    const LeaseId told = std::exchange(told_, {}).to;
    home_.part(heard);
    if (told != heard) home_.part(told);
  }

  const std::string node_;
  Peers& home_;
  FrameChannel channel_;
  Leases heard_;                  // of incoming frames, as the peer has announced them
  Leases told_;                   // of outgoing frames
  State state_ = State::unknown;  // of incoming frames
  bool blocked_ = false;
  bool is_over_ = false;  // the peer's frames under this lease made no sense
  std::deque<Held> held_;
  std::size_t impl_ = 0, parts_held_ = 0;  // parts of frames that arrived, and their bytes
};

}  // namespace coracle::distributed
