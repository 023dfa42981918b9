#include "support/scripted_server.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string_view>
#include <utility>

namespace coracle::http::test {

ScriptedServer::ScriptedServer(Script script)
    : script_(std::move(script)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 ||
      ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) != 0)
    throw std::runtime_error("the server of the test cannot listen");
  port_ = ntohs(at.sin_port);
  thread_ = std::thread([this] { run(); });
}

ScriptedServer::~ScriptedServer() {
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

Url ScriptedServer::url() const {
  Url url;
  url.host = "127.0.0.1";
  url.port = port_;
  return url;
}

std::string ScriptedServer::bodies() const {
  const std::lock_guard lock(mutex_);
  return bodies_;
}

void ScriptedServer::run() {
  for (const auto& each : script_) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    if (socket < 0) return;
    ++connections_;
    serve(socket, each);
    ::close(socket);
  }
}

void ScriptedServer::serve(int socket, const std::vector<std::string>& script) {
  std::string got;
  for (const std::string& response : script) {
    const auto size = [&got]() -> std::size_t {
      constexpr std::string_view length = "\r\nContent-Length: ";
      const auto end = got.find("\r\n\r\n");
      if (end == got.npos) return got.size() + 1;
      const auto body = got.find(length);
      return end + 4 + (body < end ? std::stoul(got.substr(body + length.size())) : 0);
    };
    while (size() > got.size()) {
      char bytes[4096];
      const auto count = ::recv(socket, bytes, sizeof bytes, 0);
      if (count <= 0) return;
      got.append(bytes, static_cast<std::size_t>(count));
    }
    if (got.starts_with("POST")) {
      const std::lock_guard lock(mutex_);
      bodies_ += got[size() - 1];
    }
    got.erase(0, size());
    if (response.empty()) return;
    ::send(socket, response.data(), response.size(), MSG_NOSIGNAL);
  }
}

}  // namespace coracle::http::test
