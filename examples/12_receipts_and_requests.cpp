// Receipts and requests: the outcome of a letter, and the ways in which a request can end.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <stdexcept>
#include <string>

using namespace coracle;
using namespace std::chrono_literals;

class Baker : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      Message order = co_await receive();
      if (order.text() == "bread") co_await reply(order, "a warm loaf");
      if (order.text() == "cake") co_await refuse(order, "there are no eggs");
      if (order.text() == "fire") throw std::runtime_error("the oven burns");
      // Any other request is read and dropped; its sender gets an error and need not wait for a
      // reply.
    }
  }
};

class Customer : public Agent {
 public:
  Task<> run() override {
    co_await create<Baker>("baker");

    Receipt receipt = co_await track(Post("baker", "What a nice shop you have."));
    if (co_await receipt.reached(Stage::consumed)) std::cout << "The baker has read my note.\n";

    // No agent will ever read this message; it expires, and the receipt reports that.
    Receipt lost = co_await track(Post("the tooth fairy", "Are you there?").expires(5ms));
    const bool came = co_await lost.reached(Stage::delivered, 1s);
    std::cout << "The fairy has " << (came ? "" : "not ") << "read hers: "
              << to_string(lost.first().outcome.value()) << ".\n";

    co_await order("bread");
    co_await order("cake");
    co_await order("the moon");
    co_await order("fire");
  }

 private:
  Task<> order(std::string what) {
    Result<Message> answer = co_await ask_result("baker", what, 1s);
    std::cout << what << "? ";
    if (answer) std::cout << answer->text() << '\n';
    else if (answer.error().errc() == Errc::unanswered) std::cout << "the baker says nothing\n";
    else std::cout << answer.error().sentence() << '\n';
  }
};

int main() {
  Node node(open());
  node.create<Customer>("customer");
  node.wait();
}
