// What the paper's test agent has yet to say and to read, and what it chooses to do next; without
// any message in it.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace coracle::bench {

// The kinds of messages between two neighbours. Each says one greeting to the other and waits for
// its answer before it begins; greetings are not measured.
enum class Note : std::uint8_t { greeting, greeting_answer, original, answer };

class Exchange {
 public:
  // `messages` originals to each of so many neighbours, who have as many for this one.
  Exchange(std::uint32_t neighbours, std::uint32_t messages, std::uint64_t seed);

  // One turn: to send an original to a neighbour, or to try to read a message of one.
  struct Turn {
    bool is_send = false;
    std::uint32_t neighbour = 0;
  };
  // At random: sending or reading, then whom, among those for whom there is something left of it.
  // Nothing when all is done.
  std::optional<Turn> choose();
  // An original went there.
  void sent(std::uint32_t neighbour);
  // A message came from there. False when none of that kind can come any more.
  bool read(std::uint32_t neighbour, Note note);

 private:
  struct Acquaintance {
    std::uint32_t to_send = 0;
    std::uint32_t expected[4] = {};  // by kind
    std::uint32_t to_read = 0;       // the sum of these
  };

  std::vector<Acquaintance> neighbours_;
  std::vector<std::uint32_t> sending_;  // who has answered the greeting, and gets more
  std::vector<std::uint32_t> reading_;  // of whom more comes
  std::mt19937_64 random_;
};

}  // namespace coracle::bench
