#include "architectures/roll_call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace coracle::bench {

namespace {

// Nobody reads a report with more names than that.
constexpr std::size_t most_named = 6;

std::string list_of(std::vector<std::string> parts) {
  const std::size_t all = parts.size();
  parts.resize(std::min(all, most_named));
  if (all > most_named) parts.push_back(fmt::format("{} more", all - most_named));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string Station::to_string() const { return fmt::format("{} ({})", name, address); }

RollCall::RollCall(const std::vector<Station>& workers)
    : workers_(workers), reports_(workers.size()), left_(workers.size()) {}

void RollCall::reported(std::size_t worker, const std::vector<std::uint32_t>& silent) {
  reports_.at(worker) = silent;
  --left_;
}

void RollCall::missed(std::size_t worker) {
  reports_.at(worker).reset();
  --left_;
}

std::string RollCall::failure() const {
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (!reports_[i]) missing.push_back(workers_[i].to_string());
  }
  std::string sentence;
  if (!missing.empty()) {
    sentence = fmt::format(
        "the host that measures gets no answer from {}; look whether it still runs, and whether a "
        "firewall lets TCP through between the two",
        list_of(missing));
  }
  const std::vector<std::string> pairs = cut_pairs();
  if (pairs.empty()) return sentence;
  if (!sentence.empty()) sentence += "; and ";
  return sentence +
         fmt::format(
             "{} cannot reach each other; let TCP through between them, to every port or to the "
             "one that `worker --listen ADDRESS:PORT` gives each of them",
             list_of(pairs));
}

// Pairs of workers that have both reported: a worker that has not reported is named alone.
std::vector<std::string> RollCall::cut_pairs() const {
  const auto misses = [this](std::size_t one, std::size_t other) {
    const std::vector<std::uint32_t>& silent = *reports_[one];
    return std::find(silent.begin(), silent.end(), other) != silent.end();
  };
  std::vector<std::string> pairs;
  for (std::size_t other = 0; other < workers_.size(); ++other) {
    for (std::size_t one = 0; one < other; ++one) {
      if (!reports_[one] || !reports_[other]) continue;
      if (!misses(one, other) && !misses(other, one)) continue;
      pairs.push_back(
          fmt::format("{} and {}", workers_[one].to_string(), workers_[other].to_string()));
    }
  }
  return pairs;
}

bool Standstill::lasts(std::uint64_t moves, Time now, Duration limit) {
  if (!since_ || moves != moves_) {
    since_ = now;
    moves_ = moves;
  }
  return now - *since_ > limit;
}

}  // namespace coracle::bench
