#include "architectures/lan.hpp"

#include "architectures/lan_order.hpp"
#include "harness/failures.hpp"

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
  Finder(std::vector<std::string>& found, std::uint32_t wanted, std::latch& done)
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
      for (const Entry& each : there) found_.emplace_back(each.name.view());
      const bool is_settled = clock_now() - quiet > std::chrono::seconds(2);
      if (wanted_ > 0 ? found_.size() >= wanted_ : !found_.empty() && is_settled) break;
      if (clock_now() > patience) break;
      co_await pause(std::chrono::milliseconds(20));
    }
    done_.count_down();
  }

 private:
  std::vector<std::string>& found_;
  std::uint32_t wanted_;
  std::latch& done_;
};

// Ends everything when a worker is gone too early.
class Guard : public Player {
 public:
  Guard(std::string worker, const std::atomic<bool>& is_closing)
      : worker_(std::move(worker)), is_closing_(is_closing) {}

 protected:
  Task<> play() override {
    const Ending ending = co_await watch(Name(worker_));
    if (!is_closing_) throw NotDone(fmt::format("{} is gone", worker_));
  }

 private:
  std::string worker_;
  const std::atomic<bool>& is_closing_;
};

// Tells the workers what to do, and hears from all agents what they have seen.
class Foreman : public Player {
 public:
  Foreman(Order order, const std::vector<std::string>& workers, std::size_t agents,
          Findings& findings, std::latch& done)
      : order_(std::move(order)),
        workers_(workers),
        agents_(agents),
        findings_(findings),
        done_(done) {}

 protected:
  Task<> play() override {
    const Time begin = clock_now();
    for (const std::string& worker : workers_) {
      order_.which += 1;
      Content order = Content::of(order_);
      const Message ready = co_await ask(worker, std::move(order));
    }
    for (std::size_t i = 0; i < agents_; ++i) {
      const Message message = co_await receive();
      findings_.add(message.content().as<Experience>());
    }
    findings_.passed = clock_now() - begin;
    done_.count_down();
  }

 private:
  Order order_;
  const std::vector<std::string>& workers_;
  std::size_t agents_;
  Findings& findings_;
  std::latch& done_;
};

// Sends the workers home.
class Dismissal : public Player {
 public:
  explicit Dismissal(const std::vector<std::string>& workers) : workers_(workers) {}

 protected:
  Task<> play() override {
    for (const std::string& worker : workers_) co_await send(worker, Content(), farewell);
  }

 private:
  const std::vector<std::string>& workers_;
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
  here_.realization = realization_at(options, options.listen, address);
  society_.emplace(here_);
  find_workers(count);
}

Lan::~Lan() {
  is_closing_ = true;
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
  std::latch done(1);
  society_->node().adopt(placed("finder", 0), std::make_unique<Finder>(workers_, count, done));
  done.wait();
  if (workers_.empty() || workers_.size() < count) {
    throw NotDone(
        fmt::format("{} workers have joined; on each host, run: coracle-bench worker "
                    "--join {}",
                    workers_.size(), here_.listen));
  }
  if (count > 0) workers_.resize(count);
  for (const std::string& each : workers_) {
    society_->node().adopt(placed("guard/" + each, 0), std::make_unique<Guard>(each, is_closing_));
  }
}

unsigned Lan::hosts() const noexcept { return static_cast<unsigned>(workers_.size()) + 1; }

Findings Lan::exchange(const Errand& given) {
  Order order;
  order.make = given.make;
  order.shape = given.graph->shape;
  order.prefix = fmt::format("run{}", ++runs_);
  order.messages = given.messages;
  order.delay_ns = given.delay.count();
  order.anywhere = given.anywhere;
  order.size = given.size;
  order.seed = given.seed;
  order.hosts = hosts();
  order.homes = homes_;
  const Errand errand = errand_of(order, *given.graph, sent_);
  Findings findings;
  std::latch done(1);
  Node& node = society_->node();
  node.adopt(placed(observer_name(errand), 0),
             std::make_unique<Foreman>(order, workers_, given.graph->agents(), findings, done));
  std::uint32_t made = 0;
  for (std::uint32_t i = 0; i < given.graph->agents(); ++i) {
    if (home_of(order, i) != 0) continue;
    node.adopt(placed(place_name(errand, i), made++ % here_.workers),
               std::make_unique<TestAgent>(errand, i));
  }
  done.wait();
  sent_ += workers_.size();
  // Those of this host refer to the errand.
  while (node.agents() > workers_.size()) usleep(100);
  return findings;
}

void Lan::close() {
  is_closing_ = true;
  society_->node().adopt(placed("dismissal", 0), std::make_unique<Dismissal>(workers_));
  society_->wait();
  sent_ += workers_.size();
  society_->stop({.sent = sent_, .received = society_->node().ledger().received});
}

}  // namespace coracle::bench
