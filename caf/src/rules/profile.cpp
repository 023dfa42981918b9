#include "coracle/caf/voting/profile.hpp"

#include "common/wide.hpp"
#include "pairwise.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace coracle::caf {

namespace {

// Returns a text if a candidate of `list` is unknown or named twice.
std::string fault_of_list(const std::vector<Candidate>& list, std::uint32_t candidates) {
  std::uint64_t few = 0;  // the candidates seen so far among the first 64
  std::vector<bool> many;
  for (const Candidate each : list) {
    if (each >= candidates) {
      if (each == nobody) return "it names something that is not on the list";
      return "it names candidate " + std::to_string(each) + " of " + std::to_string(candidates) +
             ", counted from 0";
    }
    bool seen = false;
    if (each < 64) {
      seen = ((few >> each) & 1) != 0;
      few |= std::uint64_t{1} << each;
    } else {
      if (many.empty()) many.resize(candidates);
      seen = many[each];
      many[each] = true;
    }
    if (seen) return "it names candidate " + std::to_string(each) + " twice";
  }
  return {};
}

// The least common multiple of the weights' denominators.
std::int64_t common_unit(const std::vector<Ballot>& ballots) {
  Wide unit = 1;
  for (const Ballot& ballot : ballots) {
    const std::int64_t part = ballot.weight.denominator();
    if (part == 1) continue;
    unit = Wide{narrow(unit)} / std::gcd(narrow(unit), part) * part;
  }
  return narrow(unit);
}

}  // namespace

Ballot choose(Candidate best) { return rank({best}); }

Ballot rank(std::vector<Candidate> best_first) {
  Ballot ballot;
  ballot.ranking = std::move(best_first);
  return ballot;
}

Ballot approve(std::vector<Candidate> good_enough) {
  Ballot ballot;
  ballot.approved = std::move(good_enough);
  return ballot;
}

Ballot grade(std::vector<Fraction> scores) {
  Ballot ballot;
  ballot.scores = std::move(scores);
  return ballot;
}

std::string fault_of(const Ballot& ballot, std::uint32_t candidates) {
  if (ballot.weight < Fraction(0)) return "its weight " + ballot.weight.str() + " is negative";
  std::string fault = fault_of_list(ballot.ranking, candidates);
  if (fault.empty() && ballot.approved) fault = fault_of_list(*ballot.approved, candidates);
  if (fault.empty() && ballot.scores && ballot.scores->size() != candidates) {
    fault = "it has " + std::to_string(ballot.scores->size()) + " scores for " +
            std::to_string(candidates) + " candidates";
  }
  return fault;
}

Profile::Profile(std::uint32_t candidates, std::vector<Ballot> ballots)
    : candidates_(candidates), ballots_(std::move(ballots)) {
  if (candidates == 0) {
    throw Error(Errc::bad_options, "there are no candidates; name at least one");
  }
  if (candidates > max_candidates) {
    throw Error(Errc::limit_reached, "there are " + std::to_string(candidates) +
                                         " candidates; at most " + std::to_string(max_candidates) +
                                         " can be compared; leave some out");
  }
  for (std::size_t i = 0; i < ballots_.size(); ++i) {
    const std::string fault = fault_of(ballots_[i], candidates);
    if (fault.empty()) continue;
    throw Error(Errc::bad_options, "ballot " + std::to_string(i) + " cannot be counted: " + fault +
                                       "; correct it, or leave it out");
  }
  unit_ = common_unit(ballots_);
  units_.reserve(ballots_.size());
  Wide total = 0;
  for (const Ballot& ballot : ballots_) {
    const Wide units = Wide{ballot.weight.numerator()} * (unit_ / ballot.weight.denominator());
    total += units;
    narrow(total);
    units_.push_back(narrow(units));
  }
  // Rules count up to two points for each candidate, and add differences.
  narrow(total * 8 * candidates);
  total_ = narrow(total);
}

Profile& Profile::stand_for(std::vector<Fraction> numbers) {
  if (numbers.size() != candidates_) {
    throw Error(Errc::bad_options, "there are " + std::to_string(numbers.size()) + " numbers for " +
                                       std::to_string(candidates_) +
                                       " candidates; give one for each");
  }
  numbers_ = std::move(numbers);
  return *this;
}

const Margins& Profile::margins() const {
  if (!margins_) margins_ = std::make_shared<const Margins>(candidates_, count_margins(*this));
  return *margins_;
}

Profile Profile::among(const std::vector<Candidate>& left) const {
  std::vector<Candidate> renamed(candidates_, nobody);
  for (std::size_t i = 0; i < left.size(); ++i) {
    renamed.at(left[i]) = static_cast<Candidate>(i);
  }
  const auto keep = [&](const std::vector<Candidate>& list) {
    std::vector<Candidate> kept;
    for (const Candidate each : list) {
      if (renamed[each] != nobody) kept.push_back(renamed[each]);
    }
    return kept;
  };
  std::vector<Ballot> ballots;
  ballots.reserve(ballots_.size());
  for (const Ballot& ballot : ballots_) {
    Ballot reduced;
    reduced.weight = ballot.weight;
    reduced.ranking = keep(ballot.ranking);
    if (ballot.approved) reduced.approved = keep(*ballot.approved);
    if (ballot.scores) {
      reduced.scores.emplace();
      for (const Candidate each : left) reduced.scores->push_back((*ballot.scores)[each]);
    }
    ballots.push_back(std::move(reduced));
  }
  Profile result(static_cast<std::uint32_t>(left.size()), std::move(ballots));
  if (!numbers_.empty()) {
    std::vector<Fraction> numbers;
    for (const Candidate each : left) numbers.push_back(numbers_[each]);
    result.stand_for(std::move(numbers));
  }
  return result;
}

}  // namespace coracle::caf
