#include "distributed_subject.hpp"

#include "coracle/realizations/distributed.hpp"
#include "local_subject.hpp"
#include "support/temporary_folder.hpp"

#include <memory>
#include <optional>

namespace coracle::contract {

namespace {

// What a society has besides its nodes.
struct Surroundings {
  test::TemporaryFolder folder;
  std::optional<distributed::DirectoryServer> directory;
};

}  // namespace

Subject distributed_subject(Way way, unsigned nodes, unsigned workers) {
  const auto around = std::make_shared<std::unique_ptr<Surroundings>>();
  const auto node = [around, way] {
    distributed::Options options;
    options.society = "contract";
    options.folder = (*around)->folder.path();
    options.directories = (*around)->directory->endpoints();
    if (way == Way::tcp) options.listen = {"127.0.0.1:0"};
    return distributed::realization(options);
  };
  Subject subject = local_subject(workers);
  subject.name = std::string(way == Way::tcp ? "tcp_" : "unix_") + std::to_string(nodes) +
                 "_nodes_" + std::to_string(workers) + "_workers";
  subject.open = [around, way, node] {
    around->reset();
    *around = std::make_unique<Surroundings>();
    distributed::DirectoryOptions options;
    options.society = "contract";
    options.listen = {way == Way::tcp ? "127.0.0.1:0"
                                      : "unix://" + ((*around)->folder / "directory")};
    (*around)->directory.emplace(options);
    return node();
  };
  subject.join = [nodes, node] {
    std::vector<Realization> others;
    for (unsigned number = 1; number < nodes; ++number) others.push_back(node());
    return others;
  };
  return subject;
}

}  // namespace coracle::contract
