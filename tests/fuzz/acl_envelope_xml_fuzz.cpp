// Feeds any bytes to the reader of the XML form of envelopes. There must be no crash; an envelope
// that is read must be the same after it is written and read again, apart from resolvers and user
// parameters of agents, which are not written.
#include "coracle/acl/envelope_codec.hpp"
#include "coracle/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace {

using namespace coracle::acl;

void strip(AgentId& agent) {
  agent.resolvers.clear();
  agent.user.clear();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::optional<Envelope> envelope;
  try {
    envelope = read_envelope_xml({reinterpret_cast<const char*>(data), size});
  } catch (const coracle::Error&) {
    return 0;
  }
  strip(envelope->from);
  for (AgentId& each : envelope->to) strip(each);
  for (AgentId& each : envelope->intended_receivers) strip(each);
  if (read_envelope_xml(write_envelope_xml(*envelope)) != *envelope) std::abort();
  return 0;
}
