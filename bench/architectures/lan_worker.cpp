#include "architectures/lan.hpp"
#include "architectures/lan_order.hpp"
#include "harness/failures.hpp"

#include <coracle/query.hpp>
#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <utility>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

// The address of this host that a peer at `server` sees.
std::string address_towards(const std::string& server) {
  const std::size_t colon = server.rfind(':');
  addrinfo wish{};
  wish.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (colon == std::string::npos ||
      getaddrinfo(server.substr(0, colon).c_str(), server.substr(colon + 1).c_str(), &wish,
                  &found) != 0) {
    throw BadRequest(fmt::format("'{}' is no place such as 192.0.2.7:4420", server));
  }
  const int probe = socket(found->ai_family, SOCK_DGRAM, 0);  // sends nothing
  sockaddr_storage own{};
  socklen_t length = sizeof(own);
  const bool is_known = connect(probe, found->ai_addr, found->ai_addrlen) == 0 &&
                        getsockname(probe, reinterpret_cast<sockaddr*>(&own), &length) == 0;
  close(probe);
  freeaddrinfo(found);
  char text[NI_MAXHOST] = {};
  if (!is_known || getnameinfo(reinterpret_cast<sockaddr*>(&own), length, text, sizeof(text),
                               nullptr, 0, NI_NUMERICHOST) != 0) {
    throw BadRequest(fmt::format("there is no way to {} from here", server));
  }
  return own.ss_family == AF_INET6 ? fmt::format("[{}]", text) : text;
}

// What agents of one order refer to.
struct Job {
  Graph graph;
  Errand errand;
};

// On a worker's host: makes agents as it is told to, until it is sent home.
class Crew : public Player {
 public:
  Crew(unsigned workers, std::atomic<std::uint64_t>& sent) : workers_(workers), sent_(sent) {}

 protected:
  Task<> play() override {
    for (;;) {
      const Message request = co_await receive();
      if (request.conversation() == farewell) co_return;
      const Order order = request.content().as<Order>();
      Job& job = jobs_.emplace_back();
      job.graph = graph_of(order);
      job.errand = errand_of(order, job.graph, sent_);
      std::uint32_t made = 0;
      for (std::uint32_t i = 0; i < job.graph.agents(); ++i) {
        if (home_of(order, i) != order.which) continue;
        AgentSpec spec = placed(place_name(job.errand, i), made++ % workers_);
        std::unique_ptr<Agent> agent = std::make_unique<TestAgent>(job.errand, i);
        co_await adopt(std::move(spec), std::move(agent));
      }
      fmt::print("{} of {}: {} agents of {}\n", order.which + 1, order.hosts, made, order.shape);
      std::fflush(stdout);
      sent_ += 1;
      co_await reply(request, Content());
    }
  }

 private:
  unsigned workers_;
  std::atomic<std::uint64_t>& sent_;
  std::deque<Job> jobs_;  // their agents may still be there when the next one comes
};

std::string crew_name() {
  char host[64] = {};
  gethostname(host, sizeof(host) - 1);
  std::string name = host;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ' '; }, '-');
  return fmt::format("worker/{}-{}", name.empty() ? "host" : name, getpid());
}

}  // namespace

void work_for_lan(const Options& options) {
  refuse_what_cannot_travel(options);
  if (options.join.empty()) {
    throw BadRequest("worker needs --join ADDRESS:PORT, where the other one listens");
  }
  Options here = options;
  here.realization = realization_at(options, options.join, address_towards(options.join));
  std::atomic<std::uint64_t> sent{0};
  Society society(here);
  const std::string name = crew_name();
  AgentSpec spec = placed(name, 0);
  spec.properties(Properties().set(worker_mark, true));
  society.node().adopt(spec, std::make_unique<Crew>(here.workers, sent));
  fmt::print("{} has joined {}\n", name, options.join);
  std::fflush(stdout);
  society.wait();
  society.stop({.sent = sent, .received = society.node().ledger().received});
}

}  // namespace coracle::bench
