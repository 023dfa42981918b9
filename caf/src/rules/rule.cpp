#include "rules.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace coracle::caf {

namespace {

struct Entry {
  std::string name;
  Rule (*make)();
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {{"plurality", plurality},
                                         {"antiplurality", antiplurality},
                                         {"borda", borda},
                                         {"runoff", runoff},
                                         {"irv", irv},
                                         {"coombs", coombs},
                                         {"condorcet", condorcet},
                                         {"copeland", copeland},
                                         {"minimax", minimax},
                                         {"schulze", schulze},
                                         {"ranked_pairs", ranked_pairs},
                                         {"black", black},
                                         {"kemeny", kemeny},
                                         {"approval", approval},
                                         {"score", score},
                                         {"stv", [] { return stv(1); }},
                                         {"majority", majority},
                                         {"unanimity", unanimity},
                                         {"median", median}};
  return all;
}

Result<Rule> with_parameter(std::string_view name, std::string_view parameter) {
  try {
    if (name == "supermajority") return supermajority(Fraction::parse(parameter).value());
    if (name == "stv") {
      std::uint32_t seats = 0;
      const char* const end = parameter.data() + parameter.size();
      const auto [at, wrong] = std::from_chars(parameter.data(), end, seats);
      if (wrong == std::errc() && at == end) return stv(seats);
      return Error(Errc::bad_options, "'" + std::string(parameter.substr(0, 40)) +
                                          "' is not a number of seats; write stv:3");
    }
  } catch (const Error& error) {
    return error;
  }
  return Error(Errc::bad_options, "the rule " + std::string(name.substr(0, 40)) +
                                      " has no parameter; write its name alone");
}

bool abstains(const Ballot& ballot, Counts what) {
  if (what == Counts::approvals) return !ballot.approved;
  if (what == Counts::scores) return !ballot.scores;
  return ballot.ranking.empty();
}

}  // namespace

Rule built_in(std::string name, Counts what, Rule::Count count) {
  return Rule(std::move(name), [what, count = std::move(count)](const Profile& profile) {
    for (std::size_t i = 0; i < profile.ballots().size(); ++i) {
      if (profile.units(i) != 0 && !abstains(profile.ballots()[i], what)) return count(profile);
    }
    Tally tally;
    tally.why = "nobody has voted: every ballot abstains";
    return tally;
  });
}

Rule::Rule(std::string name, Count count)
    : name_(std::move(name)), count_(std::make_shared<const Count>(std::move(count))) {}

Result<Rule> Rule::named(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (name == "supermajority" && colon == std::string_view::npos) {
    return Error(Errc::bad_options, "supermajority needs a share; write supermajority:2/3");
  }
  const bool known = name == "supermajority" ||
                     std::any_of(entries().begin(), entries().end(),
                                 [&](const Entry& entry) { return entry.name == name; });
  if (known && colon != std::string_view::npos) {
    return with_parameter(name, text.substr(colon + 1));
  }
  for (const Entry& entry : entries()) {
    if (entry.name == name) return entry.make();
  }
  std::string all;
  for (const std::string& each : rule_names()) all += each + ' ';
  return Error(Errc::bad_options, "there is no rule '" + std::string(text.substr(0, 40)) +
                                      "'; the rules are: " + all + "supermajority:SHARE stv:SEATS");
}

const std::vector<std::string>& rule_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& entry : entries()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

}  // namespace coracle::caf
