#include "letters/numbered_letters.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace coracle::fipa {

namespace {

constexpr std::size_t key_digits = 16;

// As many answers are known; a partner has no more letters on their way.
constexpr std::size_t most_answers = 256;

// The answer to a letter that comes again while it is being taken.
constexpr int is_under_way = 503;

std::optional<std::uint64_t> number_in(std::string_view text, int base) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string to_text(const LetterNumber& number) {
  std::array<char, key_digits> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), number.sender, 16);
  const std::string key(digits.data(), end);
  return std::string(key_digits - key.size(), '0') + key + "-" + std::to_string(number.count);
}

std::optional<LetterNumber> letter_number_in(std::string_view text) {
  if (text.size() <= key_digits || text[key_digits] != '-') return std::nullopt;
  const auto sender = number_in(text.substr(0, key_digits), 16);
  const auto count = number_in(text.substr(key_digits + 1), 10);
  if (!sender || !count) return std::nullopt;
  return LetterNumber{*sender, *count};
}

std::optional<int> NumberedLetters::begin(const LetterNumber& number) {
  auto known = senders_.find(number.sender);
  if (known == senders_.end()) {
    if (senders_.size() >= most_) {
      senders_.erase(uses_.back());
      uses_.pop_back();
    }
    uses_.push_front(number.sender);
    known = senders_.emplace(number.sender, Sender{0, {}, uses_.begin()}).first;
  }
  Sender& sender = known->second;
  uses_.splice(uses_.begin(), uses_, sender.use);
  if (number.count > sender.last) {
    sender.last = number.count;
    sender.answers.emplace_back(number.count, is_under_way);
    if (sender.answers.size() > most_answers) sender.answers.pop_front();
    return std::nullopt;
  }
  for (const auto& [count, status] : sender.answers) {
    if (count == number.count) return status;
  }
  return 200;  // its sender has the answers to later letters, and so to this one
}

void NumberedLetters::end(const LetterNumber& number, int status) {
  const auto known = senders_.find(number.sender);
  if (known == senders_.end()) return;
  for (auto& [count, answer] : known->second.answers) {
    if (count == number.count) answer = status;
  }
}

}  // namespace coracle::fipa
