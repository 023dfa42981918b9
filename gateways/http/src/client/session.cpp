#include "client/session.hpp"

namespace coracle::http {

namespace {

// Servers send one or two before a response.
constexpr unsigned most_interim = 16;

}  // namespace

ClientSession::ClientSession(const ReadLimits& limits)
    : reader_(MessageReader::Kind::response, limits) {}

void ClientSession::send(std::string head, std::string body, const Expected& expected) {
  output_.add(head);
  output_.give(std::move(body));
  if (expected_.empty()) reader_.set_headers_end_response(expected.headers_end_response);
  expected_.push_back(expected);
}

void ClientSession::on_bytes(std::string_view bytes) {
  using State = MessageReader::State;
  while (!fault_) {
    const State state = reader_.state();
    if (state == State::failed) {
      fault_ = reader_.fault();
    } else if (state == State::headed) {
      on_head();
    } else if (state == State::done) {
      on_done();
    } else if (upgraded_) {
      unread_.append(bytes);
      return;
    } else if (bytes.empty()) {
      return;
    } else if (expected_.empty() && !ignores_rest_) {
      fault_ = Fault{400, "it sent what nobody has asked for"};
    } else {
      bytes.remove_prefix(reader_.read(bytes));
      has_begun_ = reader_.has_begun() || interim_ != 0;
      if (expected_.empty() && has_begun_) fault_ = Fault{400, "it sent a response to no request"};
      if (!expected_.empty() && expected_.front().is_stream && reader_.state() == State::body &&
          !reader_.body().empty())
        arrive(Arrival::Kind::piece, {0, {}, std::exchange(reader_.body(), {})});
    }
  }
}

Response ClientSession::take_head() {
  Head& head = reader_.head();
  Response response;
  response.status = head.status;
  response.headers = std::move(head.headers);
  return response;
}

void ClientSession::on_head() {
  const Head& head = reader_.head();
  const Expected& expected = expected_.front();
  if (head.status == 101 && expected.is_upgrade) {
    upgraded_ = true;
    arrive(Arrival::Kind::whole, take_head());
    reader_.skip_body();
    return;
  }
  if (head.status < 200) {
    reader_.skip_body();
    if (++interim_ > most_interim || head.status == 101)
      fault_ = Fault{400, "it sent too many responses that are none"};
    return;
  }
  keeps_alive_ = keeps_alive_ && head.keeps_alive;
  if (expected.is_stream) arrive(Arrival::Kind::head, take_head());
  if (expected.is_head) reader_.skip_body();
  else reader_.go_on();
}

void ClientSession::on_done() {
  if (upgraded_ || reader_.head().status < 200) {
    if (!upgraded_) reader_.next();
    else expected_.pop_front(), reader_.next();
    return;
  }
  const Expected expected = expected_.front();
  if (!expected.is_stream) {
    Response response = take_head();
    response.body = std::move(reader_.body());
    arrive(Arrival::Kind::whole, std::move(response));
  } else {
    if (!reader_.body().empty()) arrive(Arrival::Kind::piece, {0, {}, std::move(reader_.body())});
    arrive(Arrival::Kind::end, {});
  }
  expected_.pop_front();
  ignores_rest_ = expected.headers_end_response;
  reader_.next();
  interim_ = 0;
  has_begun_ = false;
  if (!expected_.empty()) reader_.set_headers_end_response(expected_.front().headers_end_response);
}

void ClientSession::on_end() {
  has_ended_ = true;
  if (fault_ || expected_.empty()) return;
  reader_.end();
  if (reader_.state() == MessageReader::State::done) on_done();
}

void ClientSession::arrive(Arrival::Kind kind, Response response) {
  arrivals_.push_back({kind, expected_.front().id, std::move(response)});
}

std::optional<ClientSession::Arrival> ClientSession::next_arrival() {
  if (arrivals_.empty()) return std::nullopt;
  Arrival first = std::move(arrivals_.front());
  arrivals_.pop_front();
  return first;
}

}  // namespace coracle::http
