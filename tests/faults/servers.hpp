// Servers in processes of their own, one after another at the same address.
#pragma once

#include "processes.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace coracle::test {

class Servers {
 public:
  template <class Lab>
  Servers(Lab& lab, std::size_t count) : begin_(count), begun_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      processes_.push_back(std::make_unique<Process>([&lab, this, i] {
        begin_[i].await();
        lab.begin();
        begun_[i].ring();
        begin_[i].await();  // for ever
      }));
    }
  }
  // Starts the next server.
  void begin() {
    begin_[now_].ring();
    begun_[now_].await();
  }
  void kill() { processes_[now_++]->kill(); }

 private:
  std::vector<Bell> begin_, begun_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::size_t now_ = 0;
};

}  // namespace coracle::test
