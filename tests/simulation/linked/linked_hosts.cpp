#include "linked_hosts.hpp"

#include "realizations/central/src/relay.hpp"
#include "realizations/central/src/relayed_peers.hpp"
#include "realizations/distributed/src/peers.hpp"
#include "realizations/net/src/society/home/connectivity.hpp"
#include "realizations/net/src/society/home/settings.hpp"
#include "realizations/net/src/society/policy/authority.hpp"
#include "realizations/net/src/society/service/directory_service.hpp"
#include "realizations/sim/src/stream_network.hpp"
#include "runtime/worker/worker.hpp"

#include "coracle/grants.hpp"
#include "coracle/reactor.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace coracle::test {

namespace {

using namespace society;
using sim::detail::Program;

thread_local std::vector<std::string> accusations;

// Links that are cut, and hosts that pause or die, cause these lines.
constexpr std::string_view innocent[] = {
    "nothing was received", "does not acknowledge the changes", "cannot connect to", " broke (",
    "no greeting in time",  "the session was not resumed in time"};

void keep_accusation(const std::string& line) {
  const auto is_in_line = [&line](std::string_view text) { return line.find(text) != line.npos; };
  if (std::ranges::none_of(innocent, is_in_line)) accusations.push_back(line);
}

Log log_of(Program& program) {
  return [&program](const std::string& line) {
    keep_accusation(line);
    program.note(line);
  };
}

constexpr std::uint16_t directory_port = 4410;
// The number of lease generations that are left free for one directory before the next one starts,
// as if the generation came from the time.
constexpr std::uint64_t generations = 64;

net::Endpoint place(unsigned host, std::uint16_t port) {
  net::Endpoint endpoint;
  endpoint.scheme = net::Endpoint::Scheme::sim;
  endpoint.host = "node" + std::to_string(host);
  endpoint.port = port;
  return endpoint;
}

net::Identity identity(const std::string& name, Program& program) {
  net::Identity self;
  self.society = "simulated";
  self.node = name;
  self.epoch = {program.random().next(), 0};
  self.anybody = true;
  return self;
}

// Each incarnation of a node has a name of its own; all incarnations of a directory have the same
// name.
std::string node_name(unsigned host, const Program& program) {
  return "host" + std::to_string(host) + "." + std::to_string(program.life());
}

// A node's connectivity, which is also the reactor of the node's first worker.
class LinkedHome final : public Reactor {
 public:
  LinkedHome(sim::World& world, unsigned host, const std::vector<unsigned>& directories,
             Linked kind, const central::Options& options)
      : kind_(kind),
        options_(options),
        program_(world, host, [this](auto what) { to_do_.push_back(std::move(what)); }),
        services_(places(directories)),
        connectivity_(environment(), identity(node_name(host, program_), program_),
                      link_options(peer_patience), listen_at(host)) {}

  NodeConnectivity& connectivity() noexcept { return connectivity_; }

  bool is_ready() override { return !to_do_.empty(); }
  bool poll() override {
    const bool did = !to_do_.empty();
    for (std::size_t left = to_do_.size(); left > 0; --left) {
      const auto what = std::move(to_do_.front());
      to_do_.pop_front();
      what();
    }
    return did;
  }
  void wait(Duration) override {}
  void wake() override {}
  void flush() override {
    if (!std::exchange(begun_, true)) connectivity_.begin(services_);
    connectivity_.flush();
  }

 private:
  static std::vector<net::Endpoint> places(const std::vector<unsigned>& directories) {
    std::vector<net::Endpoint> places;
    for (const unsigned host : directories) places.push_back(place(host, directory_port));
    return places;
  }
  std::vector<net::Endpoint> listen_at(unsigned host) const {
    if (kind_ == Linked::central) return {};
    return {place(host, 0)};
  }
  std::unique_ptr<FrameTransport> frame_transport(NodeConnectivity& connectivity) const {
    if (kind_ == Linked::central)
      return std::make_unique<central::RelayedPeers>(connectivity, options_.delivery);
    return std::make_unique<distributed::Peers>(connectivity);
  }
  NodeConnectivity::Environment environment() {
    return {.network = program_.network(),
            .alarms = program_.alarms(),
            .clock = program_.clock(),
            .random = program_.random(),
            .post = [this](auto what) { to_do_.push_back(std::move(what)); },
            .end =
                [this] {
                  connectivity_.leave();
                  connectivity_.flush();
                },
            .look = {},
            .service = "directory",
            .frame_transport =
                [this](NodeConnectivity& connectivity) { return frame_transport(connectivity); },
            .log = log_of(program_),
            .is_here = &is_first_worker,
            .batch_bytes = batch_bytes(program_.random()),
            .lets_take_over = options_.takeover};
  }
  // Some nodes send each frame by itself, so that events between two frames occur, too.
  static std::size_t batch_bytes(Random& random) {
    constexpr std::size_t sizes[] = {0, 200, batch_limit};
    return sizes[random.next() % std::size(sizes)];
  }
  static bool is_first_worker() {
    const coracle::detail::Worker* const worker = coracle::detail::Worker::current();
    return worker != nullptr && worker->index() == 0;
  }

  const Linked kind_;
  const central::Options options_;
  std::deque<std::function<void()>> to_do_;
  Program program_;
  std::vector<net::Endpoint> services_;
  NodeConnectivity connectivity_;
  bool begun_ = false;
};

// Adds to greetings the names that certificates would prove.
class Vouching final : public net::LinksEvents {
 public:
  Vouching(net::LinksEvents& of, std::function<void(net::Greeting&)> vouch)
      : of_(of), vouch_(std::move(vouch)) {}

  net::SessionEvents* on_peer(const net::Greeting& peer) override {
    net::Greeting vouched = peer;
    if (vouch_) vouch_(vouched);
    return of_.on_peer(vouched);
  }
  void on_link(net::Link& link) override { of_.on_link(link); }
  void on_fault(const std::string& peer, const net::Closing& why, const net::Link* link) override {
    of_.on_fault(peer, why, link);
  }

 private:
  net::LinksEvents& of_;
  const std::function<void(net::Greeting&)> vouch_;
};

std::optional<Authority> authority_for(const LinkedGuard& guard, Log log) {
  if (!guard.policy) return std::nullopt;
  return std::make_optional<Authority>(guard.policy, std::move(log));
}

}  // namespace

std::vector<std::string> take_accusations() { return std::exchange(accusations, {}); }

struct LinkedDirectory::Impl {
  Impl(sim::World& world, unsigned host, Linked kind, std::uint32_t number,
       const LinkedGuard& guard)
      : program(world, host),
        log(log_of(program)),
        start{static_cast<std::uint32_t>(1 + generations * program.life()), number << 20},
        turn([this] { program.tell([this] { turn.flush(); }); }),
        authority(authority_for(guard, log)),
        relay(authority ? &*authority : nullptr),
        service(turn, program.alarms(), program.clock(), start, {}, log,
                kind == Linked::central ? &relay : nullptr, authority ? &*authority : nullptr),
        vouching(service, guard.vouch),
        links(program.network(), program.alarms(), program.clock(), program.random(),
              identity("directory" + (number == 0 ? "" : std::to_string(number)), program),
              service_link_options(), vouching) {
    if (!guard.text.empty()) service.set_policy(guard.text);
    links.listen(place(host, directory_port)).value();
  }

  Program program;
  const Log log;
  const Start start;
  FlushQueue turn;
  std::optional<Authority> authority;
  central::Relay relay;
  DirectoryService service;
  Vouching vouching;
  net::Links links;
};

LinkedDirectory::LinkedDirectory(sim::World& world, unsigned host, Linked kind,
                                 std::uint32_t number, const LinkedGuard& guard)
    : impl_(std::make_unique<Impl>(world, host, kind, number, guard)) {}

LinkedDirectory::~LinkedDirectory() = default;

void LinkedDirectory::let_keep(unsigned store) {
  impl_->service.let_keep(
      [name = "host" + std::to_string(store) + "."](const std::string& node, const std::string&) {
        return node.starts_with(name);
      });
}

void LinkedDirectory::set_policy(const std::string& text) {
  impl_->authority->replace(parse_policy(text).value());
  impl_->service.set_policy(text);
}

Realization linked_node(sim::World& world, unsigned host, std::vector<unsigned> directories,
                        Linked kind, const central::Options& options) {
  const auto home = std::make_shared<LinkedHome>(world, host, directories, kind, options);
  Realization made;
  made.name = "distributed:";
  made.transport = std::shared_ptr<Transport>(home, &home->connectivity().frame_transport());
  made.reactor = home;
  made.directory = std::shared_ptr<Directory>(home, &home->connectivity().directory());
  made.queue = mail_queues();
  made.matching = options.matching;
  return world.simulate(std::move(made), host);
}

central::Options letting_take_over() {
  central::Options options;
  options.takeover = true;
  return options;
}

namespace {

sim::Options with_more(sim::Options settings, std::size_t hosts) {
  settings.nodes += static_cast<unsigned>(hosts);
  return settings;
}

std::unique_ptr<LinkedDirectory> directory(sim::World& world, unsigned host, unsigned number) {
  return std::make_unique<LinkedDirectory>(world, host, Linked::distributed, number);
}

}  // namespace

LinkedHosts::LinkedHosts(const sim::Options& settings, NodeOptions options, unsigned directories)
    : LinkedHosts(settings, std::move(options),
                  std::make_shared<std::vector<std::unique_ptr<LinkedDirectory>>>(directories)) {}

// The directory services are created with the first node.
LinkedHosts::LinkedHosts(const sim::Options& settings, NodeOptions options,
                         const Services& services)
    : Nodes(
          with_more(settings, services->size()), settings.nodes,
          [services, begun = false](sim::World& world, unsigned host) mutable {
            const auto first = static_cast<unsigned>(world.hosts() - services->size());
            std::vector<unsigned> hosts;
            for (unsigned number = 0; number < services->size(); ++number) {
              hosts.push_back(first + number);
              if (!begun) (*services)[number] = directory(world, hosts.back(), number);
            }
            begun = true;
            return linked_node(world, host, hosts, Linked::distributed, letting_take_over());
          },
          std::move(options)),
      services_(services) {}

void LinkedHosts::crash_directory(unsigned number) {
  world().crash(directory_host(number));
  services_->at(number).reset();
}

void LinkedHosts::restart_directory(unsigned number) {
  services_->at(number) = directory(world(), directory_host(number), number);
}

}  // namespace coracle::test
