// Runs the conformance suite on the Central realization with a server that stores messages.
#include "subjects/central_subject.hpp"

namespace coracle::conformance {

namespace {

const bool registered_central_durable =
    run_conformance("central_durable", {durable_central_subject(Way::unix_socket, 2, 1)});

}  // namespace

}  // namespace coracle::conformance
