// A small society for recordings: a buyer requests a price from two sellers and sends a clerk the
// name of the one it chose; a crier sends the clerk's notes to all members of "square".
#pragma once

#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"

#include <string>
#include <vector>

namespace coracle::test {

using namespace std::chrono_literals;

class Seller final : public Agent {
 public:
  explicit Seller(int price) : price_(price) {}
  Task<> run() override {
    co_await join(group("square"));
    for (;;) {
      const Message message = co_await receive();
      if (message.text() == "closed") co_return;
      if (!message.is_request()) continue;
      const std::string answer = std::to_string(price_++);
      co_await reply(message, answer);
    }
  }

 private:
  int price_;
};

// Its messages depend on the replies, on whether they come in time, and on a pause.
class Buyer final : public Agent {
 public:
  Buyer(int rounds, Duration patience) : rounds_(rounds), patience_(patience) {}
  Task<> run() override {
    for (int round = 0; round < rounds_; ++round) {
      const std::string red = co_await price_of("red");
      const std::string blue = co_await price_of("blue");
      const std::string note = "round " + std::to_string(round) + ": " + red + " or " + blue;
      co_await send("clerk", note);
      co_await pause(50us);
    }
    co_await send("clerk", "done");
  }

 private:
  Task<std::string> price_of(const char* seller) {
    auto asking = ask_result(seller, "price?", patience_);
    const Result<Message> answer = co_await asking;
    co_return answer ? std::string(answer->text()) : std::string("nothing");
  }

  const int rounds_;
  const Duration patience_;
};

class Clerk final : public Agent {
 public:
  explicit Clerk(std::vector<std::string>* book) : book_(book) {}
  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      const std::string line(message.text());
      if (book_ != nullptr) book_->push_back(line);
      if (line == "done") break;
      const auto count = [line] { return line.size(); };
      const std::size_t letters = co_await compute(count);
      const std::string told = line + ", " + std::to_string(letters) + " letters";
      co_await multicast(group("square"), told);
    }
    co_await multicast(group("square"), "closed");
  }

 private:
  std::vector<std::string>* const book_;
};

// `patience` is the time that the buyer waits for a seller.
inline void open_market(Node& node, int rounds, std::vector<std::string>* book = nullptr,
                        Duration patience = 5ms) {
  const unsigned last = node.options().workers - 1;
  node.create<Clerk>(AgentSpec("clerk").on_worker(last), book);
  node.create<Seller>("red", 10);
  node.create<Seller>(AgentSpec("blue").on_worker(last), 20);
  node.create<Buyer>("buyer", rounds, patience);
}

// Runs the whole market in a world.
inline void hold_market(sim::World& world, int rounds, std::vector<std::string>* book = nullptr) {
  Node node(world.realization());
  open_market(node, rounds, book);
  node.wait();
  node.stop();
}

}  // namespace coracle::test
