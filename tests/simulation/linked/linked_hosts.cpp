#include "linked_hosts.hpp"

#include "realizations/central/src/relay.hpp"
#include "realizations/central/src/relayed_peers.hpp"
#include "realizations/distributed/src/peers.hpp"
#include "realizations/net/src/society/directory_service.hpp"
#include "realizations/net/src/society/settings.hpp"
#include "realizations/net/src/society/station.hpp"
#include "realizations/sim/src/wire.hpp"
#include "runtime/worker.hpp"

#include "coracle/reactor.hpp"

#include <deque>

namespace coracle::test {

namespace {

using namespace society;
using sim::detail::Program;

constexpr std::uint16_t directory_port = 4410;
constexpr std::size_t content_limit = std::size_t{16} << 20;
// How many generations of leases a directory may give out before the next one, as if it were by
// time.
constexpr std::uint64_t generations = 64;

net::Endpoint place(unsigned host, std::uint16_t port) {
  net::Endpoint endpoint;
  endpoint.scheme = net::Endpoint::Scheme::sim;
  endpoint.host = "node" + std::to_string(host);
  endpoint.port = port;
  return endpoint;
}

// Each life of a host has a name of its own, as each process has.
net::Identity identity(const std::string& what, Program& program) {
  net::Identity self;
  self.society = "simulated";
  self.node = what + "." + std::to_string(program.life());
  self.epoch = {program.random().next(), 0};
  self.key = "what all of them know";
  return self;
}

// A node's station, and its place for the node's first worker.
class LinkedHome final : public Reactor {
 public:
  LinkedHome(sim::World& world, unsigned host, unsigned directory, Linked kind)
      : kind_(kind),
        program_(world, host, [this](auto what) { to_do_.push_back(std::move(what)); }),
        services_{place(directory, directory_port)},
        station_(parts(), identity("host" + std::to_string(host), program_),
                 link_options(peer_patience), listen_at(host)) {}

  Station& station() noexcept { return station_; }

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
    if (!std::exchange(begun_, true)) station_.begin(services_);
    station_.flush();
  }

 private:
  std::vector<net::Endpoint> listen_at(unsigned host) const {
    if (kind_ == Linked::central) return {};
    return {place(host, 0)};
  }
  std::unique_ptr<Traffic> traffic(Station& station) const {
    constexpr std::size_t largest = content_limit + largest_piece;
    if (kind_ == Linked::central) return std::make_unique<central::RelayedPeers>(station, largest);
    return std::make_unique<distributed::Peers>(station, largest);
  }
  Station::Parts parts() {
    return {.network = program_.network(),
            .alarms = program_.alarms(),
            .clock = program_.clock(),
            .random = program_.random(),
            .post = [this](auto what) { to_do_.push_back(std::move(what)); },
            .end =
                [this] {
                  station_.leave();
                  station_.flush();
                },
            .look = {},
            .service = "directory",
            .traffic = [this](Station& station) { return traffic(station); },
            .log = [this](const std::string& line) { program_.note(line); },
            .is_here = &is_first_worker};
  }
  static bool is_first_worker() {
    const coracle::detail::Worker* const worker = coracle::detail::Worker::current();
    return worker != nullptr && worker->index() == 0;
  }

  const Linked kind_;
  std::deque<std::function<void()>> to_do_;
  Program program_;
  std::vector<net::Endpoint> services_;
  Station station_;
  bool begun_ = false;
};

}  // namespace

struct LinkedDirectory::Parts {
  Parts(sim::World& world, unsigned host, Linked kind)
      : program(world, host),
        turn([this] { program.tell([this] { turn.flush(); }); }),
        service(
            turn, program.alarms(), program.clock(),
            static_cast<std::uint32_t>(1 + generations * program.life()), {},
            [this](const std::string& line) { program.note(line); },
            kind == Linked::central ? &relay : nullptr),
        links(program.network(), program.alarms(), program.clock(), program.random(),
              identity("directory", program), link_options(service_patience), service) {
    links.listen(place(host, directory_port)).value();
  }

  Program program;
  Turn turn;
  central::Relay relay;
  DirectoryService service;
  net::Links links;
};

LinkedDirectory::LinkedDirectory(sim::World& world, unsigned host, Linked kind)
    : parts_(std::make_unique<Parts>(world, host, kind)) {}

LinkedDirectory::~LinkedDirectory() = default;

Realization linked_node(sim::World& world, unsigned host, unsigned directory, Linked kind) {
  const auto home = std::make_shared<LinkedHome>(world, host, directory, kind);
  Realization made;
  made.name = "distributed:";
  made.transport = local_transport(std::shared_ptr<Links>(home, &home->station().traffic()), home);
  made.directory = std::shared_ptr<Directory>(home, &home->station().directory());
  made.queue = mail_queues();
  return world.simulate(std::move(made), host);
}

namespace {

// Makes the directory service when the first node is made.
Nodes::Parts with_directory(const std::shared_ptr<std::unique_ptr<LinkedDirectory>>& service) {
  return [service](sim::World& world, unsigned host) {
    const unsigned last = world.hosts() - 1;
    if (*service == nullptr) *service = std::make_unique<LinkedDirectory>(world, last);
    return linked_node(world, host, last);
  };
}

sim::Options with_one_more(sim::Options settings) {
  ++settings.nodes;
  return settings;
}

}  // namespace

LinkedHosts::LinkedHosts(sim::Options settings, NodeOptions options)
    : LinkedHosts(settings, std::move(options),
                  std::make_shared<std::unique_ptr<LinkedDirectory>>()) {}

LinkedHosts::LinkedHosts(const sim::Options& settings, NodeOptions options, const Service& service)
    : Nodes(with_one_more(settings), settings.nodes, with_directory(service), std::move(options)),
      service_(service) {}

void LinkedHosts::crash_directory() {
  world().crash(directory_host());
  service_->reset();
}

void LinkedHosts::restart_directory() {
  *service_ = std::make_unique<LinkedDirectory>(world(), directory_host());
}

}  // namespace coracle::test
