// A server for tests, with a few handlers and a loop with its own thread.
#pragma once

#include "coracle/http/server.hpp"
#include "io/loop_state.hpp"
#include "support/raw_client.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace coracle::http::test {

// GET /hello gives a text; POST /echo gives back the body; GET /wait responds when the test says
// so; GET /events is a stream of events, GET /socket a WebSocket, both in the hands of the test.
class EchoServer {
 public:
  explicit EchoServer(ServerOptions options = {}) {
    loop.start();
    server = std::make_unique<Server>(loop, std::move(options), routes());
  }

  static std::string get(const std::string& path, const std::string& headers = "") {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
  }
  static std::string post(const std::string& body, const std::string& headers = "") {
    return "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
  }
  RawClient client() const { return RawClient(server->url()); }
  Url url(const std::string& path) const {
    Url made = server->url();
    made.path = path;
    return made;
  }

  // Waits until something is so; `is_so` is called by the thread of the loop.
  void await(const std::function<bool()>& is_so) {
    loop.state()->wait_until(is_so, Deadline::never());
  }
  // Takes the oldest of what clients have asked for, once it is there.
  template <class T>
  T take(std::vector<T>& from) {
    std::optional<T> taken;
    await([&] {
      if (from.empty()) return false;
      taken = std::move(from.front());
      from.erase(from.begin());
      return true;
    });
    return *std::move(taken);
  }

  Loop loop;
  StreamOptions stream_options;
  SocketOptions socket_options;
  std::vector<Responder> waiting;
  std::vector<EventStream> streams;
  std::vector<WebSocket> sockets;
  std::vector<Request> requests;  // of streams and sockets
  std::unique_ptr<Server> server;

 private:
  Routes routes() {
    Routes all;
    all.on("GET", "/hello", [](const Request&, const Responder& to) {
      to.send(Response::with("hello\n", "text/plain"));
    });
    all.on("POST", "/echo", [](Request request, const Responder& to) {
      const auto type = request.headers.find("Content-Type").value_or("text/plain");
      to.send(Response::with(std::move(request.body), std::string(type)));
    });
    all.on("GET", "/wait",
           [this](const Request&, Responder to) { waiting.push_back(std::move(to)); });
    all.on("GET", "/fail",
           [](const Request&, const Responder&) { throw std::runtime_error("no"); });
    all.on("GET", "/drop", [](const Request&, const Responder&) {});
    all.on("GET", "/events", [this](Request request, const Responder& to) {
      requests.push_back(std::move(request));
      streams.push_back(to.stream(stream_options));
    });
    all.on("GET", "/socket", [this](Request request, const Responder& to) {
      requests.push_back(std::move(request));
      sockets.push_back(to.accept(socket_options));
    });
    return all;
  }
};

}  // namespace coracle::http::test
