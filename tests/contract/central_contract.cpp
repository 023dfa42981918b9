// The Central realization keeps the contract over sockets of this machine.
#include "coracle/realizations/central.hpp"
#include "served_subject.hpp"

#include <memory>
#include <optional>

namespace coracle::contract {

namespace {

class Surroundings final : public Served {
 public:
  explicit Surroundings(Way way) {
    central::ServerOptions options;
    options.society = "contract";
    options.listen = {place(way)};
    server_.emplace(options);
  }

  Realization node() override {
    central::Options options;
    options.society = "contract";
    options.server = server_->endpoints().front();
    return central::realization(options);
  }

 private:
  std::optional<central::Server> server_;
};

Subject subject(Way way, unsigned nodes, unsigned workers) {
  return served_subject(way, nodes, workers,
                        [](Way by) { return std::make_unique<Surroundings>(by); });
}

const bool registered = run_contract(
    "central",
    {subject(Way::unix_socket, 2, 1), subject(Way::tcp, 3, 2), subject(Way::unix_socket, 3, 2)});

}  // namespace

}  // namespace coracle::contract
