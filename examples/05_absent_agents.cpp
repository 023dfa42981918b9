// Absent agents: letters wait for a lighthouse that has no keeper yet. They belong to the name.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <stdexcept>
#include <string>

using namespace coracle;

class Ship : public Agent {
 public:
  Task<> run() override {
    for (const char* letter : {"Fog in the east.", "A whale!", "We arrive on Sunday."}) {
      co_await send("lighthouse", letter);
    }
    std::cout << "ship: three letters sent. Is anybody there?\n";
  }
};

class Keeper : public Agent {
 public:
  Keeper(std::string who, bool is_afraid) : who_(std::move(who)), afraid_(is_afraid) {}

  Task<> run() override {
    while (std::optional<Message> letter = try_receive()) {
      std::cout << who_ << " reads: " << letter->text();
      std::cout << (letter->redelivered() ? " (somebody held this one before)\n" : "\n");
      // When an exception ends the agent, the letter in its hand is not consumed: it goes back.
      if (afraid_ && letter->text() == "A whale!") throw std::runtime_error("I do not like whales");
    }
    co_return;
  }

 private:
  std::string who_;
  bool afraid_;
};

int main() {
  Node node(open());
  node.create<Ship>("ship");
  node.wait();

  std::cout << "Ann becomes the keeper.\n";
  node.create<Keeper>("lighthouse", "Ann", true);
  node.wait();

  std::cout << "Ann ran away. Bob becomes the keeper.\n";
  node.create<Keeper>("lighthouse", "Bob", false);
  node.wait();
}
