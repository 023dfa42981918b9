#include "judged_society.hpp"

#include "coracle/grants.hpp"
#include "realizations/net/src/handshake.hpp"
#include "store/journal_backend.hpp"
#include "support/societies/doer.hpp"

#include <chrono>
#include <utility>

namespace coracle::trust {

namespace {

using namespace std::chrono_literals;
using test::Doer;

constexpr const char* certificates[] = {"north", "south", "west"};

sim::Options world_of(std::uint64_t seed) {
  sim::Options options;
  options.seed = seed;
  options.nodes = hosts;
  options.trace_messages = false;
  return options;
}

void vouch(net::Greeting& greeting) {
  const auto host = static_cast<unsigned>(greeting.node[4] - '0');
  if (host < std::size(certificates)) greeting.certified = certificates[host];
  if (host == store) greeting.is_inside = true;
}

}  // namespace

// ── the parts of the society ────────────────────────────────────────────────────────────────────

std::string JudgedSociety::policy_of(Draw& draw) {
  static constexpr const char* patterns[] = {"**",    "*",     "lab/*", "den/*", "*/a",    "zoo**",
                                             "lab/a", "den/b", "zoo",   "zoo/*", "teams/*"};
  static constexpr const char* words[] = {"send", "send", "send", "overhear", "join", "redirect"};
  std::string text;
  for (std::size_t lines = 2 + draw.below(10); lines != 0; --lines) {
    const std::string word = draw.of(words);
    text += draw.chance(70) ? "allow " : "deny ";
    text += draw.of(patterns) + std::string(" ") + word + " " + draw.of(patterns) + "\n";
  }
  // In some societies many join the group and overhear, so that multicasts have copies.
  if (draw.chance(50))
    text += std::string("allow ** join **\nallow ** overhear ") + draw.of(patterns) +
            "\nallow ** overhear teams/*\nallow ** send " + draw.of(patterns) + "\n";
  // The policy forbids some agents to register; most may.
  if (draw.chance(30)) text += std::string("deny north register ") + draw.of(patterns) + "\n";
  return text + "allow * register **\n";
}

JudgedSociety::JudgedSociety(std::uint64_t seed, test::Linked kind)
    : kind_(kind),
      random_(seed),
      policy_(policy_of(draw_)),
      oracle_(policy_),
      world_(world_of(seed)),
      service_(std::make_unique<test::LinkedDirectory>(
          world_, server, kind, 0,
          test::LinkedGuard{parse_policy(policy_).value(), &vouch, policy_})) {
  for (unsigned host = 0; host < std::size(certificates); ++host)
    members_[host].certificate = certificates[host];
  members_[store].is_servers = true;
  Realization keeping = node(store);
  keeping.backend = make_backend();
  nodes_.push_back(std::make_unique<Node>(std::move(keeping)));
  for (unsigned host = 0; host < store; ++host) {
    Realization made = node(host);
    made.stores = host == storing;
    nodes_.push_back(std::make_unique<Node>(std::move(made)));
  }
  letters_.name = Node::dead_letters().str();
  letters_.host = second;
  begin(letters_);
  for (unsigned number = 0; number < std::size(judged_names); ++number) {
    auto actor = std::make_unique<Actor>();
    actor->name = judged_names[number];
    actor->host = number % store;
    if (!oracle_.may_register(member(*actor), actor->name)) continue;
    begin(*actor);
    actors_.push_back(std::move(actor));
  }
}

JudgedSociety::~JudgedSociety() {
  for (auto& each : nodes_) each.reset();
}

std::shared_ptr<StoreBackend> JudgedSociety::make_backend() {
  store::JournalBackend::Settings settings;
  settings.own_thread = false;
  settings.store.journal.segment_bytes = 64u << 10;
  settings.store.journal.reserve_bytes = 16u << 10;
  settings.log = [](const std::string&) {};
  return std::make_shared<store::JournalBackend>(world_.disk(store), world_.random(),
                                                 std::move(settings), world_.now());
}

Realization JudgedSociety::node(unsigned host) {
  return test::linked_node(world_, host, {server}, kind_);
}

// The agent performs its orders, reads all messages, and replies to requests.
void JudgedSociety::begin(Actor& actor) {
  const auto reading = [](Agent& me, Actor& of) -> Task<> {
    for (;;) {
      const Message message = co_await me.receive();
      if (message.gap() != 0) continue;
      (message.overheard() ? of.overheard : of.got).insert(std::string(message.text()));
      if (!message.is_request()) continue;
      try {
        co_await me.reply(message, Content("yes"));
      } catch (const Error&) {
      }
    }
  };
  nodes_[actor.host + 1]->adopt(AgentSpec(actor.name),
                                std::make_unique<Doer>([&actor, reading](Agent& me) -> Task<> {
                                  me.spawn(reading(me, actor));
                                  for (;;) {
                                    while (!actor.to_do.empty()) {
                                      const auto what = std::move(actor.to_do.front());
                                      Task<> doing = what(me);
                                      co_await doing;
                                      actor.to_do.pop_front();
                                    }
                                    co_await me.pause(Deadline(1ms));
                                  }
                                }));
  members_[actor.host].registered.insert(actor.name);
  oracle_.registered(actor.name);
}

void JudgedSociety::have(Actor& actor, std::function<Task<>(Agent&)> what) {
  actor.to_do.push_back(std::move(what));
  if (!world_.run_until([&actor] { return actor.to_do.empty(); }, Deadline(60s)))
    throw test::Failure("'" + actor.name + "' does not come to an end");
  world_.run_for(30ms);
}

void JudgedSociety::adopt(Actor& owner, AgentSpec spec,
                          const std::function<std::unique_ptr<Agent>()>& make) {
  const std::string name = spec.name().str();
  have(owner, [&](Agent& me) -> Task<> { (void)co_await me.adopt(std::move(spec), make()); });
  members_[owner.host].registered.insert(name);
  oracle_.registered(name);
}

JudgedSociety::Actor& JudgedSociety::other_than(const Actor& one) {
  Actor* other = &any();
  while (other == &one && actors_.size() > 1) other = &any();
  return *other;
}

std::string JudgedSociety::compare(const std::string& what, bool is_expected, bool is_so) {
  ++compared_;
  if (!is_expected) ++refused_;
  if (is_expected == is_so) return {};
  return what + (is_expected ? " was refused" : " was not refused") + " under the policy\n" +
         policy_;
}

// Messages between agents of one node do not pass the server, except those that the node sends to
// the message store.
bool JudgedSociety::may_send(const Actor& from, const std::string& to, unsigned host) const {
  if (from.host == host && from.host != storing) return true;
  return oracle_.may_send(member(from), from.name, to);
}

// An eavesdropper gets its copy from the sender's node.
std::string JudgedSociety::compare_copies(const Actor& from, const Actor* to,
                                          const std::string& target, const std::string& text) {
  std::string wrong;
  for (const auto& eavesdropper : actors_) {
    if (!eavesdropper->has_tap || eavesdropper.get() == &from || eavesdropper.get() == to) continue;
    const bool may = eavesdropper->host == from.host ||
                     oracle_.may_copy(member(from), eavesdropper->name, from.name, target);
    wrong += compare("a copy for '" + eavesdropper->name + "' of what '" + from.name +
                         "' sent to '" + target + "'",
                     may, eavesdropper->overheard.contains(text));
  }
  return wrong;
}

}  // namespace coracle::trust
