// Handlers by type: a buyer receives bids and refusals, each as a struct of its type.
#include <coracle/coracle.hpp>
#include <coracle/on.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <string>
#include <variant>

using namespace coracle;
using namespace std::chrono_literals;

struct Bid {
  static constexpr std::string_view content_type = "bid/v1";
  std::string seller;
  int price = 0;
};

struct Refusal {
  static constexpr std::string_view content_type = "refusal/v1";
  std::string reason;
};

using Answer = std::variant<Bid, Refusal>;

class Market : public Agent {
 public:
  Task<> run() override {
    Bid bid;
    bid.seller = "Ann";
    bid.price = 70;
    co_await send("buyer", Content::of(bid));
    co_await send("buyer", "How is the weather?");
    Refusal refusal;
    refusal.reason = "Bob has sold out";
    co_await send("buyer", Content::of(refusal));
    bid.seller = "Eve";
    bid.price = 55;
    co_await send("buyer", Content::of(bid));
  }
};

class Buyer : public Agent {
 public:
  Task<> run() override {
    int best = 1000;
    // This does not compile unless each alternative of Answer has a handler.
    const auto answers = on<Answer>(
        [&](const Bid& bid) {
          std::cout << bid.seller << " wants " << bid.price << ".\n";
          if (bid.price < best) best = bid.price;
        },
        [](const Refusal& refusal, const Message& message) {
          std::cout << message.source().name().view() << " says: " << refusal.reason << ".\n";
        });
    for (int i = 0; i < 3; ++i) co_await answers.receive(*this);
    if (!co_await answers.receive(*this, 10ms))
      std::cout << "No more; the best is " << best << ".\n";
    // A message without a handler keeps its position.
    std::cout << "Left: " << (co_await receive()).text() << '\n';
  }
};

int main() {
  Node node(open());
  node.create<Buyer>("buyer");
  node.create<Market>("market");
  node.wait();
}
