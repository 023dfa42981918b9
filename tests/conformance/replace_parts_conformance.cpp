// A user can replace some or all of the abstractions of a realization (paper, section 2.1): each is
// replaced alone, chosen at run time, and the whole conformance suite still passes.
#include "seams/directory.hpp"
#include "seams/queue.hpp"
#include "seams/replacements.hpp"
#include "seams/transport.hpp"
#include "subjects/local_subject.hpp"
#include "support/societies/expect.hpp"
#include "workload/workload.hpp"

#include "coracle/realizations/local.hpp"

namespace coracle::conformance {

namespace {

// A local realization in which a user's own part replaces the part that `part` names.
Realization with_own(const std::string& part) {
  Realization realization = local::realization();
  if (part == "transport" || part == "everything")
    realization.transport = std::make_shared<OwnTransport>();
  if (part == "queue" || part == "everything")
    realization.queue = [](const Name&) { return std::make_unique<OwnQueue>(); };
  if (part == "directory" || part == "everything")
    realization.directory = std::make_shared<OwnDirectory>(realization.directory);
  return realization;
}

Subject subject_with_own(const std::string& part, unsigned workers) {
  Subject subject = local_subject(workers);
  subject.name = "local_with_own_" + part;
  subject.open = [part] { return with_own(part); };
  return subject;
}

const bool registered_replace_parts[] = {
    run_conformance("replace_parts",
                    {subject_with_own("transport", 2), subject_with_own("queue", 2),
                     subject_with_own("directory", 2)}),
    register_suite("replace_parts", "own_queue",
                   queue_proofs([](const Name&) { return std::make_unique<OwnQueue>(); })),
    register_suite("replace_parts", "own_transport",
                   transport_proofs([] { return std::make_shared<OwnTransport>(); })),
    register_suite("replace_parts", "own_directory",
                   directory_proofs([](Clock& clock, std::uint32_t epoch) {
                     return std::make_shared<OwnDirectory>(local_directory(clock, epoch));
                   })),
    register_suite("replace_parts", "all_at_once",
                   {{"random_societies_on_a_users_own_parts_are_allowed_by_the_model",
                     [] { prove_generated_workloads(subject_with_own("everything", 2)); }}}),
};

}  // namespace

}  // namespace coracle::conformance
