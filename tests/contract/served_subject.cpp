#include "served_subject.hpp"

#include "local_subject.hpp"

#include <utility>
#include <vector>

namespace coracle::contract {

Subject served_subject(Way way, unsigned nodes, unsigned workers,
                       std::function<std::unique_ptr<Served>(Way)> make) {
  const auto around = std::make_shared<std::unique_ptr<Served>>();
  Subject subject = local_subject(workers);
  subject.name = std::string(way == Way::tcp ? "tcp_" : "unix_") + std::to_string(nodes) +
                 "_nodes_" + std::to_string(workers) + "_workers";
  subject.open = [around, way, make = std::move(make)] {
    around->reset();
    *around = make(way);
    return (*around)->node();
  };
  subject.join = [around, nodes] {
    std::vector<Realization> others;
    for (unsigned number = 1; number < nodes; ++number) others.push_back((*around)->node());
    return others;
  };
  return subject;
}

}  // namespace coracle::contract
