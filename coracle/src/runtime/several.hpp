// One message to several: a parcel for each of them.
#pragma once

#include "coracle/agent.hpp"
#include "runtime/party.hpp"

#include <vector>

namespace coracle::detail {

// Whoever has room gets its parcel at once; then those are waited for that have none. An
// eavesdropper hears the message once. Gives what became of each, in their order.
Task<std::vector<Result<void>>> send_parcels(Agent& agent, std::vector<Parcel*> parcels,
                                             Deadline patience);

}  // namespace coracle::detail
