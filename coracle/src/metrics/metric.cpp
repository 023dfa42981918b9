#include "coracle/metric.hpp"

#include <cmath>

namespace coracle {

double Metric::credibility_at(Time now) const noexcept {
  if (now <= time || half_life == Duration::max()) return credibility;
  if (half_life <= Duration::zero()) return 0;
  const std::chrono::duration<double> age = now - time;
  return credibility * std::exp2(-(age / half_life));
}

}  // namespace coracle
