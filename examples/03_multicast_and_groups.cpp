// Several targets: a queen sends to a list of ants, then to the members of a group.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <string>
#include <vector>

using namespace coracle;

class Ant : public Agent {
 public:
  Task<> run() override {
    co_await join(group("ants"));
    co_await send("queen", "I am here");
    for (;;) {
      Message call = co_await receive(from("queen"));
      if (call.text() == "Good night") co_return;
      if (call.text() == "Dig, you two") co_await leave(group("ants"));
      co_await reply(call, "yes");
    }
  }
};

class Queen : public Agent {
 public:
  Task<> run() override {
    const std::vector<Name> ants = {"ant/1", "ant/2", "ant/3", "ant/4"};
    for (const Name& ant : ants) co_await create<Ant>(ant);
    for (const Name& ant : ants) co_await receive(from(ant));

    co_await multicast(group("ants"), "Food under the oak");
    co_await count("Food under the oak", 4);

    // A list: each agent in it receives the message once.
    const std::vector<Name> diggers = {"ant/2", "ant/3"};
    co_await send(Post(diggers, "Dig, you two"));
    co_await count("Dig, you two", 2);

    // Membership is looked up when the message is sent: the diggers have left the group.
    co_await multicast(group("ants"), "Follow me");
    co_await count("Follow me", (co_await members(group("ants"))).size());

    co_await send(Post(ants, "Good night"));
  }

 private:
  Task<> count(std::string call, std::size_t expected) {
    for (std::size_t i = 0; i < expected; ++i) co_await receive();
    std::cout << "queen: " << call << "! (" << expected << " ants say yes)\n";
  }
};

int main() {
  Node node(open());
  node.create<Queen>("queen");
  node.wait();
}
