// A society that meets at a clearinghouse, which may be in a process of its own.
#pragma once

#include "coracle/realizations/central.hpp"
#include "lab.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace coracle::test {

class CentralLab : public Lab {
 public:
  explicit CentralLab(bool is_durable = false) : is_durable_(is_durable) {}

  central::Options options() const {
    central::Options options;
    options.society = "lab";
    options.key = "what we know";
    options.server = place();
    return options;
  }
  Realization node() const override { return central::realization(options()); }
  void stop_serving() override { server_.reset(); }
  bool runs_without() const override { return false; }
  void begin() override { server_.emplace(server_options()); }
  central::ServerOptions server_options() const {
    central::ServerOptions options;
    options.society = "lab";
    options.key = "what we know";
    options.listen = {place()};
    options.log = [](const std::string&) {};
    if (is_durable_) options.data = folder_ / "society";
    return options;
  }

 private:
  const bool is_durable_;
  std::optional<central::Server> server_;
};

// Servers in processes of their own, one after another at the same place.
class Servers {
 public:
  Servers(CentralLab& lab, std::size_t count) : begin_(count), begun_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      processes_.push_back(std::make_unique<Process>([&lab, this, i] {
        begin_[i].await();
        lab.begin();
        begun_[i].ring();
        begin_[i].await();  // for ever
      }));
    }
  }
  // The next one.
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
