// The messages that the paper's test agent has yet to send and to read, and its choice of the next
// step; without any message in it.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace coracle::bench {

// The kinds of messages between two neighbours. Each sends one greeting to the other and waits for
// the answer before it begins; greetings are not measured.
enum class Note : std::uint8_t { greeting, greeting_answer, original, answer };

class Exchange {
 public:
  // The agent sends `messages` originals to each neighbour, and each neighbour sends as many to it.
  Exchange(std::uint32_t neighbours, std::uint32_t messages, std::uint64_t seed);

  // One turn: sends an original to a neighbour, or tries to read a message of a neighbour.
  struct Turn {
    bool is_send = false;
    std::uint32_t neighbour = 0;
  };
  // Chooses at random: sending or reading first, then a neighbour to which something is left to
  // send, or from which something is left to read. Returns nothing when all is done.
  std::optional<Turn> choose();
  // An original was sent to that neighbour.
  void sent(std::uint32_t neighbour);
  // A message arrived from that neighbour. Returns false when no more of that kind can arrive.
  bool read(std::uint32_t neighbour, Note note);

 private:
  struct Acquaintance {
    std::uint32_t to_send = 0;
    std::uint32_t expected[4] = {};  // by kind
    std::uint32_t to_read = 0;       // the sum of `expected`
  };

  std::vector<Acquaintance> neighbours_;
  std::vector<std::uint32_t> sending_;  // neighbours that have answered the greeting, and get more
  std::vector<std::uint32_t> reading_;  // neighbours from which more comes
  std::mt19937_64 random_;
};

}  // namespace coracle::bench
