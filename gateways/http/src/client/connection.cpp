#include "client/connection.hpp"

#include "client/state.hpp"

#include <algorithm>
#include <utility>

namespace coracle::http {

ClientConnection::ClientConnection(std::shared_ptr<ClientState> client, std::unique_ptr<Wire> wire,
                                   std::string key)
    : Channel(client->loop(), std::move(wire)),
      client_(std::move(client)),
      key_(std::move(key)),
      session_(client_->reading(key_.empty())),
      idle_since_(now()) {}

void ClientConnection::send(const std::shared_ptr<Call>& call) {
  call->at = std::static_pointer_cast<ClientConnection>(shared_from_this());
  calls_.push_back({call, responses_ != 0});
  if (call->may_repeat && !call->is_repeated) session_.send(call->head, call->body, call->expected);
  else session_.send(std::move(call->head), std::move(call->body), call->expected);
  work_soon();
}

void ClientConnection::forget(const Call& call) {
  for (Sent& each : calls_) {
    if (each.call.get() == &call) each.call = nullptr;
  }
  // A response that is expected and not wanted would have to be read all the same.
  is_spent_ = true;
  work_soon();
}

void ClientConnection::fail_calls(const Error& error) {
  for (const Sent& each : std::exchange(calls_, {})) {
    if (each.call) each.call->fail(error);
  }
}

bool ClientConnection::wants_bytes() const {
  if (calls_.empty() || !calls_.front().call) return true;
  const auto& has_room = calls_.front().call->receiver.has_room;
  return !has_room || has_room();
}

void ClientConnection::on_bytes(std::string_view bytes) {
  session_.on_bytes(bytes);
  take_arrivals();
}

void ClientConnection::on_end() {
  session_.on_end();
  take_arrivals();
  close();
}

void ClientConnection::take_arrivals() {
  const auto self = shared_from_this();
  while (!is_closed()) {
    auto arrival = session_.next_arrival();
    if (!arrival) return;
    if (session_.is_upgraded()) return upgrade(std::move(arrival->response));
    take(*std::move(arrival));
  }
}

void ClientConnection::take(ClientSession::Arrival arrival) {
  using Kind = ClientSession::Arrival::Kind;
  if (calls_.empty()) return;
  const auto call = calls_.front().call;
  const bool is_last = arrival.kind == Kind::whole || arrival.kind == Kind::end;
  if (is_last) {
    calls_.pop_front();
    ++responses_;
    idle_since_ = now();
  }
  if (call && !call->is_over) {
    if (is_last) {
      call->is_over = true;
      loop().alarms().remove(*call);
    }
    call->receiver.arrive(std::move(arrival));
  }
  if (is_last && !key_.empty()) client_->on_free(key_);
}

void ClientConnection::upgrade(Response response) {
  const auto call = calls_.front().call;
  std::string first = session_.take_unread();
  calls_.clear();
  auto wire = release();
  client_->on_gone(std::static_pointer_cast<ClientConnection>(shared_from_this()));
  if (!call || call->is_over) return;
  call->is_over = true;
  loop().alarms().remove(*call);
  call->receiver.upgrade(std::move(response), std::move(wire), std::move(first));
}

void ClientConnection::decide() {
  const bool nobody_waits = std::none_of(calls_.begin(), calls_.end(),
                                         [](const Sent& each) { return each.call != nullptr; });
  const bool is_done = calls_.empty() && (!session_.is_open() || (key_.empty() && responses_ != 0));
  if (session_.fault() || is_done || (is_spent_ && nobody_waits)) close();
}

Time ClientConnection::next_deadline() const {
  return calls_.empty() ? idle_since_ + client_->limits().idle_time : Time::max();
}

void ClientConnection::on_closed() {
  const auto self = std::static_pointer_cast<ClientConnection>(shared_from_this());
  const auto calls = std::exchange(calls_, {});
  client_->on_gone(self);
  const auto& fault = session_.fault();
  bool has_begun = session_.has_begun();
  for (const Sent& each : calls) {
    const bool may_repeat = each.was_reused && !std::exchange(has_begun, false) && !fault;
    if (!each.call) continue;
    const std::string from = each.call->to_url.origin();
    const Error why =
        fault ? Error(fault->status == 413 || fault->status == 431 ? Errc::too_large
                                                                   : Errc::bad_encoding,
                      "the response of " + from + " cannot be read: " + fault->reason +
                          "; check what listens there, or raise the limits of the client")
              : Error(Errc::disconnected,
                      from + " closed the connection before its response was complete" +
                          (why_.empty() ? "" : " (" + why_ + ")") + "; try again");
    client_->on_lost(each.call, may_repeat, why);
  }
}

}  // namespace coracle::http
