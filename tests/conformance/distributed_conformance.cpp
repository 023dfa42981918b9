// Runs the conformance suite on the Distributed realization over sockets of this machine and
// through shared memory.
#include "subjects/distributed_subject.hpp"

namespace coracle::conformance {

namespace {

const bool registered_distributed = run_conformance(
    "distributed",
    {distributed_subject(Way::unix_socket, 2, 1), distributed_subject(Way::tcp, 3, 2),
     distributed_subject(Way::shared_memory, 2, 1), distributed_subject(Way::shared_memory, 2, 2),
     distributed_subject(Way::tls, 2, 1), distributed_subject(Way::tcp, 2, 0),
     distributed_subject(Way::shared_memory, 2, 0)});

}  // namespace

}  // namespace coracle::conformance
