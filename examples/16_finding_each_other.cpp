// The directory: agents publish descriptions, others search for them, and wait until they come.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <string>
#include <vector>

using namespace coracle;
using namespace std::chrono_literals;

class Sensor : public Agent {
 public:
  Task<> run() override {
    Message question = co_await receive();
    co_await reply(question, "here");
  }
};

class Robot : public Agent {
 public:
  Task<> run() override {
    // Names resolved beforehand: an address needs no look-up, whether or not the name has a holder.
    const std::vector<Name> wanted = {"lab/sonar", "lab/camera", "lab/ghost"};
    Acquaintances friends = co_await acquaint(wanted);
    co_await create_sensor("lab/sonar", "range", 5.5);
    co_await create_sensor("lab/laser", "range", 30);
    co_await create_sensor("lab/camera", "picture", 12);
    const bool all = co_await friends.all_here(5ms);
    std::cout << "all three friends here: " << (all ? "yes" : "no") << '\n';
    for (const Address who : friends.addresses()) {
      std::cout << "  " << who.name().view() << (friends.here(who) ? "" : " is missing") << '\n';
    }

    Query far = where("kind") == "range" && where("metres") > 10;
    for (const Entry& entry : co_await search(far)) {
      std::cout << "sees far: " << entry.name.view() << '\n';
    }
    Query in_the_lab = where("kind").matches("range|picture");
    in_the_lab.prefix = "lab";
    in_the_lab.limit = 2;
    for (const Entry& entry : co_await search(in_the_lab)) {
      std::cout << "one of the first two: " << entry.name.view() << '\n';
    }
    for (const char* name : {"lab/sonar", "lab/laser", "lab/camera"}) co_await ask(name, "Bye?");
  }

 private:
  Task<> create_sensor(Name name, const char* kind, double metres) {
    const Properties about = Properties().set("kind", kind).set("metres", metres);
    co_await create<Sensor>(AgentSpec(name).properties(about));
  }
};

int main() {
  Node node(open());
  node.create<Robot>("robot");
  node.wait();
}
