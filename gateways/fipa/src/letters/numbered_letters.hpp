// Letters with numbers, between gateways of this library. A gateway says in its answers that it
// knows such numbers. Its partners then number their letters, send several before the first answer,
// and repeat those that a broken connection has left without one: a letter that comes twice is
// taken once. Tests: gateways/fipa/tests/numbered_letters_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::fipa {

// The header of a request, "Coracle-Letter: 0123456789abcdef-17", and that of an answer.
inline constexpr std::string_view letter_header = "Coracle-Letter";
inline constexpr std::string_view letters_header = "Coracle-Letters";
inline constexpr std::string_view numbered = "numbered";

// The number of a letter: a random key of the sender, and a count that only grows.
struct LetterNumber {
  std::uint64_t sender = 0;
  std::uint64_t count = 0;
};
std::string to_text(const LetterNumber& number);
// Reads it; nothing for another text.
std::optional<LetterNumber> letter_number_in(std::string_view text);

// The letters that have come. Of more than `most` senders, those that were silent for longest are
// forgotten.
class NumberedLetters {
 public:
  explicit NumberedLetters(std::size_t most = 1000) : most_(most) {}

  // A letter has come. Returns the status of its answer if it has come before.
  std::optional<int> begin(const LetterNumber& number);
  // The status of its answer.
  void end(const LetterNumber& number, int status);

 private:
  struct Sender {
    std::uint64_t last = 0;
    std::deque<std::pair<std::uint64_t, int>> answers;  // to the latest letters, in their order
    std::list<std::uint64_t>::iterator use;
  };

  const std::size_t most_;
  std::map<std::uint64_t, Sender> senders_;
  std::list<std::uint64_t> uses_;  // the latest first
};

}  // namespace coracle::fipa
