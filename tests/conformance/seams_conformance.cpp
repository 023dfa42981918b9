// Runs the conformance suites of the seams on the Local realization.
#include "coracle/realizations/local.hpp"
#include "seams/directory.hpp"
#include "seams/queue.hpp"
#include "seams/transport.hpp"

namespace coracle::conformance {

namespace {

const bool registered_seams[] = {
    register_suite("seams", "queue", queue_proofs([](const Name&) { return mail_queue(); })),
    register_suite("seams", "directory",
                   directory_proofs([](Clock& clock, std::uint32_t epoch) {
                     return local_directory(clock, epoch);
                   })),
    register_suite("seams", "transport",
                   transport_proofs([] { return local::realization().transport; })),
};

}  // namespace

}  // namespace coracle::conformance
