// A program outside the project that uses the installed library: two agents on the realization that
// the environment names, and a rule of voting.
#include <coracle/caf/council.hpp>
#include <coracle/caf/voting/rule.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>
#include <coracle/version.hpp>

#include <iostream>

using coracle::Address;
using coracle::Agent;
using coracle::Message;
using coracle::Task;

class Parrot : public Agent {
 public:
  Task<> run() override {
    Message said = co_await receive();
    co_await reply(said, said.content());
  }
};

class Sailor : public Agent {
 public:
  Task<> run() override {
    const Address parrot = co_await create<Parrot>("ship/parrot");
    Message answer = co_await ask(parrot, "Pieces of eight!");
    std::cout << "the parrot of coracle " << coracle::version << " says: " << answer.text() << '\n';
  }
};

int main() {
  const coracle::caf::Profile profile(2, {coracle::caf::choose(1)});
  if (coracle::caf::plurality().count(profile).co_winners.front() != 1) return 1;
  coracle::Node node(coracle::open());
  node.create<Sailor>("ship/sailor");
  node.wait();
  return node.stop().clean() ? 0 : 1;
}
