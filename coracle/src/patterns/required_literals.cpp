#include "required_literals.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace coracle::detail {
namespace {

constexpr std::size_t max_branches = 16;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads an expression from left to right and keeps, for each branch of its top-level alternation,
// the longest run of plain characters. Groups are skipped, because their contents may be optional.
class Reader {
 public:
  explicit Reader(std::string_view regex) : regex_(regex) {}

  std::vector<std::string> read() {
    if (hard_to_read()) return {};
    while (at_ < regex_.size()) {
      if (!step()) return {};
    }
    return end_branch() ? std::move(literals_) : std::vector<std::string>{};
  }

 private:
  bool hard_to_read() const {
    if (regex_.find("\\Q") != regex_.npos) return true;
    for (auto at = regex_.find("(?"); at != regex_.npos; at = regex_.find("(?", at + 2)) {
      const auto rest = regex_.substr(at + 2);
      if (!rest.starts_with(':') && !rest.starts_with("P<")) return true;
    }
    return false;
  }

  bool step() {
    const char c = regex_[at_];
    switch (c) {
      case '\\': return escape();
      case '[': return end_run(), skip_class();
      case '(': return ++depth_, end_run(), ++at_, true;
      case ')': return --depth_, end_run(), ++at_, depth_ >= 0;
      case '|': return ++at_, depth_ > 0 || end_branch();
      case '*':
      case '?': return drop_last(), end_run(), ++at_, true;
      case '{': return drop_last(), end_run(), skip_repetition(), true;
      case '+':
      case '.':
      case '^':
      case '$': return end_run(), ++at_, true;
      default: return plain(c), ++at_, true;
    }
  }

  void plain(char c) {
    if (depth_ == 0) run_ += c;
  }

  bool escape() {
    if (at_ + 1 >= regex_.size()) return false;
    const char c = regex_[at_ + 1];
    at_ += 2;
    if (std::string_view("dDwWsSbBAzntrfvaC").find(c) != std::string_view::npos) {
      end_run();
      return true;
    }
    if (std::isalnum(static_cast<unsigned char>(c))) return false;
    plain(c);
    return true;
  }

  bool skip_class() {
    std::size_t at = at_ + 1;
    if (at < regex_.size() && regex_[at] == '^') ++at;
    for (bool first = true; at < regex_.size(); first = false) {
      if (regex_[at] == ']' && !first) return at_ = at + 1, true;
      if (regex_[at] == '\\') {
        at += 2;
        continue;
      }
      const auto rest = regex_.substr(at);
      const auto end = rest.starts_with("[:") ? rest.find(":]", 2) : rest.npos;
      at += end == rest.npos ? 1 : end + 2;
    }
    return false;
  }

  // A brace that starts no repetition is an ordinary character; it is left out of the run.
  void skip_repetition() {
    std::size_t at = at_ + 1;
    const auto digits = [&] {
      const auto from = at;
      while (at < regex_.size() && is_digit(regex_[at])) ++at;
      return at > from;
    };
    if (digits()) {
      if (at < regex_.size() && regex_[at] == ',') ++at, digits();
      if (at < regex_.size() && regex_[at] == '}') {
        at_ = at + 1;
        return;
      }
    }
    ++at_;
  }

  // Drops the last character of the run, with all its bytes: it may be missing from a match.
  void drop_last() {
    while (!run_.empty() && (static_cast<unsigned char>(run_.back()) & 0xC0U) == 0x80U) {
      run_.pop_back();
    }
    if (!run_.empty()) run_.pop_back();
  }

  void end_run() {
    if (run_.size() > best_.size()) best_ = run_;
    run_.clear();
  }

  bool end_branch() {
    end_run();
    if (best_.size() < min_literal_bytes || literals_.size() == max_branches) return false;
    if (std::find(literals_.begin(), literals_.end(), best_) == literals_.end()) {
      literals_.push_back(best_);
    }
    best_.clear();
    return true;
  }

  std::string_view regex_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string run_;
  std::string best_;
  std::vector<std::string> literals_;
};

}  // namespace

std::vector<std::string> required_literals(std::string_view regex) { return Reader(regex).read(); }

}  // namespace coracle::detail
