#include "architectures/lan.hpp"
#include "architectures/lan_order.hpp"
#include "architectures/lan_watch.hpp"
#include "architectures/voter.hpp"
#include "harness/run/failures.hpp"

#include <coracle/query.hpp>
#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

// The host that measures may be started after its workers.
constexpr Duration to_join = std::chrono::minutes(2);

// The address of this host as a peer at `server` sees it.
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

// The data to which the agents of one order refer.
struct Job {
  Graph graph;
  Errand errand;
};

// On a worker's host: makes agents as ordered, until it is sent home.
class Crew : public Player {
 public:
  Crew(unsigned workers, std::atomic<std::uint64_t>& sent) : workers_(workers), sent_(sent) {}

 protected:
  Task<> play() override {
    for (;;) {
      const Message request = co_await receive();
      if (request.conversation() == farewell) co_return;
      const Order order = request.content().as<Order>();
      co_await make_agents(order);
      sent_ += 1;
      co_await reply(request, Content());
    }
  }

 private:
  Task<> make_agents(const Order& order) {
    const bool votes = order.make == make_voters;
    Job& job = jobs_.emplace_back();
    if (!votes) job.graph = graph_of(order);
    job.errand = errand_of(order, job.graph, sent_);
    const auto agents = votes ? order.count : static_cast<std::uint32_t>(job.graph.agents());
    std::uint32_t made = 0;
    for (std::uint32_t i = 0; i < agents; ++i) {
      if (home_of(order, i) != order.which) continue;
      AgentSpec spec = placed(place_name(job.errand, i), made++ % workers_);
      std::unique_ptr<Agent> agent;
      if (votes) agent = std::make_unique<Voter>(i, &sent_);
      else agent = std::make_unique<TestAgent>(job.errand, i);
      co_await adopt(std::move(spec), std::move(agent));
    }
    fmt::print("{} of {}: {} agents of {}\n", order.which + 1, order.hosts, made,
               votes ? std::to_string(agents) : order.shape);
    std::fflush(stdout);
  }

  unsigned workers_;
  std::atomic<std::uint64_t>& sent_;
  std::deque<Job> jobs_;  // their agents may still exist when the next job arrives
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
    throw BadRequest("worker needs --join ADDRESS:PORT, the address of the host that measures");
  }
  const std::string address = address_towards(options.join);
  const std::string listen = options.listen.empty() ? address + ":0" : options.listen;
  Options here = options;
  here.realization = realization_at(options, options.join, listen);
  if (!options.listen.empty() && options.realization.starts_with("central")) {
    throw BadRequest("with central: nobody connects to a worker; leave --listen away");
  }
  realization_name(here.realization);
  std::optional<Patience> patience(std::in_place, to_join, [&options] {
    return fmt::format(
        "no answer from {} for {} s; look whether coracle-bench runs there with --hosts, with the "
        "same key, and whether a firewall lets TCP through to that port",
        options.join, to_join / std::chrono::seconds(1));
  });
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> sent_by_sentry{0};
  Society society(here);
  const std::string name = crew_name();
  society.node().adopt(placed(sentry_name(name), 0),
                       std::make_unique<Sentry>(options.join, sent, sent_by_sentry));
  AgentSpec spec = placed(name, 0);
  spec.properties(Properties()
                      .set(worker_mark, true)
                      .set(worker_address, options.listen.empty() ? address : options.listen));
  society.node().adopt(spec, std::make_unique<Crew>(here.workers, sent));
  patience.reset();
  fmt::print("{} has joined {}\n", name, options.join);
  std::fflush(stdout);
  society.wait();
  society.stop({.sent = sent + sent_by_sentry, .received = society.node().ledger().received});
}

}  // namespace coracle::bench
