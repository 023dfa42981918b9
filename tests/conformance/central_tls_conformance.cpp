// Runs the conformance suite on the Central realization over TLS.
#include "subjects/central_subject.hpp"

namespace coracle::conformance {

namespace {

const bool registered_central_tls =
    run_conformance("central_tls", {central_subject(Way::tls, 2, 1)});

}  // namespace

}  // namespace coracle::conformance
