// Several nodes of one society in a simulated world, for tests.
#pragma once

#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/seeds.hpp"
#include "support/societies/expect.hpp"
#include "support/societies/test_society.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace coracle::test {

using namespace std::chrono_literals;

// A world with nodes of its own, and the notes of its agents.
class Nodes {
 public:
  explicit Nodes(unsigned count, std::uint64_t seed = 1, NodeOptions options = {})
      : Nodes(settings(count, seed), std::move(options)) {}
  explicit Nodes(const sim::Options& settings, NodeOptions options = {})
      : Nodes(
            settings, settings.nodes,
            [](sim::World& world, unsigned host) { return world.realization(host); },
            std::move(options)) {}
  // Makes the parts of a node on the host of its number.
  using Parts = std::function<Realization(sim::World& world, unsigned host)>;
  Nodes(const sim::Options& settings, unsigned count, Parts parts, NodeOptions options)
      : options_(std::move(options)), world_(settings), parts_(std::move(parts)) {
    for (unsigned number = 0; number < count; ++number) {
      nodes_.push_back(std::make_unique<Node>(parts_(world_, number), options_));
    }
  }
  ~Nodes() {
    for (auto& node : nodes_) node.reset();
  }

  sim::World& world() noexcept { return world_; }
  Node& at(unsigned number) { return *nodes_.at(number); }
  // Returns whether the node's host has power.
  bool is_up(unsigned number) const { return nodes_.at(number) != nullptr; }
  // Starts an agent on that node.
  void start(unsigned number, AgentSpec spec, Body body) {
    at(number).adopt(std::move(spec), std::make_unique<Actor>(std::move(body), proceedings_));
  }
  // The host loses its power, and its node loses its state.
  void crash(unsigned number) {
    world_.crash(number);
    nodes_.at(number).reset();
  }
  void crash(unsigned number, sim::CrashDisk how) {
    world_.crash(number, how);
    nodes_.at(number).reset();
  }
  void restart(unsigned number) {
    nodes_.at(number) = std::make_unique<Node>(parts_(world_, number), options_);
  }
  // A fault (one of `troubles`) starts or ends on a host, or between it and another one.
  static constexpr std::uint64_t troubles = 6;
  void befall(std::uint64_t which, unsigned host, unsigned other) {
    switch (which) {
      case 0:
        return world_.cut(host, other);
      case 1:
        return world_.part({host});
      case 2:
        return world_.mend_all();
      case 3:
        return world_.pause(host, up_to(world_.random(), 40ms));
      case 4:
        if (is_up(host)) crash(host);
        return;
      default:
        if (!is_up(host)) restart(host);
    }
  }
  // Runs the world until `met`; fails when that takes more than `limit`.
  void until(const std::function<bool()>& met, Duration limit = 120s) {
    const bool came = world_.run_until([&] { return met() || failed(); }, Deadline(limit));
    proceedings_.rethrow();
    if (came) return;
    std::string text = "it did not come within its time;";
    for (const auto& node : nodes_) {
      if (node) text += "\n  " + node->ledger().to_string();
    }
    throw Failure(text);
  }
  // The sum of the ledgers of all nodes.
  Ledger sum() {
    Ledger all;
    for (const auto& node : nodes_) {
      if (!node) continue;
      const Ledger one = node->ledger();
      expect(one.balanced(), one.to_string());
      all.sent += one.sent;
      all.consumed += one.consumed;
      all.in_flight += one.in_flight;
      all.queued += one.queued;
      all.received += one.received;
      all.passed_on += one.passed_on;
    }
    return all;
  }

 protected:
  static sim::Options settings(unsigned count, std::uint64_t seed) {
    sim::Options options;
    options.seed = sim::seed_from_environment(seed);
    options.nodes = count;
    return options;
  }

 private:
  bool failed() const { return proceedings_.over(); }
  static void expect(bool met, const std::string& text) {
    if (!met) throw Failure(text);
  }

  const NodeOptions options_;
  Proceedings proceedings_;
  sim::World world_;
  const Parts parts_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

// Reads `count` messages and keeps their texts; "!" stands before the text of a redelivered
// message.
inline Body reader(std::vector<std::string>& texts, std::size_t count) {
  return [&texts, count](Agent& me) -> Task<> {
    while (texts.size() < count) {
      const Message message = co_await me.receive();
      texts.push_back((message.redelivered() ? "!" : "") + std::string(message.text()));
    }
  };
}

// Sends texts counted from `first`.
inline Body sender(Name to, int first, int count) {
  return [to, first, count](Agent& me) -> Task<> {
    for (int number = first; number < first + count; ++number) {
      co_await me.send(to, std::to_string(number));
    }
  };
}

inline std::vector<std::string> numbers(int first, int count) {
  std::vector<std::string> texts;
  for (int number = first; number < first + count; ++number) {
    texts.push_back(std::to_string(number));
  }
  return texts;
}

}  // namespace coracle::test
