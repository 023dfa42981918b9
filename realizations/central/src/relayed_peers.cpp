#include "relayed_peers.hpp"

#include "coracle/support/log.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace coracle::central {

// The node of another lease, as long as both leases last.
class RelayedPeers::Peer final : private FrameChannel {
 public:
  Peer(RelayedPeers& home, const Leases& leases)
      : FrameChannel(home.connectivity_.flush_queue(), home.largest_taken(), largest_relayed_piece,
                     largest_relayed_piece),
        leases_(leases) {
    begin_relayed(together_, Relayed::frames, leases_);
    bind(home.connectivity_.directory().channel().link());
  }

  bool send(ByteSpan frame, const Content& content, const Apart* apart) {
    const bool has_room =
        apart ? send_apart(frame, content, *apart) : send_in_batch(frame, content);
    if (!has_room) blocked_ = true;
    return has_room;
  }
  // Called when something may go out again; returns whether there are waiting senders that can go
  // on now.
  bool go_on() { return on_credit() && std::exchange(blocked_, false); }
  // The other node has read `bytes`; returns false if they were never sent.
  bool on_read(std::uint64_t bytes) {
    asked_ = false;
    if (bytes > unread_) return false;
    unread_ -= bytes;
    return true;
  }
  // Returns whether it is known that the other node has read everything.
  bool all_acknowledged() const { return waiting_bytes() == 0 && unread_ == 0; }
  // Returns whether a report of the read bytes should be requested.
  bool is_to_be_asked() { return waiting_bytes() == 0 && !std::exchange(asked_, true); }

  using FrameChannel::content;
  using FrameChannel::Got;
  using FrameChannel::head;
  using FrameChannel::take;
  using FrameChannel::take_content;
  FrameChannel& channel() noexcept { return *this; }
  // Counts `bytes` of frames that were read; returns whether they should be reported to their
  // sender.
  bool note(std::uint64_t bytes) {
    to_say_ += bytes;
    return to_say_ >= relay_window / 2;
  }
  // The report of the bytes that were read.
  Bytes account() {
    Bytes frame;
    begin_relayed(frame, Relayed::read, leases_).number(std::exchange(to_say_, 0));
    return frame;
  }
  bool is_refused = false;  // nothing is sent to this node or accepted from it

 private:
  bool pass(ByteSpan head, const Content& content) override {
    if (unread_ >= relay_window) return false;
    begin_relayed(frame_, Relayed::piece, leases_);
    frame_.insert(frame_.end(), head.begin(), head.end());
    if (link()->session().send(frame_, content) == 0) return false;
    unread_ += head.size() + content.size();
    return true;
  }

  std::byte* room_in_batch(std::size_t bytes) override {
    if (unread_ >= relay_window) return nullptr;
    std::byte* const room = room_behind(together_, bytes);
    if (room != nullptr) unread_ += bytes;
    return room;
  }

  const Leases leases_;
  Bytes together_;            // the head of a message with a frame batch
  std::uint64_t unread_ = 0;  // bytes that were sent and not reported as read
  std::uint64_t to_say_ = 0;  // bytes that were read and not reported
  bool blocked_ = false;
  bool asked_ = false;
  Bytes frame_;
};

RelayedPeers::RelayedPeers(NodeConnectivity& connectivity, const Delivery& delivery)
    : FrameTransport(connectivity), fetching_(connectivity, delivery) {}

RelayedPeers::~RelayedPeers() = default;

void RelayedPeers::leave() { fetching_.end(); }

// Returns the node of a lease; nullptr when that node is gone.
RelayedPeers::Peer* RelayedPeers::reach(LeaseId lease) {
  auto& found = peers_[lease];
  if (!found && connectivity_.directory().replica().node_of(lease))
    found = std::make_unique<Peer>(*this, Leases{self_, lease});
  if (found) return found.get();
  peers_.erase(lease);
  return nullptr;
}

bool RelayedPeers::send_now(const Leases& leases, ByteSpan frame, const Content& content,
                            const Apart* apart) {
  if (leases.from != self_) return true;
  Peer* const peer = reach(leases.to);
  if (peer == nullptr || peer->is_refused) return true;
  const bool has_room = peer->send(frame, content, apart);
  report_apart_gone(leases.to, peer->channel());
  return has_room;
}

// Returns whether senders that wait for room there can go on now.
bool RelayedPeers::goes_on(LeaseId lease, Peer& peer) {
  const bool can = peer.go_on();
  report_apart_gone(lease, peer.channel());
  return can;
}

// The other threads are idle, so any caller may act like the thread of the links.
bool RelayedPeers::all_acknowledged() {
  net::Link* const link = connectivity_.directory().channel().link();
  bool all = is_handed_over() && link != nullptr && is_acknowledged(*link);
  for (const auto& [lease, peer] : peers_) {
    if (peer->is_refused || peer->all_acknowledged()) continue;
    all = false;
    if (!peer->is_to_be_asked()) continue;
    Bytes frame;
    begin_relayed(frame, Relayed::how_much, {self_, lease});
    say(frame);
  }
  return all;
}

// ── incoming messages ────────────────────────────────────────────────────────────────────────────

bool RelayedPeers::on_besides(const net::Arrived& message) {
  if (is_fetch(message.header)) return fetching_.on_message(message.header);
  const RelayedHead head = read_relayed_head(message.header);
  if (!head.ok) return false;
  if (earlier_.contains(head.leases.to)) return true;  // its sender takes it back
  if (head.leases.to == self_) return read(head, message);
  const auto copy = [](ByteSpan bytes) { return Bytes(bytes.begin(), bytes.end()); };
  early_.push_back({copy(message.header), copy(message.content)});
  return true;
}

void RelayedPeers::on_bound() {
  peers_.clear();
  fetching_.begin(self_);
  for (const Early& early : std::exchange(early_, {})) {
    net::Arrived message{};
    message.header = early.header;
    message.content = early.content;
    (void)on_besides(message);
  }
}

bool RelayedPeers::read(const RelayedHead& head, const net::Arrived& message) {
  const LeaseId from = head.leases.from;
  Peer* const peer = reach(from);
  if (peer == nullptr || peer->is_refused) return true;
  FrameReader in(message.header.subspan(head.size));
  switch (head.kind) {
    case Relayed::piece:
      return read_piece(*peer, head, message);
    case Relayed::frames:
      return read_frames(*peer, head, message.content);
    case Relayed::read: {
      const std::uint64_t bytes = in.number();
      if (!in.ok() || !peer->on_read(bytes)) return false;
      if (goes_on(from, *peer) && user_ != nullptr) user_->on_room(from);
      return true;
    }
    case Relayed::how_much:
      say(peer->account());
      return true;
    case Relayed::refused:
      detail::log_warning("another node refuses the frames of this node: " + std::string(in.text()),
                          detail::LogPart::link);
      part_with(from);
      return true;
  }
  return false;
}

bool RelayedPeers::read_piece(Peer& peer, const RelayedHead& head, const net::Arrived& message) {
  net::Arrived piece = message;
  piece.header = message.header.subspan(head.size);
  const Peer::Got got = peer.take(piece);
  if (peer.note(piece.bytes())) say(peer.account());
  if (got == Peer::Got::nonsense) {
    refuse(head.leases.from, "pieces of a frame that do not fit");
    return true;
  }
  if (got == Peer::Got::part || user_ == nullptr) return true;
  if (got == Peer::Got::too_large) {
    user_->on_too_large(head.leases.from, peer.head());
    return true;
  }
  user_->on_frame(head.leases.from, peer.head(), peer.take_content());
  return true;
}

bool RelayedPeers::read_frames(Peer& peer, const RelayedHead& head, ByteSpan frames) {
  const LeaseId from = head.leases.from;
  if (peer.note(frames.size())) say(peer.account());
  FrameBatch each(frames);
  while (each.next()) {
    if (user_ != nullptr) user_->on_frame(from, each.head(), content_of(each.content()));
    // The frame just handled may be the last that is accepted from this node.
    const auto now = peers_.find(from);
    if (now == peers_.end() || now->second.get() != &peer || peer.is_refused) return true;
  }
  if (!each.ok()) refuse(from, "a frame batch that cannot be understood");
  return true;
}

// ── changes ──────────────────────────────────────────────────────────────────────────────────────

void RelayedPeers::refuse(LeaseId peer, std::string_view reason) {
  connectivity_.run([this, peer, why = std::string(reason)] {
    Bytes frame;
    begin_relayed(frame, Relayed::refused, {self_, peer})
        .text(std::string_view(why).substr(0, largest_refusal));
    say(frame);
    detail::log_warning("the frames of another node are refused: " + why, detail::LogPart::link);
    part_with(peer);
  });
}

// The two nodes exchange nothing more until one of them has another lease.
void RelayedPeers::part_with(LeaseId lease) {
  if (Peer* const peer = reach(lease)) peer->is_refused = true;
  if (user_ != nullptr) user_->on_gone(lease);
}

void RelayedPeers::on_nodes() {
  std::erase_if(peers_, [this](const auto& entry) {
    return !connectivity_.directory().replica().node_of(entry.first);
  });
}

void RelayedPeers::on_service() {
  fetching_.end();
  peers_.clear();
  early_.clear();
}

void RelayedPeers::on_room() {
  std::vector<LeaseId> free;
  for (const auto& [lease, peer] : peers_) {
    if (goes_on(lease, *peer)) free.push_back(lease);
  }
  for (const LeaseId lease : free) {
    if (user_ != nullptr) user_->on_room(lease);
  }
}

}  // namespace coracle::central
