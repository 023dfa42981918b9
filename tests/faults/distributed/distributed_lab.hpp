// A society that meets at a directory, which may be in a process of its own.
#pragma once

#include "coracle/realizations/distributed.hpp"
#include "lab.hpp"
#include "support/keys.hpp"

#include <optional>
#include <string>

namespace coracle::test {

class DistributedLab : public Lab {
 public:
  explicit DistributedLab(bool is_durable = false) : is_durable_(is_durable) {}

  distributed::Options options() const {
    distributed::Options options;
    options.society = "lab";
    options.key = society_key;
    options.folder = folder_.path();
    options.directories = {place()};
    options.takeover = true;  // a node that follows a killed one does not wait for its lease
    return options;
  }
  Realization node() const override { return distributed::realization(options()); }
  void stop_serving() override { directory_.reset(); }
  bool runs_without() const override { return true; }
  void begin() override {
    distributed::DirectoryOptions options;
    options.society = "lab";
    options.key = society_key;
    options.listen = {place()};
    options.log = [](const std::string&) {};
    if (is_durable_) options.data = folder_ / "society";
    directory_.emplace(options);
  }

 private:
  const bool is_durable_;
  std::optional<distributed::DirectoryServer> directory_;
};

}  // namespace coracle::test
