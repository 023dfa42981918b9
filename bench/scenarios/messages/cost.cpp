// The cost of each promise for a message: the same ping-pong, and the same flood, with one thing
// more at a time, all in turn beside the plain one. The plain one already includes everything that
// is always on (the ledger, the limits of a mailbox, one outcome for each message).
#include "cost_players.hpp"
#include "harness/figures/compare.hpp"
#include "harness/load/flooding.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/policy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace coracle::bench {

namespace {

// Permits everything, and is called each time.
class Generous : public Policy {
 public:
  bool allows(std::string_view, Action, const Name&, const Name&) const noexcept override {
    return true;
  }
};

// The agents that listen while others exchange messages.
enum class Taps { none, names_1, names_100, names_10000, regexes_100, everything };

// One line of the result.
struct Variant {
  const char* name;
  bool is_flood = false;
  Sent sent = Sent::plain;
  Read read = Read::any;
  Taps taps = Taps::none;
  enum class Answers { as_ponger, as_answerer, hesitating } answers = Answers::as_ponger;
  bool has_policy = false;
  std::uint32_t mailbox = 1024;
  Overflow overflow = Overflow::wait;
};

using Answers = Variant::Answers;

// The first variant of each kind is the plain one.
const Variant variants[] = {
    {.name = "plain"},
    {.name = "fresh content", .sent = Sent::fresh},
    {.name = "target by name", .sent = Sent::by_name},
    {.name = "sent as a post", .sent = Sent::post},
    {.name = "post with a header", .sent = Sent::header},
    {.name = "post with a deadline", .sent = Sent::deadline},
    {.name = "post with a receipt, consumed", .sent = Sent::tracked},
    {.name = "request and reply", .sent = Sent::request, .answers = Answers::as_answerer},
    {.name = "read by sender", .read = Read::by_sender},
    {.name = "read by conversation", .read = Read::by_conversation},
    {.name = "read by a predicate", .read = Read::by_predicate},
    {.name = "read with a deadline", .read = Read::until},
    {.name = "given back once", .answers = Answers::hesitating},
    {.name = "mailbox of 16, wait", .mailbox = 16},
    {.name = "mailbox of 16, fail", .mailbox = 16, .overflow = Overflow::fail},
    {.name = "mailbox of 16, drop oldest", .mailbox = 16, .overflow = Overflow::drop_oldest},
    {.name = "mailbox of 16, drop newest", .mailbox = 16, .overflow = Overflow::drop_newest},
    {.name = "mailbox of 16, keep latest", .mailbox = 16, .overflow = Overflow::keep_latest},
    {.name = "policy object", .has_policy = true},
    {.name = "1 pattern on another name", .taps = Taps::names_1},
    {.name = "100 patterns on other names", .taps = Taps::names_100},
    {.name = "10,000 patterns on other names", .taps = Taps::names_10000},
    {.name = "100 regular expressions", .taps = Taps::regexes_100},
    {.name = "one tap for everything", .taps = Taps::everything},
    {.name = "plain", .is_flood = true},
    {.name = "mailbox of 16", .is_flood = true, .mailbox = 16},
    {.name = "sent as a post", .is_flood = true, .sent = Sent::post},
    {.name = "post with a header", .is_flood = true, .sent = Sent::header},
    {.name = "post with a deadline", .is_flood = true, .sent = Sent::deadline},
    {.name = "policy object", .is_flood = true, .has_policy = true},
    {.name = "10,000 patterns on other names", .is_flood = true, .taps = Taps::names_10000},
    {.name = "one tap for everything", .is_flood = true, .taps = Taps::everything},
};

std::vector<Pattern> patterns_of(Taps taps) {
  if (taps == Taps::everything) return {Pattern()};
  const unsigned count = taps == Taps::names_1 ? 1 : taps == Taps::names_10000 ? 10'000 : 100;
  std::vector<Pattern> patterns;
  for (unsigned i = 0; i < count; ++i) {
    const std::string other = fmt::format("elsewhere/{}", i);
    if (taps == Taps::regexes_100) {
      patterns.push_back(Pattern().target(other + "/(left|right)[0-9]+"));
    } else {
      patterns.push_back(Pattern().target_is(other));
    }
  }
  return patterns;
}

// Makes the eavesdroppers, and waits until they listen. An agent may have 1,024 taps at most.
std::vector<Address> make_company(Node& node, Taps taps) {
  constexpr std::size_t taps_each = 1000;
  if (taps == Taps::none) return {};
  const std::vector<Pattern> patterns = patterns_of(taps);
  const std::size_t listeners = (patterns.size() + taps_each - 1) / taps_each;
  std::latch listening(static_cast<std::ptrdiff_t>(listeners));
  std::vector<Address> company;
  for (std::size_t i = 0; i < listeners; ++i) {
    const auto first = patterns.begin() + static_cast<std::ptrdiff_t>(i * taps_each);
    const std::size_t count = std::min(taps_each, patterns.size() - i * taps_each);
    std::vector<Pattern> share(first, first + static_cast<std::ptrdiff_t>(count));
    auto listener = std::make_unique<Listener>(std::move(share), listening);
    company.push_back(node.adopt(placed(fmt::format("listener/{}", i), 0), std::move(listener)));
  }
  listening.wait();
  return company;
}

NodeOptions node_options(const Variant& variant) {
  NodeOptions options;
  if (variant.has_policy) options.policy = std::make_shared<Generous>();
  return options;
}

MailboxOptions mailbox_options(const Variant& variant) {
  return MailboxOptions().messages(variant.mailbox).overflow(variant.overflow);
}

std::unique_ptr<Agent> make_ponger(Answers answers) {
  if (answers == Answers::as_answerer) return std::make_unique<Answerer>();
  if (answers == Answers::hesitating) return std::make_unique<Hesitator>();
  return std::make_unique<Ponger>();
}

Run play(const Options& options, const Variant& variant) {
  CostGame game;
  game.content = content_of(options.size);
  game.interval = *options.seconds;
  game.sent = variant.sent;
  game.read = variant.read;
  Society society(options, node_options(variant));
  game.company = make_company(society.node(), variant.taps);
  AgentSpec ponger = placed("ponger", options.workers - 1);
  ponger.mailbox(mailbox_options(variant));
  society.node().adopt(ponger, make_ponger(variant.answers));
  society.node().adopt(placed("pinger", 0), std::make_unique<CostPinger>(game));
  society.wait();
  society.stop({.sent = game.messages});
  return game.found;
}

Run flood(const Options& options, const Variant& variant) {
  FloodSettings settings;
  settings.node = node_options(variant);
  settings.mailbox = mailbox_options(variant);
  settings.company = [&](Node& node) { return make_company(node, variant.taps); };
  if (variant.sent == Sent::post) settings.extra = FloodSettings::Extra::post;
  if (variant.sent == Sent::header) settings.extra = FloodSettings::Extra::header;
  if (variant.sent == Sent::deadline) settings.extra = FloodSettings::Extra::deadline;
  Run run = run_one_flood(options, settings);
  run.value = 1e9 / run.value;
  for (double& sample : run.samples) sample = 1e9 / sample;
  return run;
}

Summary difference(const std::vector<Run>& runs, const std::vector<Run>& plain) {
  std::vector<double> added;
  for (std::size_t i = 0; i < runs.size(); ++i) added.push_back(runs[i].value - plain[i].value);
  return summarize(added, 0);
}

}  // namespace

std::vector<Metric> run_cost(const Options& options, Progress& progress) {
  Options each = options;
  each.seconds = options.interval(0.02, 0.3);
  std::vector<std::function<Run()>> works;
  for (const Variant& variant : variants) {
    works.push_back([&] { return variant.is_flood ? flood(each, variant) : play(each, variant); });
  }
  const auto runs = interleave(options, progress, works);

  std::vector<Metric> metrics;
  const std::vector<Run>* plain = nullptr;
  bool plain_is_flood = false;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Variant& variant = variants[i];
    if (plain == nullptr || plain_is_flood != variant.is_flood) plain = &runs[i];
    plain_is_flood = variant.is_flood;
    const Params params = {{"on", std::string(variant.is_flood ? "flood" : "pingpong")},
                           {"with", std::string(variant.name)},
                           {"workers", std::int64_t{options.workers}}};
    metrics.push_back({"cost", "ns/message", params, summarize(runs[i]), {}});
    metrics.back().more = {{"floor", summarize(*plain).value},
                           {"added", difference(runs[i], *plain).value},
                           {"ratio_to_floor", ratio(runs[i], *plain).value}};
  }
  return metrics;
}

}  // namespace coracle::bench
