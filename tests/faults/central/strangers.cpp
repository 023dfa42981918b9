#include "strangers.hpp"

#include "coracle/clock.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <stdexcept>
#include <utility>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;
constexpr auto between_bytes = 200ms;

class Crowd {
 public:
  Crowd(std::uint16_t port, const std::vector<Stranger>& kinds, Attack& attack)
      : kinds_(kinds), attack_(attack), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address_.sin_port = htons(port);
  }
  ~Crowd() {
    for (const auto& [file, one] : all_) ::close(file);
    ::close(epoll_);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  bool is_empty() const { return all_.empty(); }

  void connect_one() {
    const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0) throw std::runtime_error("there are no descriptors left for strangers");
    const auto* const address = reinterpret_cast<const sockaddr*>(&address_);
    if (::connect(file, address, sizeof address_) != 0 && errno != EINPROGRESS)
      throw std::runtime_error("a stranger cannot connect");
    const Stranger& kind = kinds_[attack_.opened++ % kinds_.size()];
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP | (kind.at_once.empty() ? 0u : std::uint32_t{EPOLLOUT});
    event.data.fd = file;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, file, &event);
    all_.emplace(file, One{&kind, steady_clock().now()});
  }

  // Handles the events of a millisecond.
  void look() {
    std::array<epoll_event, 256> events;
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 1);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      const auto found = all_.find(event.data.fd);
      if (found == all_.end()) continue;
      if (event.events & EPOLLOUT) say_first(event.data.fd, found->second);
      if (event.events & ~static_cast<unsigned>(EPOLLOUT)) read(event.data.fd, found->second);
    }
  }
  // Each slow stranger sends one more byte.
  void type() {
    if (steady_clock().now() < next_byte_) return;
    next_byte_ = steady_clock().now() + between_bytes;
    for (auto& [file, one] : all_) {
      if (one.typed < one.kind->slowly.size())
        (void)!::send(file, &one.kind->slowly[one.typed++], 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
  }

 private:
  struct One {
    const Stranger* kind;
    Time since;
    std::size_t typed = 0;
  };

  void say_first(int file, const One& one) {
    const std::string& text = one.kind->at_once;
    (void)!::send(file, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP;
    event.data.fd = file;
    ::epoll_ctl(epoll_, EPOLL_CTL_MOD, file, &event);
  }
  void read(int file, const One& one) {
    std::array<char, 4096> bytes;
    ssize_t count = 0;
    do {
      count = ::recv(file, bytes.data(), bytes.size(), MSG_DONTWAIT);
    } while (count > 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    const auto took =
        std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock().now() - one.since);
    if (static_cast<std::uint64_t>(took.count()) > attack_.longest_ms)
      attack_.longest_ms = static_cast<std::uint64_t>(took.count());
    ++attack_.closed;
    ::close(file);
    all_.erase(file);
  }

  const std::vector<Stranger>& kinds_;
  Attack& attack_;
  const int epoll_;
  sockaddr_in address_{};
  std::map<int, One> all_;
  Time next_byte_{};
};

}  // namespace

void attack(std::uint16_t port, const std::vector<Stranger>& kinds, std::uint64_t count,
            std::uint64_t per_second, Attack& attack) {
  Crowd crowd(port, kinds, attack);
  const auto between = std::chrono::nanoseconds(1s) / static_cast<std::int64_t>(per_second);
  auto next = steady_clock().now();
  while (attack.opened < count || !crowd.is_empty()) {
    const auto now = steady_clock().now();
    if (!attack.is_on) next = now;
    for (; attack.is_on && attack.opened < count && next <= now; next += between)
      crowd.connect_one();
    crowd.look();
    crowd.type();
  }
}

std::string client_hello() {
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  SSL* const client = SSL_new(context);
  BIO* const out = BIO_new(BIO_s_mem());
  SSL_set_bio(client, BIO_new(BIO_s_mem()), out);
  SSL_connect(client);
  std::string hello(std::size_t{1} << 14, '\0');
  const int size = BIO_read(out, hello.data(), static_cast<int>(hello.size()));
  hello.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  SSL_free(client);
  SSL_CTX_free(context);
  return hello;
}

}  // namespace coracle::test
