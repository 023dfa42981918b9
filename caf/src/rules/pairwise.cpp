#include "pairwise.hpp"

#include <algorithm>
#include <numeric>

namespace coracle::caf {

namespace {

// The counts are made in blocks that the compiler turns into vector instructions.
constexpr std::size_t block = 16;
// The number of ballots that a counter of 16 bits can hold.
constexpr std::size_t batch_limit = 32'000;

// Ballots of one weight. The matrix counts the ballots in which the column's candidate stands
// behind the row's.
class Batch {
 public:
  explicit Batch(std::size_t candidates)
      : size_(candidates),
        stride_((candidates + block - 1) / block * block),
        places_(stride_),
        counts_(candidates * stride_) {}

  void add(const std::vector<Candidate>& ranking) {
    std::fill(places_.begin(), places_.end(), INT16_MAX);
    std::int16_t place = 0;
    for (const Candidate each : ranking) places_[each] = place++;
    for (const Candidate each : ranking) add_row(&counts_[each * stride_], places_[each]);
    ++ballots_;
  }

  bool is_full() const noexcept { return ballots_ == batch_limit; }

  // Adds the counts to `preferring`, `units` for each ballot, and resets them.
  void flush(std::int64_t units, std::vector<std::int64_t>& preferring) {
    if (ballots_ == 0) return;
    for (std::size_t row = 0; row < size_; ++row) {
      for (std::size_t column = 0; column < size_; ++column) {
        preferring[row * size_ + column] += units * counts_[row * stride_ + column];
      }
    }
    std::fill(counts_.begin(), counts_.end(), std::int16_t{0});
    ballots_ = 0;
  }

 private:
  void add_row(std::int16_t* __restrict__ counts, std::int16_t place) const noexcept {
    const std::int16_t* __restrict__ places = places_.data();
    for (std::size_t i = 0; i < stride_; i += block) {
      for (std::size_t k = 0; k < block; ++k) {
        // Adds one where the candidate stands behind: the comparison gives -1 there.
        const auto behind = static_cast<std::int16_t>(-(places[i + k] > place));
        counts[i + k] = static_cast<std::int16_t>(counts[i + k] - behind);
      }
    }
  }

  std::size_t size_;
  std::size_t stride_;
  std::vector<std::int16_t> places_;
  std::vector<std::int16_t> counts_;
  std::size_t ballots_ = 0;
};

// Counts pair by pair. This is for few ballots of the same weight.
void add_pairs(const Profile& profile, std::size_t ballot, std::vector<std::int64_t>& preferring) {
  const std::vector<Candidate>& ranking = profile.ballots()[ballot].ranking;
  const std::size_t size = profile.candidates();
  const std::int64_t units = profile.units(ballot);
  std::vector<bool> behind(size, true);
  for (const Candidate each : ranking) {
    behind[each] = false;
    for (std::size_t other = 0; other < size; ++other) {
      if (behind[other]) preferring[each * size + other] += units;
    }
  }
}

}  // namespace

std::vector<std::int64_t> count_margins(const Profile& profile) {
  const std::size_t size = profile.candidates();
  std::vector<std::int64_t> preferring(size * size);
  std::vector<std::size_t> order(profile.ballots().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto by_units = [&](std::size_t a, std::size_t b) {
    return profile.units(a) < profile.units(b);
  };
  if (!std::is_sorted(order.begin(), order.end(), by_units)) {
    std::sort(order.begin(), order.end(), by_units);
  }
  Batch batch(size);
  for (std::size_t begin = 0; begin < order.size();) {
    const std::int64_t units = profile.units(order[begin]);
    std::size_t end = begin;
    while (end < order.size() && profile.units(order[end]) == units) ++end;
    if (end - begin < 4) {
      for (; begin < end; ++begin) add_pairs(profile, order[begin], preferring);
      continue;
    }
    for (; begin < end; ++begin) {
      batch.add(profile.ballots()[order[begin]].ranking);
      if (batch.is_full()) batch.flush(units, preferring);
    }
    batch.flush(units, preferring);
  }
  std::vector<std::int64_t> margins(size * size);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) {
      margins[a * size + b] = preferring[a * size + b] - preferring[b * size + a];
    }
  }
  return margins;
}

}  // namespace coracle::caf
