#include "server/session.hpp"

#include "message/writing.hpp"

#include <utility>

namespace coracle::http {

// --- responses ---

ServerSession::Exchange* ServerSession::waiting(std::uint64_t number) noexcept {
  if (number < first_number_ || number - first_number_ >= exchanges_.size()) return nullptr;
  Exchange& exchange = exchanges_[static_cast<std::size_t>(number - first_number_)];
  return exchange.state == Exchange::State::waiting ? &exchange : nullptr;
}

bool ServerSession::is_open(std::uint64_t number) const noexcept {
  return const_cast<ServerSession*>(this)->waiting(number) != nullptr;
}

void ServerSession::settle(Exchange& exchange, Response response) {
  if (response.status < 200 || response.status > 599) response = Response::plain(500);
  const bool has_body = response.status != 204 && response.status != 304;
  if (!has_body) response.body.clear();
  write_head(exchange, response, has_body);
  if (!exchange.is_head) exchange.body = std::move(response.body);
  exchange.state = Exchange::State::ready;
  const std::size_t bytes = exchange.head.size() + exchange.body.size();
  exchange.charged += bytes;
  charged_ += bytes;
}

void ServerSession::write_head(Exchange& exchange, const Response& response,
                               bool has_length) const {
  HeadWriter writer(exchange.head);
  writer.status(response.status);
  for (std::size_t i = 0; i < response.headers.size(); ++i) {
    const auto [name, value] = response.headers[i];
    if (!is_framing(name)) writer.field(name, value);
  }
  if (exchange.shared_with) {
    writer.field("Access-Control-Allow-Origin", *exchange.shared_with);
    writer.field("Vary", "Origin");
  }
  if (has_length) writer.length(response.body.size());
  if (exchange.is_chunked) writer.field("Transfer-Encoding", "chunked");
  if (!exchange.keeps_alive) writer.field("Connection", "close");
  else if (exchange.says_so) writer.field("Connection", "Keep-Alive");  // JADE wants this case
  writer.end();
}

void ServerSession::respond(std::uint64_t number, Response response, Time now) {
  Exchange* const exchange = waiting(number);
  if (exchange == nullptr) return;
  if (exchange->is_upgrade) is_upgrade_ = false;  // it stays HTTP
  settle(*exchange, std::move(response));
  advance(now);
}

void ServerSession::begin_stream(std::uint64_t number, Response head, Time now) {
  Exchange* const exchange = waiting(number);
  if (exchange == nullptr) return;
  if (exchange->is_upgrade) is_upgrade_ = false;
  // HTTP/1.0 has no chunks: the end of the connection is that of the stream.
  exchange->is_chunked = !exchange->is_old;
  if (exchange->is_old) exchange->keeps_alive = false;
  exchange->state = Exchange::State::stream;
  write_head(*exchange, head, false);
  advance(now);
}

void ServerSession::begin_socket(std::uint64_t number, Response head, Time now) {
  Exchange* const exchange = waiting(number);
  if (exchange == nullptr || !exchange->is_upgrade) return;
  HeadWriter writer(exchange->head);
  writer.status(101);
  writer.field("Connection", "Upgrade");
  writer.field("Upgrade", "websocket");
  for (std::size_t i = 0; i < head.headers.size(); ++i)
    writer.field(head.headers[i].name, head.headers[i].value);
  writer.end();
  exchange->state = Exchange::State::socket;
  advance(now);
}

// Writes the responses whose turn it is.
void ServerSession::advance(Time now) {
  using State = Exchange::State;
  expect_writing(now);
  while (!exchanges_.empty() && exchanges_.front().state != State::waiting) {
    Exchange& front = exchanges_.front();
    output_.add(front.head);
    front.head.clear();
    if (front.state == State::stream && !front.is_head) break;
    if (front.state == State::socket) switched_ = first_number_;
    output_.give(std::move(front.body));
    const bool goes_on = front.keeps_alive;
    charged_ -= front.charged;
    exchanges_.pop_front();
    ++first_number_;
    if (goes_on) continue;
    // Requests behind this one get no response.
    first_number_ += exchanges_.size();
    exchanges_.clear();
    jobs_.clear();
    charged_ = 0;
    finish();
  }
  if (output_.empty()) write_until_ = Time::max();
  if (exchanges_.empty()) idle_since_ = now;
  begin_closing();
  charge();
}

// Something is about to be written: from now on, the peer has to take it.
void ServerSession::expect_writing(Time now) {
  if (output_.empty()) write_until_ = now + settings_.limits.write_time;
}

std::optional<std::uint64_t> ServerSession::streaming() const noexcept {
  if (exchanges_.empty() || exchanges_.front().state != Exchange::State::stream)
    return std::nullopt;
  return first_number_;
}

void ServerSession::stream(std::string_view bytes, Time now) {
  if (bytes.empty()) return;
  expect_writing(now);
  const bool is_chunked = exchanges_.front().is_chunked;
  if (is_chunked) output_.add(chunk_line(bytes.size()));
  output_.add(bytes);
  if (is_chunked) output_.add("\r\n");
}

void ServerSession::end_stream(Time now) {
  Exchange& front = exchanges_.front();
  expect_writing(now);
  if (front.is_chunked) output_.add("0\r\n\r\n");
  front.state = Exchange::State::ready;
  advance(now);
}

void ServerSession::begin_closing() {
  if (!reads_ && !switched_) is_over_ = true;
}

void ServerSession::charge() {
  charge_.set(reader_.buffered() + unread_.size() + charged_ + output_.size());
}

}  // namespace coracle::http
