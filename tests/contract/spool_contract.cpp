// Runs the conformance suite on the realization of page 28 of the manual, which is a user's own.
#include "spool/spool.hpp"
#include "subjects/local_subject.hpp"
#include "temporary_folder.hpp"

#include <memory>

namespace coracle::contract {

namespace {

Subject spool_subject(unsigned nodes, unsigned workers) {
  const auto folder = std::make_shared<std::unique_ptr<test::TemporaryFolder>>();
  Subject subject = local_subject(workers);
  subject.name = std::to_string(nodes) + "_nodes_" + std::to_string(workers) + "_workers";
  subject.open = [folder] {
    *folder = std::make_unique<test::TemporaryFolder>();
    return spool::realization((*folder)->path());
  };
  subject.join = [folder, nodes] {
    std::vector<Realization> others;
    for (unsigned number = 1; number < nodes; ++number)
      others.push_back(spool::realization((*folder)->path()));
    return others;
  };
  subject.cannot.erase(Need::second_node);
  subject.cannot[Need::storage] = "it has no message store";
  return subject;
}

const bool registered_spool =
    run_contract("spool", {spool_subject(2, 1), spool_subject(3, 2)});

}  // namespace

}  // namespace coracle::contract
