#include "relayed_peers.hpp"

#include "runtime/log.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace coracle::central {

// The node of another lease, as long as both leases last.
class RelayedPeers::Peer final : private Way {
 public:
  Peer(RelayedPeers& home, const Leases& leases)
      : Way(home.station_.turn(), home.largest_taken(), largest_relayed_piece), leases_(leases) {
    begin_relayed(together_, Relayed::frames, leases_);
    bind(home.station_.directory().way().link());
  }

  bool send(ByteSpan frame, const Content& content, const Apart* apart) {
    const bool has_room =
        apart ? send_apart(frame, content, *apart) : send_together(frame, content);
    if (!has_room) blocked_ = true;
    return has_room;
  }
  // Something may go out again; returns whether senders wait for that who can go on.
  bool go_on() { return on_credit() && std::exchange(blocked_, false); }
  // So much was read there; false if that was never sent.
  bool on_read(std::uint64_t bytes) {
    asked_ = false;
    if (bytes > unread_) return false;
    unread_ -= bytes;
    return true;
  }
  // Whether it is known that it has read all.
  bool is_heard() const { return waiting_bytes() == 0 && unread_ == 0; }
  // Whether it should be asked.
  bool is_to_be_asked() { return waiting_bytes() == 0 && !std::exchange(asked_, true); }

  using Way::content;
  using Way::Got;
  using Way::head;
  using Way::take;
  using Way::take_content;
  Way& way() noexcept { return *this; }
  // So many bytes of frames were read; returns whether its sender should be told.
  bool note(std::uint64_t bytes) {
    to_say_ += bytes;
    return to_say_ >= relay_window / 2;
  }
  // What to tell it.
  Bytes account() {
    Bytes frame;
    begin_relayed(frame, Relayed::read, leases_).number(std::exchange(to_say_, 0));
    return frame;
  }
  bool is_refused = false;  // nothing is said to it, or heard of it

 private:
  bool pass(ByteSpan head, const Content& content) override {
    if (unread_ >= relay_window) return false;
    begin_relayed(frame_, Relayed::piece, leases_);
    frame_.insert(frame_.end(), head.begin(), head.end());
    if (link()->session().send(way_lane, frame_, content) == 0) return false;
    unread_ += head.size() + content.size();
    return true;
  }

  std::byte* room_together(std::size_t bytes) override {
    if (unread_ >= relay_window) return nullptr;
    std::byte* const room = room_behind(together_, bytes);
    if (room != nullptr) unread_ += bytes;
    return room;
  }

  const Leases leases_;
  Bytes together_;            // the head of a message of frames
  std::uint64_t unread_ = 0;  // bytes that were sent, as far as is known
  std::uint64_t to_say_ = 0;  // bytes that were read and not told
  bool blocked_ = false;
  bool asked_ = false;
  Bytes frame_;
};

RelayedPeers::RelayedPeers(Station& station, const Delivery& delivery)
    : Traffic(station), fetching_(station, delivery) {}

RelayedPeers::~RelayedPeers() = default;

void RelayedPeers::leave() { fetching_.end(); }

// The node of a lease; nullptr when it is gone.
RelayedPeers::Peer* RelayedPeers::reach(LeaseId lease) {
  auto& found = peers_[lease];
  if (!found && station_.directory().node_of(lease))
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
  tell_apart_gone(leases.to, peer->way());
  return has_room;
}

// Whether senders wait for room there who can go on now.
bool RelayedPeers::goes_on(LeaseId lease, Peer& peer) {
  const bool can = peer.go_on();
  tell_apart_gone(lease, peer.way());
  return can;
}

// The others lie still, so whoever asks may do as the thread of the links does.
bool RelayedPeers::is_heard() {
  net::Link* const link = station_.directory().way().link();
  bool all = is_handed_over() && link != nullptr && is_acknowledged(*link);
  for (const auto& [lease, peer] : peers_) {
    if (peer->is_refused || peer->is_heard()) continue;
    all = false;
    if (!peer->is_to_be_asked()) continue;
    Bytes frame;
    begin_relayed(frame, Relayed::how_much, {self_, lease});
    say(frame);
  }
  return all;
}

// ── what comes ──────────────────────────────────────────────────────────────────────────────────

bool RelayedPeers::on_besides(const net::Arrived& message) {
  if (is_fetch(message.header)) return fetching_.on_message(message.header);
  const RelayedHead head = read_relayed_head(message.header);
  if (!head.ok) return false;
  if (earlier_.contains(head.leases.to)) return true;  // its sender takes it back, or has
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
      detail::log_warning("another node does not understand this one: " + std::string(in.text()),
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
  Together each(frames);
  while (each.next()) {
    if (user_ != nullptr) user_->on_frame(from, each.head(), content_of(each.content()));
    // What it says may be the last that is to be heard of it.
    const auto now = peers_.find(from);
    if (now == peers_.end() || now->second.get() != &peer || peer.is_refused) return true;
  }
  if (!each.ok()) refuse(from, "frames that go together and do not fit");
  return true;
}

// ── what changes ────────────────────────────────────────────────────────────────────────────────

void RelayedPeers::refuse(LeaseId peer, std::string_view reason) {
  station_.run([this, peer, why = std::string(reason)] {
    Bytes frame;
    begin_relayed(frame, Relayed::refused, {self_, peer})
        .text(std::string_view(why).substr(0, largest_refusal));
    say(frame);
    detail::log_warning("what another node says makes no sense: " + why, detail::LogPart::link);
    part_with(peer);
  });
}

// They speak no more, until one of the two has another lease.
void RelayedPeers::part_with(LeaseId lease) {
  if (Peer* const peer = reach(lease)) peer->is_refused = true;
  if (user_ != nullptr) user_->on_gone(lease);
}

void RelayedPeers::on_nodes() {
  std::erase_if(peers_,
                [this](const auto& entry) { return !station_.directory().node_of(entry.first); });
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
