// Two agents: a robot asks a sonar how far away the wall is.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>

struct Sonar : coracle::Agent {
  coracle::Task<> run() override {
    coracle::Message question = co_await receive();
    co_await reply(question, "2.4 metres");
  }
};

struct Robot : coracle::Agent {
  coracle::Task<> run() override {
    coracle::Message answer = co_await ask("lab/sonar", "How far away is the wall?");
    std::cout << "robot: the wall is " << answer.text() << " away\n";
  }
};

int main() {
  coracle::Node node(coracle::open());
  node.create<Sonar>("lab/sonar");
  node.create<Robot>("lab/robot");
  node.wait();
}
