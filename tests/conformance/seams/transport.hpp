// The conformance suite of the Transport seam.
#pragma once

#include "coracle/transport.hpp"
#include "subject.hpp"

namespace coracle::conformance {

using TransportFactory = std::function<std::shared_ptr<Transport>()>;

// The requirements on every transport, proved of the transports that `factory` makes, on the Local
// realization.
std::vector<Proof> transport_proofs(TransportFactory factory);

}  // namespace coracle::conformance
