// Messages that are sent later, and again and again: a kettle whistles until it is taken off.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>
#include <coracle/timed.hpp>

#include <iostream>

using namespace coracle;
using namespace std::chrono_literals;

class Kettle : public Agent {
 public:
  Task<> run() override {
    const Message order = co_await receive();
    std::cout << "kettle: " << order.text() << '\n';
    const TimedSend whistle = send_every(*this, order.source(), "wheee!", 3ms);
    co_await receive();  // whistles until this; then the handle is gone, and with it the whistle
  }
};

class Cook : public Agent {
 public:
  Task<> run() override {
    co_await create<Kettle>("kettle");
    TimedSend alarm = send_later(*this, {self(), "The kitchen burns!"}, 1h);
    send_later(*this, {"kettle", "it gets hot"}, 5ms).detach();
    for (int i = 0; i < 3; ++i) {
      const Message heard = co_await receive(from("kettle"));
      std::cout << "cook: I hear " << heard.text() << '\n';
    }
    co_await send("kettle", "off");
    if (alarm.cancel()) std::cout << "cook: tea, and no fire\n";
  }
};

int main() {
  Node node(open());
  node.create<Cook>("cook");
  node.wait();
}
