#include "lying_society.hpp"

#include "coracle/testing/failure.hpp"
#include "honest/citizens.hpp"
#include "liar/liar.hpp"
#include "realizations/net/src/seeded_random.hpp"
#include "realizations/net/src/session.hpp"
#include "runtime/node/node_core.hpp"
#include "store/journal_backend.hpp"
#include "support/seeds.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <optional>

namespace coracle::test::lying {

namespace {

constexpr unsigned liars_host = honest_nodes, keepers_host = liars_host + 1,
                   services_host = keepers_host + 1, hosts = services_host + 1;
constexpr std::uint64_t things_limit = 20'000'000;
constexpr Duration long_enough = 200s, until_forgotten = 12s, to_settle = 40s, for_its_rest = 2s;

enum class Farewell : std::uint8_t { polite, silent, without_power };

// The limits for honest nodes at the end.
constexpr std::size_t most_names = 48, most_bytes = std::size_t{36} << 20;
// A directory that has come this far has too few epochs left for its successors.
constexpr std::uint32_t most_epochs = 1u << 31;

std::size_t memory_in_use() { return ::mallinfo2().uordblks; }

// The seed's decisions besides the actions of the agents.
struct Plan {
  Rules rules;
  bool has_store = false;
  unsigned storing = 0;     // a bit for each honest node
  unsigned liar_comes = 0;  // before the node of that number starts
  unsigned workers = 1;
  bool nodes_ask = false;  // the nodes check the policy themselves, too
  Farewell farewell = Farewell::polite;
};

Plan plan_of(Random& random, Linked kind) {
  Plan plan;
  plan.rules = rules_of(random);
  if (kind == Linked::distributed && below(random, 3) == 0) plan.rules = open_rules();
  plan.has_store = kind == Linked::central && below(random, 2) == 0;
  plan.storing = plan.has_store ? static_cast<unsigned>(below(random, 16)) : 0;
  plan.liar_comes = static_cast<unsigned>(below(random, honest_nodes + 2));
  plan.workers = 1 + static_cast<unsigned>(below(random, 2));
  plan.nodes_ask = kind == Linked::distributed || below(random, 2) == 0;
  plan.farewell = static_cast<Farewell>(below(random, 3));
  return plan;
}

sim::Options world_of(std::uint64_t seed, const PlayOptions& options) {
  sim::Options world;
  world.seed = seed;
  world.nodes = hosts;
  world.trace_messages = options.record;
  world.record = options.record;
  world.things_limit = things_limit;
  return world;
}

NodeOptions settings(const Plan& plan, unsigned node) {
  NodeOptions options;
  options.identity = "host" + std::to_string(node);
  if (plan.nodes_ask) options.policy = plan.rules.policy;
  options.workers = plan.workers;
  options.spin = Duration(0);
  options.balance = false;
  return options;
}

// "host3.0" is certified as "host3"; the message store runs in the service's own process.
void vouch(net::Greeting& greeting) {
  greeting.certified = greeting.node.substr(0, greeting.node.find('.'));
  greeting.is_inside = greeting.certified == "host" + std::to_string(keepers_host);
}

std::string name_at(unsigned node, const char* which) {
  return "n" + std::to_string(node) + "/" + which;
}

class LyingSociety {
 public:
  LyingSociety(std::uint64_t seed, const PlayOptions& options)
      : options_(options),
        random_(seed),
        plan_(plan_of(random_, options.kind)),
        witness_(plan_.rules, plan_.nodes_ask, random_),
        town_{witness_, random_},
        seed_(seed),
        world_(world_of(seed, options)) {
    for (unsigned node = 0; node < honest_nodes; ++node) {
      town_.everybody.push_back(name_at(node, "a"));
      town_.everybody.push_back(name_at(node, "b"));
      town_.absent.push_back(name_at(node, "late"));
      witness_.comes_late(town_.absent.back());
    }
  }

  ~LyingSociety() {
    town_.is_over = true;
    liar_.reset();
    for (auto& node : nodes_) node.reset();
    store_.reset();
  }

  void play() {
    note("rules:\n" + plan_.rules.text);
    open();
    populate();
    until([this] { return town_.busy == 0; }, long_enough, "all is done");
    until([this] { return liar_->is_over(); }, for_its_rest, {});
    send_away();
    world_.run_for(until_forgotten);
    come_late();
    until([this] { return town_.busy == 0; }, long_enough, "all is done after the liar has gone");
    until([this] { return witness_.is_complete(); }, to_settle, {});
    measure();
    close();
  }

  Verdict verdict(std::string failure) {
    Verdict verdict;
    verdict.seed = seed_;
    verdict.wrong = witness_.verdict() + std::move(failure);
    verdict.messages = witness_.messages();
    verdict.lies = lies_;
    verdict.names = names_;
    verdict.bytes = bytes_;
    verdict.hash = world_.trace_hash();
    if (options_.record) note(world_.trace());
    return verdict;
  }

 private:
  void note(const std::string& line) {
    if (options_.note) options_.note(line);
  }
  void until(const std::function<bool()>& met, Duration limit, const std::string& what) {
    if (world_.run_until(met, Deadline(limit)) || what.empty()) return;
    std::string text = "it has taken too long until " + what + ":";
    for (const std::string& doing : town_.doing) text += " " + doing + ",";
    witness_.fault(text);
  }

  Realization parts(unsigned host) {
    Realization made = linked_node(world_, host, {services_host}, options_.kind);
    made.stores = host < honest_nodes && (plan_.storing >> host & 1) != 0;
    if (host != keepers_host) return made;
    store::JournalBackend::Settings settings;
    settings.own_thread = false;
    settings.log = [](const std::string&) {};
    made.backend = std::make_shared<store::JournalBackend>(world_.disk(host), world_.random(),
                                                           std::move(settings), world_.now());
    return made;
  }

  void open() {
    service_.emplace(world_, services_host, options_.kind, 0,
                     LinkedGuard{plan_.rules.policy, &vouch,
                                 plan_.rules.are_for_all ? plan_.rules.text : std::string()});
    if (plan_.has_store) store_ = std::make_unique<Node>(parts(keepers_host), NodeOptions());
    for (unsigned node = 0; node < honest_nodes; ++node) {
      if (plan_.liar_comes == node) bring_liar();
      nodes_.push_back(std::make_unique<Node>(parts(node), settings(plan_, node)));
    }
    if (!liar_ && plan_.liar_comes == honest_nodes) bring_liar();
  }

  void bring_liar() {
    Liar::Settings with;
    with.absent = town_.absent;
    with.spares = options_.spares;
    with.heard = [this](std::string_view content) { witness_.on_leak(content); };
    with.leaves_out = options_.leaves_out;
    with.is_harmless = options_.is_harmless;
    with.note = options_.note ? [this](const std::string& line) {
      note(fmt::format("{:>12} liar {}", world_.now().time_since_epoch().count(), line));
    } : std::function<void(const std::string&)>();
    liar_ = std::make_unique<Liar>(world_, Liar::Place{liars_host, services_host, options_.kind},
                                   seed_, std::move(with));
  }

  void populate() {
    for (unsigned node = 0; node < honest_nodes; ++node) {
      for (const char* which : {"a", "b"}) {
        const auto things = static_cast<unsigned>(below(random_, 12));
        nodes_[node]->adopt(AgentSpec(name_at(node, which)),
                            std::make_unique<Citizen>(town_, things));
      }
    }
    if (!liar_) bring_liar();
  }

  void send_away() {
    lies_ = liar_->done();
    note("the liar goes");
    liar_->stop(plan_.farewell == Farewell::polite);
    if (plan_.farewell == Farewell::without_power) world_.crash(liars_host);
    if (plan_.farewell != Farewell::polite) liar_.reset();
  }

  // Names that were absent get holders; all agents have further messages to send.
  void come_late() {
    for (unsigned node = 0; node < honest_nodes; ++node) {
      nodes_[node]->adopt(AgentSpec(name_at(node, "late")), std::make_unique<Citizen>(town_, 4));
      nodes_[node]->adopt(AgentSpec(name_at(node, "new")), std::make_unique<Citizen>(town_, 6));
    }
  }

  // By now, all memory that the liar has caused must have been released.
  void measure() {
    for (const auto& node : nodes_) {
      std::size_t names = 0;
      node->core().each_mailbox([&names](coracle::detail::Mailbox&) { ++names; });
      names_ = std::max(names_, names);
    }
    for (unsigned node = 0; node < honest_nodes; ++node) compare_incarnations(node);
    const std::size_t now = memory_in_use();
    bytes_ = now > bytes_before_ ? now - bytes_before_ : 0;
    if (names_ > most_names)
      witness_.fault("a node holds " + std::to_string(names_) + " names in the end");
    if (bytes_ > most_bytes)
      witness_.fault("all hold " + std::to_string(bytes_) + " bytes in the end");
  }

  // The directory still has larger numbers for new agents, and for those of later directories.
  void compare_incarnations(unsigned node) {
    const auto life_of = [&](const char* which) {
      const coracle::detail::Mailbox* const there =
          nodes_[node]->core().mailboxes().find(name_at(node, which));
      return there != nullptr ? there->incarnation : Incarnation();
    };
    const Incarnation earlier = life_of("a"), later = life_of("new");
    if (later <= earlier || later.epoch > most_epochs)
      witness_.fault("the agent that began last on node " + std::to_string(node) +
                     " has the incarnation " + std::to_string(later.epoch) + "." +
                     std::to_string(later.counter));
  }

  void close() {
    town_.is_over = true;
    for (unsigned node = 0; node < honest_nodes; ++node) {
      const Ledger ledger = nodes_[node]->ledger();
      if (!ledger.balanced())
        witness_.fault("the ledger of node " + std::to_string(node) + ": " + ledger.to_string());
    }
    for (auto& node : nodes_) {
      const StopReport report = node->stop(5s);
      if (!report.still_alive.empty()) witness_.fault("a node did not stop: " + report.to_string());
    }
  }

  const std::size_t bytes_before_ = memory_in_use();
  const PlayOptions& options_;
  net::SeededRandom random_;
  const Plan plan_;
  Witness witness_;
  Town town_;
  const std::uint64_t seed_;
  sim::World world_;
  std::optional<LinkedDirectory> service_;
  std::unique_ptr<Node> store_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::unique_ptr<Liar> liar_;
  unsigned lies_ = 0;
  std::size_t names_ = 0, bytes_ = 0;
};

}  // namespace

Verdict play_with_liar(std::uint64_t seed, const PlayOptions& options) {
  LyingSociety society(seed, options);
  try {
    society.play();
    return society.verdict({});
  } catch (const std::exception& error) {
    return society.verdict(std::string("the play failed: ") + error.what());
  }
}

}  // namespace coracle::test::lying
