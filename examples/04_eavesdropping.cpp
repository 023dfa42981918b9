// Eavesdropping: a reporter overhears a game of chess and a noisy audience.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <string>
#include <vector>

using namespace coracle;

class Player : public Agent {
 public:
  explicit Player(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  Task<> run() override {
    for (const std::string& line : lines_) co_await send("board", line);
  }

 private:
  std::vector<std::string> lines_;
};

class Reporter : public Agent {
 public:
  Task<> run() override {
    // The texts that the conversions of a scanf-like format match can be taken out of the message.
    Pattern moves = Pattern().target_is("board").format("move %s to %c%d");
    // A regular expression on the text; at most two of these messages may wait here.
    Pattern cheers = Pattern().source("audience/.*").text("(?i)bravo");
    Tap game = co_await overhear(moves);
    Tap noise = co_await overhear(cheers, 2);

    const std::vector<std::string> moved = {"hmm", "move knight to f3", "is it your turn?",
                                            "move queen to h5"};
    const std::vector<std::string> shouted = {"Bravo!", "bravo", "boo", "BRAVO", "Bravo, bravo!"};
    co_await create<Player>("white", moved);
    co_await create<Player>("audience/ann", shouted);

    for (int i = 0; i < 2; ++i) {
      Message move = co_await receive(overheard_by(game.id));
      std::vector<std::string> part = moves.captures(move.text());
      std::cout << move.source().name().view() << " moves the " << part[0] << " to " << part[1]
                << part[2] << '\n';
    }
    for (std::uint64_t missed = 0; missed == 0;) {
      Message cheer = co_await receive(overheard_by(noise.id));
      missed = cheer.gap();
      if (missed == 0) std::cout << "the audience: " << cheer.text() << '\n';
      else std::cout << "(and " << missed << " cheers that I missed)\n";
    }
  }
};

// The board receives every message that others overhear.
class Board : public Agent {
 public:
  Task<> run() override {
    std::cout << "on the board: " << pending() << " messages, as if nobody had listened\n";
    co_return;
  }
};

int main() {
  Node node(open());
  node.create<Reporter>("reporter");
  node.wait();
  node.create<Board>("board");
  node.wait();
}
