// Bytes that wait to be written, in pieces: small texts are put together, large ones are not
// copied.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::http {

class Output {
 public:
  // Copies a text to the end.
  void add(std::string_view text) {
    if (text.empty()) return;
    size_ += text.size();
    if (pieces_.empty() || pieces_.back().size() + text.size() > largest_joined)
      pieces_.emplace_back();
    pieces_.back() += text;
  }
  // Moves a text to the end; a small one is copied.
  void give(std::string&& text) {
    if (text.size() < smallest_given) return add(text);
    size_ += text.size();
    pieces_.push_back(std::move(text));
  }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  // Fills `views` with what comes first; returns the number of views.
  std::size_t front(std::span<std::string_view> views) const {
    const std::size_t count = std::min(views.size(), pieces_.size());
    for (std::size_t i = 0; i < count; ++i) views[i] = pieces_[i];
    if (count != 0) views[0].remove_prefix(written_);
    return count;
  }
  // Forgets the first bytes.
  void drop(std::size_t bytes) {
    size_ -= bytes;
    written_ += bytes;
    while (!pieces_.empty() && written_ >= pieces_.front().size()) {
      written_ -= pieces_.front().size();
      pieces_.pop_front();
    }
  }
  void clear() { *this = {}; }

 private:
  static constexpr std::size_t largest_joined = 16 * 1024;  // a record of TLS
  static constexpr std::size_t smallest_given = 4 * 1024;

  std::deque<std::string> pieces_;
  std::size_t written_ = 0;  // of the first piece
  std::size_t size_ = 0;
};

}  // namespace coracle::http
