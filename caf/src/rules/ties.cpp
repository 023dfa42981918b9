#include "coracle/caf/voting/ties.hpp"

#include "common/digest.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace coracle::caf {

namespace {

using Tied = std::vector<Candidate>;

bool contains(const Tied& tied, Candidate candidate) {
  return std::find(tied.begin(), tied.end(), candidate) != tied.end();
}

// Returns the candidates of `tied` with the greatest value.
template <class Value>
Tied best_among(const Tied& tied, Value value) {
  Tied best;
  for (const Candidate each : tied) {
    if (!best.empty() && value(each) < value(best.front())) continue;
    if (!best.empty() && value(best.front()) < value(each)) best.clear();
    best.push_back(each);
  }
  return best;
}

// Returns a number below `count`, each with the same probability.
std::size_t draw(const std::string& seed, std::size_t count) {
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % count;
  for (unsigned attempt = 0;; ++attempt) {
    const Digest digest = sha256("tie " + std::to_string(attempt) + ' ' + seed);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i) value = value << 8 | digest[i];
    if (value < limit) return static_cast<std::size_t>(value % count);
  }
}

Tied narrow_random(const Tied& tied, const TieContext& context) {
  return {tied[draw(context.seed, tied.size())]};
}

Tied narrow_status_quo(const Tied& tied, const TieContext& context) {
  return contains(tied, context.incumbent) ? Tied{context.incumbent} : tied;
}

Tied narrow_chair(const Tied& tied, const TieContext& context) {
  if (context.chair == nullptr) return tied;
  for (const Candidate each : context.chair->ranking) {
    if (contains(tied, each)) return {each};
  }
  if (context.chair->scores) {
    return best_among(tied, [&](Candidate c) { return (*context.chair->scores)[c]; });
  }
  if (context.chair->approved) {
    return best_among(tied, [&](Candidate c) { return contains(*context.chair->approved, c); });
  }
  return tied;
}

Tied narrow_seniority(const Tied& tied, const TieContext& context) {
  if (context.seniority.empty()) return {tied.front()};
  return best_among(tied, [&](Candidate c) { return -std::int64_t{context.seniority.at(c)}; });
}

Tied narrow_by_runoff(const Rule& rule, const Tied& tied, const TieContext& context) {
  const Tally tally = rule.count(context.profile->among(tied));
  Tied left;
  for (const Candidate each : tally.co_winners) left.push_back(tied[each]);
  return left.empty() ? tied : left;
}

Tied narrow_by_rule(const Rule& rule, const Tied& tied, const TieContext& context) {
  const Tally tally = rule.count(*context.profile);
  Tied left;
  for (const Candidate each : tied) {
    if (contains(tally.co_winners, each)) left.push_back(each);
  }
  if (left.empty() && !tally.scores.empty()) {
    left = best_among(tied, [&](Candidate c) { return tally.scores[c]; });
  }
  return left.empty() ? tied : left;
}

struct Entry {
  std::string_view name;
  TieStrategy (*make)();
};

constexpr Entry entries[] = {{"random", random},   {"status_quo", status_quo},
                             {"chair", chair},     {"revote", [] { return revote(1); }},
                             {"lexical", lexical}, {"seniority", seniority},
                             {"none", no_decision}};

Result<TieStrategy> with_parameter(std::string_view name, std::string_view parameter) {
  if (name == "revote") {
    unsigned rounds = 0;
    const char* const end = parameter.data() + parameter.size();
    const auto [at, wrong] = std::from_chars(parameter.data(), end, rounds);
    if (wrong == std::errc() && at == end && rounds >= 1 && rounds <= 100) return revote(rounds);
    return Error(Errc::bad_options,
                 "a revote needs a number of rounds from 1 to 100; write "
                 "revote:2");
  }
  const Result<Rule> rule = Rule::named(parameter);
  if (!rule) return rule.error();
  if (name == "runoff") return runoff_among_tied(*rule);
  return second_rule(*rule);
}

}  // namespace

TieStrategy::TieStrategy(std::string name, Narrow narrow)
    : name_(std::move(name)), narrow_(std::make_shared<const Narrow>(std::move(narrow))) {}

Result<TieStrategy> TieStrategy::named(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (colon != std::string_view::npos &&
      (name == "runoff" || name == "second" || name == "revote")) {
    return with_parameter(name, text.substr(colon + 1));
  }
  for (const Entry& entry : entries) {
    if (entry.name == text) return entry.make();
  }
  std::string all;
  for (const Entry& entry : entries) all += std::string(entry.name) + ' ';
  return Error(Errc::bad_options, "there is no tie strategy '" + std::string(text.substr(0, 40)) +
                                      "'; they are: " + all +
                                      "revote:ROUNDS runoff:RULE second:RULE");
}

TieStrategy random() { return TieStrategy("random", narrow_random); }
TieStrategy status_quo() { return TieStrategy("status_quo", narrow_status_quo); }
TieStrategy chair() { return TieStrategy("chair", narrow_chair); }
TieStrategy seniority() { return TieStrategy("seniority", narrow_seniority); }

TieStrategy lexical() {
  return TieStrategy("lexical", [](const Tied& tied, const TieContext&) -> Tied {
    return {*std::min_element(tied.begin(), tied.end())};
  });
}

TieStrategy no_decision() {
  TieStrategy strategy("none", [](const Tied& tied, const TieContext&) { return tied; });
  strategy.stops_ = true;
  return strategy;
}

TieStrategy revote(unsigned rounds) {
  TieStrategy strategy("revote:" + std::to_string(rounds),
                       [](const Tied& tied, const TieContext&) { return tied; });
  strategy.revotes_ = rounds;
  return strategy;
}

TieStrategy runoff_among_tied(Rule rule) {
  std::string name = "runoff:" + rule.name();
  return TieStrategy(std::move(name),
                     [rule = std::move(rule)](const Tied& tied, const TieContext& context) {
                       return narrow_by_runoff(rule, tied, context);
                     });
}

TieStrategy second_rule(Rule rule) {
  std::string name = "second:" + rule.name();
  return TieStrategy(std::move(name),
                     [rule = std::move(rule)](const Tied& tied, const TieContext& context) {
                       return narrow_by_rule(rule, tied, context);
                     });
}

Result<Ties> Ties::named(std::string_view text) {
  std::vector<TieStrategy> chain;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const Result<TieStrategy> strategy = TieStrategy::named(text.substr(0, comma));
    if (!strategy) return strategy.error();
    chain.push_back(*strategy);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return Ties(std::move(chain));
}

std::string Ties::name() const {
  std::string text;
  for (const TieStrategy& each : chain_) text += (text.empty() ? "" : ",") + each.name();
  return text;
}

bool Ties::needs_seed() const noexcept {
  return std::any_of(chain_.begin(), chain_.end(),
                     [](const TieStrategy& each) { return each.name() == "random"; });
}

TieOutcome Ties::settle(std::vector<Candidate> tied, const TieContext& context) const {
  TieOutcome outcome;
  outcome.left = std::move(tied);
  for (const TieStrategy& strategy : chain_) {
    if (outcome.left.size() < 2 || strategy.stops_) break;
    if (context.revotes < strategy.revotes_) {
      outcome.revote = true;
      outcome.by.push_back(strategy.name());
      break;
    }
    std::vector<Candidate> left = (*strategy.narrow_)(outcome.left, context);
    if (left.size() == outcome.left.size()) continue;
    outcome.left = std::move(left);
    outcome.by.push_back(strategy.name());
  }
  return outcome;
}

}  // namespace coracle::caf
