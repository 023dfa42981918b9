#include "metrics/history.hpp"

#include <algorithm>
#include <cmath>

namespace coracle::detail {

namespace {

double seconds(Duration span) noexcept { return std::chrono::duration<double>(span).count(); }

// The mean of two pieces, by their lengths.
double mean(double a, Duration length_a, double b, Duration length_b) noexcept {
  const double all = seconds(length_a) + seconds(length_b);
  return all > 0 ? (a * seconds(length_a) + b * seconds(length_b)) / all : b;
}

}  // namespace

void History::add(Time at, double value) {
  if (has_value_ && at > last_) {
    const Duration held = at - last_;
    open_.mean = mean(open_.mean, open_.length, value_, held);
    open_.length += held;
    if (open_.length >= shortest) close_open();
  }
  last_ = has_value_ ? std::max(last_, at) : at;
  value_ = value;
  has_value_ = true;
}

// The third piece of about the same length joins its older neighbour.
void History::close_open() {
  pieces_.push_back(open_);
  open_ = {0, {}};
  for (std::size_t last = pieces_.size(); last >= 3; --last) {
    Piece& oldest = pieces_[last - 3];
    Piece& middle = pieces_[last - 2];
    if (oldest.length >= 2 * pieces_[last - 1].length) continue;
    oldest.mean = mean(oldest.mean, oldest.length, middle.mean, middle.length);
    oldest.length += middle.length;
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(last) - 2);
  }
}

double History::average(Time now, Duration span) const noexcept {
  if (span <= Duration::zero() || !has_value_) return value_;
  const double per_span = 1 / seconds(span);
  double sum = 0;
  double weights = 0;
  double nearer = 1;  // the weight of the piece's end
  double age = 0;     // of the piece's end
  const auto count = [&](double value, Duration length) {
    age += seconds(length) * per_span;
    const double farther = std::exp(-age);
    sum += value * (nearer - farther);
    weights += nearer - farther;
    nearer = farther;
  };
  if (now > last_) count(value_, now - last_);
  count(open_.mean, open_.length);
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend() && nearer > 0; ++piece)
    count(piece->mean, piece->length);
  return weights > 0 ? sum / weights : value_;
}

}  // namespace coracle::detail
