#include "server/session.hpp"

#include "coracle/support/quote.hpp"
#include "message/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle::http {

namespace {

// While so much waits to be written, nothing is read.
constexpr std::size_t much_unwritten = 256 * 1024;
// A peer that sends so much behind its last request is disconnected.
constexpr std::size_t much_ignored = 256 * 1024;

// The methods that HTTP defines; another one is not implemented, unless a route has it.
bool is_usual(std::string_view method) noexcept {
  constexpr std::array<std::string_view, 8> all = {"GET",    "HEAD",    "POST",  "PUT",
                                                   "DELETE", "OPTIONS", "TRACE", "PATCH"};
  return std::find(all.begin(), all.end(), method) != all.end();
}

bool has_body_as_a_rule(std::string_view method) noexcept {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

}  // namespace

ServerSession::ServerSession(const SessionSettings& settings, Budget& all, Budget& of_peer,
                             std::string peer, Time now)
    : settings_(settings),
      peer_(std::move(peer)),
      reader_(MessageReader::Kind::request, settings.reading),
      charge_(all, of_peer),
      idle_since_(now) {}

// --- events ---

bool ServerSession::may_parse() const noexcept {
  return reads_ && !is_upgrade_ && exchanges_.size() < settings_.limits.pipelined &&
         output_.size() < much_unwritten;
}

bool ServerSession::wants_bytes() const noexcept {
  return !has_ended_ && !is_broken_ && !switched_ && unread_.empty() && (may_parse() || !reads_);
}

void ServerSession::on_bytes(std::string_view bytes, Time now) {
  if (!reads_) {  // what comes behind the last request is not looked at
    ignored_ += bytes.size();
    if (ignored_ > much_ignored) is_broken_ = true;
    return;
  }
  is_new_ = false;
  if (unread_.empty()) return parse(bytes, now);
  const std::string all = std::exchange(unread_, {}).append(bytes);
  parse(all, now);
}

void ServerSession::parse(std::string_view bytes, Time now) {
  using State = MessageReader::State;
  while (reads_) {
    const State state = reader_.state();
    if (state == State::headed) {
      on_head(now);
    } else if (state == State::done) {
      on_request();
    } else if (state == State::failed) {
      const Fault fault = reader_.fault();
      refuse(fault.status, fault.reason, now);
    } else {
      if (bytes.empty()) break;
      if (!may_parse()) {
        unread_ = bytes;
        break;
      }
      const bool had_begun = reader_.has_begun();
      bytes.remove_prefix(reader_.read(bytes));
      if (!had_begun && reader_.has_begun()) head_until_ = now + settings_.limits.header_time;
      charge();
      if (charge_.is_too_much()) refuse(503, "the server holds too many bytes", now);
    }
  }
  charge();
}

void ServerSession::on_end(Time now) {
  has_ended_ = true;
  if (reads_ && reader_.has_begun()) refuse(400, "the request ended too early", now);
  reads_ = false;
  unread_.clear();
  begin_closing();
}

void ServerSession::on_written(Time now) {
  write_until_ = output_.empty() ? Time::max() : now + settings_.limits.write_time;
  if (output_.empty() && exchanges_.empty()) idle_since_ = now;
  charge();
  if (!unread_.empty() && may_parse()) parse(std::exchange(unread_, {}), now);
}

Time ServerSession::deadline() const noexcept {
  Time next = std::min({head_until_, body_until_, write_until_});
  if (reads_ && is_idle())
    next = std::min(
        next, idle_since_ + (is_new_ ? settings_.limits.header_time : settings_.limits.idle_time));
  return next;
}

void ServerSession::on_time(Time now) {
  if (now >= write_until_) {  // the peer takes nothing
    refusals_.push_back({408, "it takes its responses too slowly"});
    is_broken_ = true;
  } else if (now >= std::min(head_until_, body_until_)) {
    refuse(408, "the request came too slowly", now);
  } else if (now >= deadline()) {
    finish();
  }
}

void ServerSession::finish() {
  reads_ = false;
  head_until_ = body_until_ = Time::max();
  unread_.clear();
  if (!exchanges_.empty()) exchanges_.back().keeps_alive = false;
  begin_closing();
}

// --- a request ---

void ServerSession::on_head(Time now) {
  head_until_ = Time::max();
  Head& head = reader_.head();
  if (!is_usual(head.method) && !settings_.routes.knows(head.method))
    return refuse(501, "the method is not known", now, false);
  Target target;
  if (auto fault = find_target(head, settings_.own, target))
    return refuse(fault->status, fault->reason, now);
  request_.method = std::move(head.method);
  request_.headers = std::move(head.headers);
  request_.url = std::move(target.url);
  shared_with_.reset();
  if (settings_.sites) {
    if (const auto why = settings_.sites->objection(request_)) return refuse(403, *why, now);
    if (const auto origin = settings_.sites->shared_with(request_)) shared_with_ = *origin;
  }
  route(target, now);
}

void ServerSession::route(const Target& target, Time now) {
  const Head& head = reader_.head();
  Routes::Found found;
  if (target.is_server) found.allowed = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
  else found = settings_.routes.find(request_.method, request_.url.path);
  if (found.handler == nullptr) {
    if (request_.method == "OPTIONS" && !found.allowed.empty())
      return respond_to_options(found, now);
    if (found.allowed.empty()) return refuse_unread(Response::plain(404), now);
    Response response = Response::plain(405);
    response.headers.add("Allow", found.allowed);
    return refuse_unread(std::move(response), now);
  }
  const bool has_length = head.is_chunked || request_.headers.find("Content-Length");
  if (!has_length && has_body_as_a_rule(request_.method))
    return refuse_unread(Response::plain(411, "state a Content-Length"), now);
  const auto expected = request_.headers.find("Expect");
  if (expected && !same_word(*expected, "100-continue"))
    return refuse_unread(Response::plain(417), now);
  const bool has_body = head.is_chunked || head.length != 0U;
  is_upgrade_ = head.version >= 11 && !has_body &&
                request_.headers.has_token("Connection", "upgrade") &&
                request_.headers.has_token("Upgrade", "websocket");
  handler_ = found.handler;
  request_.parameters = std::move(found.parameters);
  reader_.go_on();
  if (!has_body || reader_.state() == MessageReader::State::failed) return;
  body_until_ = now + settings_.limits.body_time;
  // The client waits for this; behind other requests, it goes on after a while by itself.
  if (!expected || head.version < 11 || !exchanges_.empty()) return;
  expect_writing(now);
  output_.add("HTTP/1.1 100 Continue\r\n\r\n");
}

void ServerSession::on_request() {
  body_until_ = Time::max();
  request_.body = std::move(reader_.body());
  request_.peer = peer_;
  Exchange& exchange = add_exchange();
  exchange.charged = request_.body.size() + request_.headers.bytes();
  charged_ += exchange.charged;
  jobs_.push_back({handler_, std::exchange(request_, {}), first_number_ + exchanges_.size() - 1});
  if (!exchange.keeps_alive) finish();
  reader_.next();
}

ServerSession::Exchange& ServerSession::add_exchange() {
  const Head& head = reader_.head();
  Exchange& exchange = exchanges_.emplace_back();
  exchange.is_head = (request_.method.empty() ? head.method : request_.method) == "HEAD";
  exchange.keeps_alive = head.keeps_alive;
  exchange.is_old = head.version < 11;
  exchange.says_so = request_.headers.has_token("Connection", "keep-alive");
  exchange.is_upgrade = is_upgrade_;
  exchange.shared_with = std::exchange(shared_with_, std::nullopt);
  return exchange;
}

void ServerSession::respond_to_options(const Routes::Found& found, Time now) {
  Response response;
  response.status = 204;
  response.headers.add("Allow", found.allowed);
  if (shared_with_ && request_.headers.find("Access-Control-Request-Method")) {
    response.headers.add("Access-Control-Allow-Methods", found.allowed);
    if (const auto wanted = request_.headers.find("Access-Control-Request-Headers"))
      response.headers.add("Access-Control-Allow-Headers", *wanted);
    response.headers.add("Access-Control-Max-Age", "600");
  }
  refuse_unread(std::move(response), now);
}

std::optional<ServerSession::Job> ServerSession::next_job() {
  if (jobs_.empty()) return std::nullopt;
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  return job;
}

// Responds before a body is read. If there is one, its bytes could be taken for a request.
void ServerSession::refuse_unread(Response response, Time now) {
  const Head& head = reader_.head();
  const bool has_body = head.is_chunked || head.length != 0U;
  Exchange& exchange = add_exchange();
  if (has_body) exchange.keeps_alive = false;
  settle(exchange, std::move(response));
  if (has_body) {
    finish();
  } else {
    reader_.next();
    request_ = {};
  }
  advance(now);
}

// Responds with an error, after which nothing can be read.
void ServerSession::refuse(int status, const std::string& why, Time now, bool is_logged) {
  if (is_logged) refusals_.push_back({status, why});
  Exchange& exchange = add_exchange();
  exchange.keeps_alive = false;
  exchange.is_upgrade = false;
  settle(exchange, Response::plain(status, why));
  finish();
  reader_.next();
  request_ = {};
  advance(now);
}

}  // namespace coracle::http
