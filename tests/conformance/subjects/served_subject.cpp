#include "served_subject.hpp"

#include "local_subject.hpp"
#include "realizations/net/src/asio/tls/certificates.hpp"

#include <filesystem>
#include <utility>
#include <vector>

namespace coracle::conformance {

namespace {

// The surroundings of a node live as long as the node.
struct Kept {
  std::shared_ptr<Served> around;
  std::shared_ptr<Transport> transport;
};

Realization node_of(const std::shared_ptr<Served>& around) {
  Realization made = around->node();
  const auto kept = std::make_shared<Kept>(Kept{around, made.transport});
  made.transport = std::shared_ptr<Transport>(kept, kept->transport.get());
  return made;
}

}  // namespace

std::string Served::certificate(Way way) const {
  if (way != Way::tls) return {};
  const std::string place = folder / "keys";
  if (std::filesystem::exists(place)) return place + "/here";
  return net::Authority(place, "conformance").issue("here", {"127.0.0.1"}, 1);
}

Subject served_subject(Way way, unsigned nodes, unsigned workers,
                       std::function<std::unique_ptr<Served>(Way)> make) {
  const auto around = std::make_shared<std::weak_ptr<Served>>();
  Subject subject = local_subject(workers);
  constexpr const char* ways[] = {"unix_", "memory_", "tcp_", "tls_"};
  subject.name = ways[static_cast<std::size_t>(way)] + std::to_string(nodes) + "_nodes_" +
                 std::to_string(workers) + "_workers";
  subject.open = [around, way, make = std::move(make)] {
    const std::shared_ptr<Served> made = make(way);
    *around = made;
    return node_of(made);
  };
  subject.join = [around, nodes] {
    std::vector<Realization> others;
    for (unsigned number = 1; number < nodes; ++number) others.push_back(node_of(around->lock()));
    return others;
  };
  for (const Need need : {Need::connection, Need::listener}) subject.cannot.erase(need);
  subject.cannot[Need::second_directory] = "it has one server";
  if (nodes > 1) subject.cannot.erase(Need::second_node);
  if (nodes > 1) subject.cannot.erase(Need::turns);
  subject.message_store = [around](bool is_to_be) { around->lock()->serve(is_to_be); };
  return subject;
}

}  // namespace coracle::conformance
