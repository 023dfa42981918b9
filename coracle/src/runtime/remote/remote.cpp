// Gives each frame of another node to the component in charge of its kind. Nothing in a frame is
// trusted before it is checked: a frame that makes no sense ends the link, and nothing else.
#include "remote.hpp"

#include "coracle/support/mutations.hpp"
#include "homes.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/store_state.hpp"
#include "runtime/store/storing.hpp"

namespace coracle::detail {

Remote::Remote(NodeCore& node, Transport& transport) noexcept
    : node_(node),
      transport_(transport),
      peers_(node),
      sources_(node, peers_),
      writer_(node, peers_),
      reader_(node, peers_, sources_),
      slots_(node, peers_, sources_, writer_, reader_),
      store_(node, peers_, writer_),
      store_server_(node, peers_, sources_, writer_, reader_),
      reports_(node, peers_, store_),
      requests_(node, peers_),
      inspections_(node, peers_, requests_),
      operations_(node, peers_),
      steps_(node, peers_),
      own_taps_(node, peers_, requests_, store_),
      taps_of_peers_(node, peers_, requests_, store_, store_server_),
      last_requests_(node, peers_, sources_, requests_, store_server_) {}

Task<> Remote::begin() {
  Directory& directory = node_.directory();
  watch_ = co_await directory.watch(Name(), *this);
  take_lease();
  // Stored messages are loaded before any holder is known. Otherwise a holder could be taken for
  // one that has none of these messages.
  if (node_.backend() != nullptr) store_server_.begin(*Worker::current());
  locate(*node_.mailbox(Node::dead_letters(), *Worker::current()));  // older than the watch
  if (mutated(Mutation::taps_not_asked_for)) co_return;
  Task<> asking = taps_of_peers_.request(*Worker::current());
  co_await asking;
}

void Remote::take_lease(const std::vector<LeaseId>& open) {
  peers_.take_lease(open);
  transport_.attach(*this, node_.lease().id());
}

Task<> Remote::begin_again(Worker& at) {
  Task<> adding = own_taps_.add_again(at);
  co_await adding;
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  for (const LeaseId lease : leases) {
    if (lease != node_.lease().id()) send_store_state(peers_, lease, store_state_of(node_));
  }
}

Task<> Remote::end() {
  if (node_.backend() != nullptr) node_.backend()->end(node_.clock().now());
  transport_.detach();
  co_await node_.directory().unwatch(watch_);
}

bool Remote::send_message(const Holder& to, const MessageRecord& record, std::uint64_t serial) {
  const std::uint8_t kind = is_storing(*record.target) ? store_message_frame : message_frame;
  return writer_.send(kind, peers_.of(to.lease), to, record, serial);
}

void Remote::on_frame(LeaseId from, std::span<const std::byte> frame, Content content) {
  if (node_.is_here()) return read(*Worker::current(), peers_.of(from), frame, std::move(content));
  std::vector<std::byte> copy(frame.begin(), frame.end());
  const LeaseId self = peers_.self();
  peers_.reader_of(from).post(
      command([this, self, from, copy = std::move(copy), content](Worker& at) {
        // Otherwise nothing of the peer is known any more.
        if (self == peers_.self()) read(at, peers_.of(from), copy, Content(content));
      }));
}

void Remote::on_too_large(LeaseId from, std::span<const std::byte> frame) {
  if (!node_.is_here()) {
    std::vector<std::byte> copy(frame.begin(), frame.end());
    return peers_.reader_of(from).post(
        command([this, self = peers_.self(), from, copy = std::move(copy)](Worker&) {
          if (self == peers_.self()) on_too_large(from, copy);
        }));
  }
  Peer& other = peers_.of(from);
  other.is_cut = true;
  read(*Worker::current(), other, frame, {});
  other.is_cut = false;
}

std::size_t Remote::content_limit() const noexcept { return node_.options().content_limit; }

void Remote::read(Worker& at, Peer& from, std::span<const std::byte> frame, Content&& content) {
  if (reader_.read_short(at, from, frame, content)) return;
  if (!from.is_listened_to()) return;
  FrameReader in(frame);
  const std::uint8_t kind = in.byte();
  // For other kinds, the work of other workers must come behind the earlier messages: these are
  // published. Reports are sent once in a turn, not between those that have come.
  const bool stays_here = kind == reports_frame && node_.worker_count() == 1;
  const bool is_message = kind == message_frame || kind == store_message_frame;
  if (!is_message && !stays_here) at.publish();
  try {
    if (!dispatch(at, kind, from, in, std::move(content)))
      peers_.refuse(from.lease, "a frame that cannot be understood");
  } catch (const Error& error) {
    peers_.refuse(from.lease, error.sentence());
  }
}

// Returns false for a frame that makes no sense.
bool Remote::dispatch(Worker& at, std::uint8_t kind, Peer& from, FrameReader& in,
                      Content&& content) {
  switch (kind) {
    case message_frame:
      return reader_.read(at, from, in, std::move(content));
    case reports_frame:
      return reports_.read(from, in);
    case closed_frame:
      return reports_.read_closed(from, in);
    case slot_request_frame:
      return slots_.read(at, from, in, std::move(content));
    case slot_withdrawal_frame:
      return slots_.read_withdrawal(from, in);
    case slot_answer_frame:
      return slots_.read_reply(from, in);
    case mailbox_frame:
      return reports_.read_mailbox(from, in);
    case probe_frame:
      return reports_.read_probe(at, from, in);
    case greeting_frame:
      return own_taps_.read_greeting(from, in);
    case tap_frame:
      return taps_of_peers_.read(at, from, in);
    case no_tap_frame:
      return taps_of_peers_.read_drop(from, in);
    case answer_frame:
      return taps_of_peers_.read_reply(from, in);
    case store_state_frame:
      return store_.read_state(from, in);
    case hand_over_frame:
      return store_server_.read_hand_over(at, from, in, std::move(content));
    case taken_over_frame:
      return store_.read_taken_over(from, in);
    case store_message_frame:
      return store_server_.read_message(at, from, in, std::move(content));
    case refused_request_frame:
      return requests_.read_refused(from, in);
    case denied_frame:
      return requests_.read_denied(from, in);
    case look_frame:
      return inspections_.read(at, from, in);
    case inspection_frame:
      return inspections_.read_reply(from, in);
    case act_frame:
      return operations_.read(at, from, in);
    case acted_frame:
      return operations_.read_reply(from, in);
    case step_frame:
      return steps_.read(at, from, in);
    case stepped_frame:
      return steps_.read_reply(from, in);
    case last_frame:
      return last_requests_.read(from, in);
    default:
      return false;
  }
}

}  // namespace coracle::detail
