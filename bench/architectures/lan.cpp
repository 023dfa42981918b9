#include "architectures/lan.hpp"

#include "architectures/lan_order.hpp"
#include "harness/run/failures.hpp"

#include <coracle/query.hpp>
#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <latch>
#include <utility>

#include <unistd.h>

namespace coracle::bench {

namespace {

constexpr const char* overseer = "overseer";
constexpr Duration to_make_agents = std::chrono::minutes(10);
// Only agents that pause are silent for longer than that.
constexpr Duration longest_silence = std::chrono::minutes(2);
constexpr int longest_silence_in_turns = 20;
constexpr Duration to_go_home = std::chrono::seconds(25);

// Zero: all that come.
std::uint32_t workers_wanted(const std::string& hosts) {
  if (hosts == "all") return 0;
  const std::uint32_t count = count_of(hosts);
  if (count < 2) throw BadRequest("--hosts is `all`, or a number from 2 on: this host and others");
  return count - 1;
}

std::vector<std::uint32_t> read_homes(const std::string& file) {
  std::vector<std::uint32_t> homes;
  if (file.empty()) return homes;
  std::ifstream in(file);
  for (std::uint32_t each = 0; in >> each;) homes.push_back(each);
  if (!in.eof() || homes.empty()) {
    throw BadRequest(
        fmt::format("'{}' does not hold the number of a host for each agent, such as 0 1 1", file));
  }
  return homes;
}

// Looks for workers until there are enough.
class Finder : public Player {
 public:
  Finder(std::vector<Station>& found, std::uint32_t wanted, std::latch& done)
      : found_(found), wanted_(wanted), done_(done) {}

 protected:
  Task<> play() override {
    const Time patience = clock_now() + std::chrono::minutes(2);
    Time quiet = clock_now();
    for (;;) {
      Query query(where(worker_mark).exists());
      const std::vector<Entry> there = co_await search(std::move(query));
      if (there.size() != found_.size()) quiet = clock_now();
      found_.clear();
      for (const Entry& each : there) {
        const Value* const address = each.properties.find(worker_address);
        const auto* const text = address ? std::get_if<std::string>(address) : nullptr;
        found_.push_back({std::string(each.name.view()), text ? *text : "nowhere"});
      }
      const bool is_settled = clock_now() - quiet > std::chrono::seconds(2);
      if (wanted_ > 0 ? found_.size() >= wanted_ : !found_.empty() && is_settled) break;
      if (clock_now() > patience) break;
      co_await pause(std::chrono::milliseconds(20));
    }
    done_.count_down();
  }

 private:
  std::vector<Station>& found_;
  std::uint32_t wanted_;
  std::latch& done_;
};

// The stages that a run on all hosts has reached.
struct Stages {
  std::latch made{1};  // each worker has its agents
  std::latch done{1};
};

// Gives the workers their orders, and receives the results of all agents.
class Foreman : public Player {
 public:
  Foreman(Order order, const std::vector<Station>& workers, std::size_t agents, Findings& findings,
          Stages& stages)
      : order_(std::move(order)),
        workers_(workers),
        agents_(agents),
        findings_(findings),
        stages_(stages) {}

 protected:
  Task<> play() override {
    const Time begin = clock_now();
    for (const Station& worker : workers_) {
      order_.which += 1;
      Content order = Content::of(order_);
      const Message ready = co_await ask(worker.name, std::move(order), to_make_agents);
    }
    stages_.made.count_down();
    for (std::size_t i = 0; i < agents_; ++i) {
      const Message message = co_await receive();
      findings_.add(message.content().as<Experience>());
    }
    findings_.passed = clock_now() - begin;
    stages_.done.count_down();
  }
  // The guard of a worker knows why the worker does not answer.
  Duration hesitation() const override { return std::chrono::seconds(4); }

 private:
  Order order_;
  const std::vector<Station>& workers_;
  std::size_t agents_;
  Findings& findings_;
  Stages& stages_;
};

// Makes the overseer send the workers home. With a reason, they end with exit code 1.
class Dismissal : public Player {
 public:
  explicit Dismissal(const char* why = "") : why_(why) {}

 protected:
  Task<> play() override { co_await send(overseer, Content(why_), farewell); }

 private:
  const std::string why_;
};

// While the object exists, agents have work, and are not silent for longer than the given time.
class Silence {
 public:
  Silence(Watch& watch, Duration longest) : watch_(watch) {
    watch_.longest_silence_ns = longest.count();
  }
  ~Silence() { watch_.longest_silence_ns = 0; }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  Watch& watch_;
};

}  // namespace

Lan::Lan(const Options& options) : here_(options), homes_(read_homes(options.place)) {
  refuse_what_cannot_travel(options);
  if (options.listen.empty()) {
    throw BadRequest("--hosts needs --listen ADDRESS:PORT, where the workers find this host");
  }
  const std::uint32_t count = workers_wanted(options.hosts);
  begin_to_serve(options);
  const std::string address = options.listen.substr(0, options.listen.rfind(':'));
  here_.realization = realization_at(options, options.listen, address + ":0");
  society_.emplace(here_);
  find_workers(count);
}

Lan::~Lan() {
  if (!watch_.is_closing.exchange(true)) {
    const Patience patience(to_go_home,
                            [] { return "the workers did not receive the order to end"; });
    society_->node().adopt(
        placed("dismissal", 0),
        std::make_unique<Dismissal>("the host that measures has ended the run without a number"));
    while (society_->node().agents() > watch_.workers.size()) usleep(100);
  }
  society_.reset();
}

void Lan::begin_to_serve(const Options& options) {
  const auto begin = [&](auto settings, auto& server) {
    settings.society = "bench";
    if (const char* const key = std::getenv("CORACLE_KEY")) settings.key = key;
    if (const char* const tls = std::getenv("CORACLE_TLS")) settings.tls = tls;
    settings.listen = {options.listen};
    try {
      server.emplace(settings);
    } catch (const Error& error) {
      throw BadRequest(error.sentence());
    }
  };
  if (options.realization.starts_with("central")) begin(central::ServerOptions(), clearinghouse_);
  else begin(distributed::DirectoryOptions(), directory_);
}

void Lan::find_workers(std::uint32_t count) {
  std::vector<Station>& workers = watch_.workers;
  std::latch done(1);
  society_->node().adopt(placed("finder", 0), std::make_unique<Finder>(workers, count, done));
  done.wait();
  if (workers.empty() || workers.size() < count) {
    throw NotDone(
        fmt::format("{} workers have joined; on each host, run: coracle-bench worker "
                    "--join {}",
                    workers.size(), here_.listen));
  }
  if (count > 0) workers.resize(count);
  for (const Station& each : workers) {
    society_->node().adopt(placed("guard/" + each.name, 0), std::make_unique<Guard>(watch_, each));
  }
  society_->node().adopt(placed(overseer, 0), std::make_unique<Overseer>(watch_));
  watch_.reached.wait();
}

unsigned Lan::hosts() const noexcept { return static_cast<unsigned>(watch_.workers.size()) + 1; }

Order Lan::next_order(const std::string& make) {
  Order order;
  order.make = make;
  order.prefix = fmt::format("run{}", ++runs_);
  order.hosts = hosts();
  order.homes = homes_;
  return order;
}

Findings Lan::exchange(const Errand& given) {
  Order order = next_order(given.make);
  order.shape = given.graph->shape;
  order.messages = given.messages;
  order.delay_ns = given.delay.count();
  order.anywhere = given.anywhere;
  order.size = given.size;
  order.seed = given.seed;
  const Errand errand = errand_of(order, *given.graph, watch_.sent);
  Findings findings;
  Stages stages;
  Node& node = society_->node();
  node.adopt(
      placed(observer_name(errand), 0),
      std::make_unique<Foreman>(order, watch_.workers, given.graph->agents(), findings, stages));
  std::uint32_t made = 0;
  for (std::uint32_t i = 0; i < given.graph->agents(); ++i) {
    if (home_of(order, i) != 0) continue;
    node.adopt(placed(place_name(errand, i), made++ % here_.workers),
               std::make_unique<TestAgent>(errand, i));
  }
  stages.made.wait();  // each worker has its time for that
  {
    const Silence silence(watch_, longest_silence + longest_silence_in_turns * given.delay);
    stages.done.wait();
  }
  watch_.sent += watch_.workers.size();
  // The agents of this host refer to the errand.
  while (node.agents() > watch_.workers.size() + 1) usleep(100);
  return findings;
}

Voters Lan::call_voters(std::uint32_t count) {
  Order order = next_order(std::string(make_voters));
  order.count = count;
  Findings nothing;
  Stages stages;
  society_->node().adopt(placed(order.prefix + "/foreman", 0),
                         std::make_unique<Foreman>(order, watch_.workers, 0, nothing, stages));
  stages.done.wait();
  watch_.sent += watch_.workers.size();
  while (society_->node().agents() > watch_.workers.size() + 1) usleep(100);
  Voters voters{order.prefix, {}};
  for (std::uint32_t i = 0; i < count; ++i) {
    if (home_of(order, i) == 0) voters.here.push_back(i);
  }
  return voters;
}

void Lan::wait_for(std::latch& over) {
  const Silence silence(watch_, longest_silence);
  over.wait();
}

void Lan::close() {
  watch_.is_closing = true;
  const Patience patience(to_go_home, [this] {
    std::string names;
    for (const Station& each : watch_.workers) names += ' ' + each.to_string();
    return fmt::format("not all of these workers ended:{}", names);
  });
  society_->node().adopt(placed("dismissal", 0), std::make_unique<Dismissal>());
  watch_.sent += 1;
  society_->wait();
  society_->stop(
      {.sent = watch_.sent + watch_.calls, .received = society_->node().ledger().received});
}

}  // namespace coracle::bench
