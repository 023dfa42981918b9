#include "support/societies/diary.hpp"

#include <algorithm>
#include <utility>

namespace coracle::test {

void Diary::note(std::string line) {
  const std::scoped_lock lock(mutex_);
  lines_.push_back(std::move(line));
}

std::size_t Diary::size() const {
  const std::scoped_lock lock(mutex_);
  return lines_.size();
}

std::size_t Diary::count(const std::string& line) const {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::size_t>(std::count(lines_.begin(), lines_.end(), line));
}

std::size_t Diary::place(const std::string& part) const {
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].find(part) != std::string::npos) return i + 1;
  }
  return 0;
}

std::string Diary::all() const {
  const std::scoped_lock lock(mutex_);
  std::string text;
  for (const std::string& each : lines_) text += each + "\n";
  return text;
}

}  // namespace coracle::test
