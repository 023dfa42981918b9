// A test outside the project, without any test framework: an echo replies, under ten seeds.
#include <coracle/coracle.hpp>
#include <coracle/testing.hpp>

#include <iostream>

using namespace coracle;
using namespace std::chrono_literals;

class Echo : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message said = co_await receive();
      co_await reply(said, said.content());
    }
  }
};

void an_echo_answers(sim::World& world) {
  testing::Society society(world);
  society.create<Echo>("valley");
  society.act([](Agent& me) -> Task<> { co_await me.send("valley", "hello!"); });
  society.expect(testing::message).from("valley").to("test").text("hello!").within(1s);
  society.expect(testing::no_message).from("valley").within(1h);
}

int main() {
  try {
    testing::for_each_seed(an_echo_answers, {.count = 10, .world = {}});
  } catch (const testing::Failure& failure) {
    std::cout << failure.what() << '\n';
    return 1;
  }
  std::cout << "the echo answers under every seed\n";
}
