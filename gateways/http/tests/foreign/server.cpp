// A server for programs of others: server [ENDPOINT [CERTIFICATE KEY]]. It prints its address, and
// ends when its standard input does.
#include "coracle/http/server.hpp"
#include "coracle/errors.hpp"

#include <cstdio>
#include <iostream>
#include <string>

namespace {

using namespace coracle;
using namespace coracle::http;

Routes routes() {
  Routes all;
  all.on("GET", "/hello", [](const Request&, const Responder& to) {
    to.send(Response::with("hello\n", "text/plain"));
  });
  for (const char* method : {"POST", "PUT"}) {
    all.on(method, "/echo", [](Request request, const Responder& to) {
      to.send(Response::with(std::move(request.body), "application/octet-stream"));
    });
  }
  all.on("GET", "/bytes/{count}", [](const Request& request, const Responder& to) {
    const auto count = std::stoul(std::string(request.parameter("count")));
    to.send(Response::with(std::string(count, 'x'), "application/octet-stream"));
  });
  all.on("GET", "/headers", [](const Request& request, const Responder& to) {
    std::string text = request.method + ' ' + request.url.text() + '\n';
    for (std::size_t i = 0; i < request.headers.size(); ++i)
      text.append(request.headers[i].name).append(": ").append(request.headers[i].value) += '\n';
    to.send(Response::with(std::move(text), "text/plain"));
  });
  all.on("GET", "/events", [](const Request& request, const Responder& to) {
    const EventStream stream = to.stream();
    const std::string last(request.headers.find("Last-Event-ID").value_or("0"));
    for (int i = std::stoi(last) + 1; i <= 5; ++i)
      stream.send({"event " + std::to_string(i) + "\nof five", "count", std::to_string(i)});
  });
  all.on("GET", "/socket", [](const Request&, const Responder& to) {
    SocketOptions options;
    options.protocols = {"echo"};
    const WebSocket socket = to.accept(options);
    socket.on_message([socket](const SocketMessage& message) {
      if (message.data == "close") socket.close(static_cast<CloseCode>(4001), "as you like");
      else if (message.is_text) socket.send_text(message.data);
      else socket.send_binary(message.data);
    });
  });
  return all;
}

}  // namespace

int main(int count, char** words) try {
  ServerOptions options;
  if (count > 1) options.endpoint = words[1];
  if (count > 3) options.tls = ServerTls{words[2], words[3]};
  options.limits.header_time = std::chrono::milliseconds(300);
  options.limits.body_time = std::chrono::seconds(20);
  options.limits.body_bytes = 8 << 20;
  Loop loop;
  loop.start();
  Server server(loop, options, routes());
  std::cout << server.url().text() << std::endl;
  std::cin.get();
  return server.stop(std::chrono::seconds(2)) == 0 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
