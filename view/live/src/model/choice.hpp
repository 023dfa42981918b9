// The messages that one browser wants to see, and the batches of them.
// Tests: view/live/tests/choice_test.cpp
#pragma once

#include "model/messages.hpp"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace coracle::view {

// A choice of messages. An empty field restricts nothing.
struct Choice {
  static constexpr std::size_t most_patterns = 64, longest_pattern = 255, longest_text = 256;

  std::vector<std::string> names = {};  // patterns: one of them fits source, target or group
  std::vector<std::string> types = {};  // patterns for the content type
  Conversation conversation = 0;
  std::string text = {};  // is found in the shown content; ASCII letters of both cases are the same
  double rate = 2000;     // messages that are shown per second; others are only counted

  bool fits(const Seen& message) const;
  // Returns whether one of the names fits.
  bool names_one(std::string_view name) const noexcept;
};

// The content of a message as one text for people. Its characters are as they were sent.
std::string readable(const Seen& message);
// The first characters of that text, at most `most`.
std::string preview(const Seen& message, std::size_t most = 200);

// The new messages for one browser.
struct Batch {
  struct Pair {
    Name from, to;
    std::uint64_t count = 0, bytes = 0;
  };

  std::vector<const Seen*> messages;
  std::vector<const Seen*> changed;  // messages that were passed on before, with news
  std::vector<const Gap*> gaps;
  std::uint64_t folded = 0;  // messages that are only counted; some of them in `pairs`
  std::vector<Pair> pairs;

  bool empty() const noexcept {
    return messages.empty() && changed.empty() && gaps.empty() && folded == 0;
  }
};

// The place up to which a browser has got everything.
class Cursor {
 public:
  static constexpr std::size_t most_pairs = 200;

  explicit Cursor(const Messages& messages) { move_to_end(messages); }

  // From now on passes on later messages only.
  void move_to_end(const Messages& messages);
  // From now on passes on the last `count` messages, and later ones.
  void move_back(const Messages& messages, std::size_t count);
  // Returns what has come since the last call. The pointers are valid until the messages change.
  // `most` is the number of messages that are passed on, and that of changes.
  Batch take(const Messages& messages, const Choice& choice, std::size_t most);

 private:
  Number next_ = 1;
  std::uint64_t news_ = 0, gaps_ = 0;
};

}  // namespace coracle::view
