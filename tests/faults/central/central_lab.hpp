// A society that meets at a clearinghouse, which may be in a process of its own.
#pragma once

#include "coracle/realizations/central.hpp"
#include "lab.hpp"
#include "support/keys.hpp"

#include <optional>
#include <string>

namespace coracle::test {

class CentralLab : public Lab {
 public:
  explicit CentralLab(bool is_durable = false) : is_durable_(is_durable) {}

  central::Options options() const {
    central::Options options;
    options.society = "lab";
    options.key = society_key;
    options.server = place();
    options.takeover = true;  // a node that follows a killed one does not wait for its lease
    return options;
  }
  Realization node() const override { return central::realization(options()); }
  void stop_serving() override { server_.reset(); }
  bool runs_without() const override { return false; }
  void begin() override { server_.emplace(server_options()); }
  central::ServerOptions server_options() const {
    central::ServerOptions options;
    options.society = "lab";
    options.key = society_key;
    options.listen = {place()};
    options.log = [](const std::string&) {};
    if (is_durable_) options.data = folder_ / "society";
    return options;
  }

 private:
  const bool is_durable_;
  std::optional<central::Server> server_;
};

}  // namespace coracle::test
