// A request on its way.
#pragma once

#include "client/session.hpp"
#include "coracle/http/client.hpp"
#include "io/alarms.hpp"
#include "io/wire.hpp"

#include <functional>
#include <memory>
#include <string>

namespace coracle::http {

class ClientState;
class ClientConnection;

class Call final : public Alarm, public std::enable_shared_from_this<Call> {
 public:
  // The receiver of a response.
  struct Receiver {
    // A part of the response, or the whole.
    std::function<void(ClientSession::Arrival)> arrive;
    // There is no response, or no more of it.
    std::function<void(const Error&)> fail;
    // The connection belongs to another protocol; with the bytes that came for it.
    std::function<void(Response, std::unique_ptr<Wire>, std::string)> upgrade;
    // Returns whether more is wanted now, of a stream.
    std::function<bool()> has_room;
  };

  Call(ClientState& state, Url url, Receiver to)
      : client(state), to_url(std::move(url)), receiver(std::move(to)) {}

  Time deadline() const override { return until; }
  void on_time(Time now) override;
  // Ends the call with an error, once.
  void fail(const Error& error);

  ClientState& client;
  const Url to_url;
  Receiver receiver;
  std::string head, body;  // of the request
  ClientSession::Expected expected;
  Time until = Time::max();
  bool may_repeat = false;
  bool may_follow = true;
  bool is_repeated = false;  // it goes by a fresh connection only
  bool is_over = false;
  std::weak_ptr<ClientConnection> at;  // the connection that has sent it
};

}  // namespace coracle::http
