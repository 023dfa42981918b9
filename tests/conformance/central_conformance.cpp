// Runs the conformance suite on the Central realization over sockets of this machine.
#include "subjects/central_subject.hpp"

namespace coracle::conformance {

namespace {

const bool registered_central = run_conformance(
    "central",
    {central_subject(Way::unix_socket, 2, 1), central_subject(Way::tcp, 3, 2),
     central_subject(Way::shared_memory, 3, 2), central_subject(Way::unix_socket, 2, 0)});

}  // namespace

}  // namespace coracle::conformance
