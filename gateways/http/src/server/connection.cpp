#include "server/connection.hpp"

#include "server/exchange.hpp"
#include "server/state.hpp"
#include "stream/socket_channel.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace coracle::http {

namespace {

// As much is taken from a stream at once; the rest stays where it is counted.
constexpr std::size_t fed_at_once = 64 * 1024;

// Of the requests that a connection brings at once, such a part is handled before others have their
// turn: so the first responses leave while the other requests are handled.
constexpr std::size_t parts_of_a_burst = 8;

}  // namespace

ServerConnection::ServerConnection(std::shared_ptr<ServerState> server, std::uint64_t id,
                                   std::unique_ptr<Wire> wire, std::shared_ptr<PeerShare> share,
                                   std::string peer)
    : Channel(server->loop(), std::move(wire)),
      server_(std::move(server)),
      id_(id),
      share_(std::move(share)),
      peer_(std::move(peer)),
      session_(server_->settings(), server_->budget(), share_->budget, peer_, now()) {
  if (auto context = server_->tls()) expect_tls(std::move(context));
}

// --- requests ---

// The first bytes of a request come behind the handshake of TLS.
void ServerConnection::on_bytes(std::string_view bytes) {
  if (!subject_) {
    try {
      subject_ = wire().peer_subject();
    } catch (const Error& error) {
      server_->note_refusal(peer_, error.sentence());
      return close();
    }
  }
  session_.on_bytes(bytes, now());
}

void ServerConnection::produce() {
  if (!continues_) handle_some();
  feed_stream();
}

void ServerConnection::handle_some() {
  at_once_ = std::max({std::size_t{1}, at_once_, session_.jobs() / parts_of_a_burst});
  for (std::size_t count = 0; count < at_once_ && session_.jobs() != 0; ++count)
    handle(*session_.next_job());
  if (session_.jobs() == 0) {
    at_once_ = 0;
    return;
  }
  continues_ = true;
  loop().later([self = self()] {
    self->continues_ = false;
    self->work();
  });
}

void ServerConnection::handle(ServerSession::Job job) {
  ++open_;
  ++server_->counts().requests;
  job.request.certificate_subject = subject_.value_or(std::string());
  auto exchange = std::make_shared<Exchange>(server_->shared_loop(), self(), job.number, has_left_,
                                             job.request);
  const Responder responder(exchange);
  try {
    (*job.handler)(std::move(job.request), responder);
  } catch (const std::exception& error) {
    server_->note_failure(error.what());
    responder.send(Response::plain(500));
  }
}

void ServerConnection::respond(std::uint64_t number, Response response) {
  if (is_closed()) return;
  if (session_.is_open(number)) --open_, ++server_->counts().responses;
  session_.respond(number, std::move(response), now());
  work_soon();
}

void ServerConnection::note_refusals() {
  for (const Refusal& each : session_.take_refusals()) server_->note_refusal(peer_, each.reason);
}

// --- streams ---

void ServerConnection::begin_stream(std::uint64_t number, Response head,
                                    std::shared_ptr<StreamQueue> queue) {
  if (is_closed() || !session_.is_open(number)) return queue->end();
  --open_;
  ++server_->counts().responses;
  streams_.emplace(number, std::move(queue));
  session_.begin_stream(number, std::move(head), now());
  work_soon();
}

void ServerConnection::feed_stream() {
  auto next = session_.streaming();
  for (; next; next = session_.streaming()) {
    const auto place = streams_.find(*next);
    if (place == streams_.end()) return;  // it has just begun
    StreamQueue& queue = *place->second;
    bool has_fed = false;
    while (session_.output().size() < fed_at_once) {
      const auto text = queue.pop();
      if (!text) break;
      session_.stream(*text, now());
      has_fed = true;
    }
    if (queue.heartbeat() > Duration::zero() && (has_fed || beats_at_ == Time::max()))
      beats_at_ = now() + queue.heartbeat();
    if (!queue.is_over()) break;
    beats_at_ = Time::max();
    session_.end_stream(now());
    queue.end();
    streams_.erase(place);
  }
  // Those before it got their turn without anything to send, as for HEAD.
  while (!streams_.empty() && streams_.begin()->first < next.value_or(session_.next_number())) {
    streams_.begin()->second->end();
    streams_.erase(streams_.begin());
  }
}

void ServerConnection::end_streams() {
  for (const auto& [number, queue] : std::exchange(streams_, {})) queue->end();
}

// --- WebSocket ---

void ServerConnection::begin_socket(std::uint64_t number, Response head,
                                    std::shared_ptr<SocketQueue> queue) {
  if (is_closed() || !session_.is_open(number)) return queue->end({CloseCode::lost, {}});
  --open_;
  ++server_->counts().responses;
  socket_ = std::move(queue);
  session_.begin_socket(number, std::move(head), now());
  work_soon();
}

// From here on, the connection is a WebSocket.
void ServerConnection::upgrade() {
  Output before = std::move(session_.output());
  const std::string first = session_.take_unread();
  const auto self = shared_from_this();
  auto made = SocketChannel::begin(
      loop(), release(), std::exchange(socket_, nullptr), false, std::move(before), first,
      [server = server_, share = share_, id = id_] { server->remove(id, *share); });
  server_->replace(id_, std::move(made));
}

// --- the end ---

void ServerConnection::decide() {
  note_refusals();
  if (session_.is_broken()) return close();
  if (session_.switched()) return upgrade();
  if (session_.is_over() && session_.output().empty()) end(server_->settings().limits.linger_time);
}

void ServerConnection::finish() {
  session_.finish();
  for (const auto& [number, queue] : streams_) queue->close();
  work_soon();
}

void ServerConnection::on_end() {
  session_.on_end(now());
  // A client that sends nothing more still wants its responses; but a stream would never end.
  if (!streams_.empty()) close();
}

void ServerConnection::on_failed(const std::string& why) {
  note_refusals();
  if (wire().is_encrypted() && session_.is_new())
    server_->note_refusal(peer_, "TLS failed: " + why);
}

void ServerConnection::on_closed() {
  has_left_->store(true);
  note_refusals();
  end_streams();
  if (const auto socket = std::exchange(socket_, nullptr)) socket->end({CloseCode::lost, {}});
  server_->remove(id_, *share_);
}

Time ServerConnection::next_deadline() const { return std::min(session_.deadline(), beats_at_); }

void ServerConnection::on_deadline(Time now) {
  if (now >= session_.deadline()) session_.on_time(now);
  if (now < beats_at_) return;
  beats_at_ = Time::max();
  if (session_.streaming() && session_.output().empty()) session_.stream(write_comment(""), now);
}

}  // namespace coracle::http
