// The frames that a node sends to other nodes. A frame is a kind, followed by the contents of that
// kind. A name is spelled once for each pair of nodes; after that, a number stands for it.
#include "remote.hpp"

#include "coracle/support/mutations.hpp"
#include "homes.hpp"
#include "runtime/mailbox/probe.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/store_state.hpp"
#include "runtime/store/storing.hpp"

#include <algorithm>

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
      peeks_(node, peers_, requests_),
      own_taps_(node, peers_, requests_, store_),
      taps_of_peers_(node, peers_, requests_, store_, store_server_),
      last_requests_(node, peers_, sources_, requests_, store_server_) {}

Remote::~Remote() = default;

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
  transport_.attach(*this, node_.lease());
}

Task<> Remote::begin_again(Worker& at) {
  Task<> adding = own_taps_.add_again(at);
  co_await adding;
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  for (const LeaseId lease : leases) {
    if (lease != node_.lease()) send_store_state(peers_, lease, store_state_of(node_));
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
  bool is_good = false;
  const std::uint8_t kind = in.byte();
  // For other kinds, the work of other workers must come behind the earlier messages: these are
  // published. Reports are sent once in a turn, not between those that have come.
  const bool stays_here = kind == reports_frame && node_.worker_count() == 1;
  const bool is_message = kind == message_frame || kind == store_message_frame;
  if (!is_message && !stays_here) at.publish();
  try {
    switch (kind) {
      case message_frame:
        is_good = reader_.read(at, from, in, std::move(content));
        break;
      case reports_frame:
        is_good = reports_.read(from, in);
        break;
      case closed_frame:
        is_good = reports_.read_closed(from, in);
        break;
      case slot_request_frame:
        is_good = slots_.read(at, from, in, std::move(content));
        break;
      case slot_cancellation_frame:
        is_good = slots_.read_cancellation(from, in);
        break;
      case slot_answer_frame:
        is_good = slots_.read_reply(from, in);
        break;
      case mailbox_frame:
        is_good = reports_.read_mailbox(from, in);
        break;
      case probe_frame:
        is_good = reports_.read_probe(at, from, in);
        break;
      case hello_frame:
        is_good = own_taps_.read_greeting(from, in);
        break;
      case tap_frame:
        is_good = taps_of_peers_.read(at, from, in);
        break;
      case no_tap_frame:
        is_good = taps_of_peers_.read_drop(from, in);
        break;
      case answer_frame:
        is_good = taps_of_peers_.read_reply(from, in);
        break;
      case store_state_frame:
        is_good = store_.read_state(from, in);
        break;
      case hand_over_frame:
        is_good = store_server_.read_hand_over(at, from, in, std::move(content));
        break;
      case taken_over_frame:
        is_good = store_.read_taken_over(from, in);
        break;
      case store_message_frame:
        is_good = store_server_.read_message(at, from, in, std::move(content));
        break;
      case refused_question_frame:
        is_good = requests_.read_refused(from, in);
        break;
      case denied_frame:
        is_good = requests_.read_denied(from, in);
        break;
      case peek_frame:
        is_good = peeks_.read(at, from, in);
        break;
      case peeked_frame:
        is_good = peeks_.read_reply(from, in);
        break;
      case last_frame:
        is_good = last_requests_.read(from, in);
        break;
      default:
        break;
    }
  } catch (const Error& error) {
    return peers_.refuse(from.lease, error.sentence());
  }
  if (!is_good) peers_.refuse(from.lease, "a frame that cannot be understood");
}

}  // namespace coracle::detail
