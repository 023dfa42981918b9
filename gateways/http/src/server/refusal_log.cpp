#include "server/refusal_log.hpp"

#include <algorithm>

namespace coracle::http {

bool RefusalLog::note(const std::string& reason, Time now) {
  // A reason may contain what a client has sent.
  const bool is_known = reasons_.contains(reason);
  const std::string key = is_known || reasons_.size() < most_reasons ? reason : "another reason";
  Reason& entry = reasons_[key];
  if (entry.said == 0) entry.until = now + period;
  if (entry.said == named) {
    ++entry.unsaid;
    return false;
  }
  ++entry.said;
  return true;
}

std::optional<std::string> RefusalLog::sum_up(Time now) {
  for (auto each = reasons_.begin(); each != reasons_.end(); each = reasons_.erase(each)) {
    while (each != reasons_.end() && each->second.until > now) ++each;
    if (each == reasons_.end()) break;
    const auto unsaid = each->second.unsaid;
    if (unsaid == 0) continue;
    std::string line = std::to_string(unsaid) + " more: " + each->first;
    reasons_.erase(each);
    return line;
  }
  return std::nullopt;
}

Time RefusalLog::next() const noexcept {
  Time next = Time::max();
  for (const auto& [reason, entry] : reasons_) next = std::min(next, entry.until);
  return next;
}

}  // namespace coracle::http
