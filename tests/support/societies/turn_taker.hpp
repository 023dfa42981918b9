// A thread that takes the turns of a node without threads, as a program's own loop would.
#pragma once

#include "coracle/node.hpp"
#include "coracle/support/descriptor.hpp"

#include <thread>

namespace coracle::test {

class TurnTaker {
 public:
  explicit TurnTaker(Node& node);
  ~TurnTaker();

 private:
  void run();

  Node& node_;
  const coracle::detail::Descriptor end_;  // readable when it shall end
  std::thread thread_;
};

}  // namespace coracle::test
