// A client for servers of others:
//   client METHOD URL [BODY [TIMES]]   prints the status and the body of each response
//   client jade URL TIMES              the same for POST, where the headers end a response
//   client events URL                  prints each event as NAME ID DATA
//   client socket URL TEXT...          sends texts, and prints what comes back
#include "coracle/http/client.hpp"
#include "coracle/errors.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace coracle;
using namespace coracle::http;

int fetch(Client& client, Request request, int times, const RequestOptions& options) {
  for (int i = 0; i < times; ++i) {
    const Response response = client.fetch_and_wait(request, options);
    std::cout << response.status << ' ' << response.body << std::endl;
  }
  return 0;
}

int read_events(Loop& loop, Client& client, const Request& request) {
  bool is_over = false;
  std::optional<Error> failure;
  const EventSource source = client.events(request);
  source.listen([](const Response& head) { std::cout << head.status << std::endl; },
                [](const Event& event) {
                  std::cout << event.name << ' ' << event.id << ' ' << event.data << std::endl;
                },
                [&](const std::optional<Error>& why) { failure = why, is_over = true; });
  loop.run_until([&] { return is_over; });
  if (failure) throw Error(*failure);
  return 0;
}

int talk(Loop& loop, Client& client, const Url& url, const std::vector<std::string>& texts) {
  bool is_over = false;
  std::size_t received = 0;
  std::optional<Error> failure;
  std::optional<WebSocket> socket;
  SocketOptions options;
  options.protocols = {"echo"};
  client.connect(url, options, {}, std::chrono::seconds(10), [&](Result<WebSocket> opened) {
    if (!opened) {
      failure = opened.error();
      is_over = true;
      return;
    }
    socket = *opened;
    socket->on_message([&](const SocketMessage& message) {
      std::cout << message.data << std::endl;
      if (++received == texts.size()) socket->close();
    });
    socket->on_close([&] { is_over = true; });
    for (const std::string& each : texts) socket->send_text(each);
  });
  loop.run_until([&] { return is_over; });
  if (failure) throw Error(*failure);
  std::cout << static_cast<int>(socket->close_code()) << ' ' << socket->close_reason() << std::endl;
  return 0;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 3) return 2;
  Loop loop;
  ClientOptions options;
  if (const char* const authorities = std::getenv("AUTHORITIES"))
    options.tls.authorities = authorities;
  Client client(loop, options);
  const std::string what = words[1];
  Request request;
  request.url = Url::parse(words[2]).value();
  if (what == "events") return read_events(loop, client, request);
  if (what == "socket") return talk(loop, client, request.url, {words + 3, words + count});
  RequestOptions sending;
  if (what == "jade") {
    request.method = "POST";
    request.body = "x";
    sending.headers_end_response = true;
    return fetch(client, request, std::atoi(words[3]), sending);
  }
  request.method = what;
  if (count > 3) request.body = words[3];
  return fetch(client, request, count > 4 ? std::atoi(words[4]) : 1, sending);
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
