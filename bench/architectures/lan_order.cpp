#include "architectures/lan_order.hpp"

#include "harness/run/failures.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace coracle::bench {

Graph graph_of(const Order& order) {
  if (order.make == "council") return council_of_groups(order.shape);
  if (order.make == "tree") return tree(order.shape);
  return fully_connected(order.shape);
}

Errand errand_of(const Order& order, const Graph& graph, std::atomic<std::uint64_t>& sent) {
  Errand errand;
  errand.graph = &graph;
  errand.make = order.make;
  errand.prefix = order.prefix;
  errand.messages = order.messages;
  errand.delay = Duration(order.delay_ns);
  errand.anywhere = order.anywhere;
  errand.size = order.size;
  errand.seed = order.seed;
  errand.sent = &sent;
  return errand;
}

std::uint32_t home_of(const Order& order, std::uint32_t agent) {
  if (order.homes.empty()) return agent % order.hosts;
  return order.homes[agent % order.homes.size()] % order.hosts;
}

std::string realization_at(const Options& options, const std::string& server,
                           const std::string& listen) {
  if (options.realization.starts_with("central")) {
    return fmt::format("central://{}?society=bench", server);
  }
  return fmt::format("distributed:society=bench,directory={},listen={}", server, listen);
}

void refuse_what_cannot_travel(const Options& options) {
  if (options.realization.starts_with("local")) {
    throw BadRequest("local: is one process; use --realization distributed: or central:");
  }
  if (std::getenv("CORACLE_KEY") == nullptr && std::getenv("CORACLE_TLS") == nullptr) {
    throw BadRequest(
        "messages between hosts need a key: set CORACLE_KEY on all hosts to what `coracle keys "
        "--society-key` prints once");
  }
}

}  // namespace coracle::bench
