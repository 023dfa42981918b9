// Two agents: a robot asks a sonar how far away the wall is.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>

using namespace coracle;

class Sonar : public Agent {
 public:
  Task<> run() override {
    Message question = co_await receive();
    std::cout << "sonar: I am asked: " << question.text() << '\n';
    co_await reply(question, "2.4 metres");
  }
};

class Robot : public Agent {
 public:
  Task<> run() override {
    co_await send("lab/sonar", "How far away is the wall?");
    Message answer = co_await receive(from("lab/sonar"));
    std::cout << "robot: the wall is " << answer.text() << " away\n";
  }
};

int main() {
  Node node(open());
  node.create<Sonar>("lab/sonar");
  node.create<Robot>("lab/robot");
  node.wait();
}
