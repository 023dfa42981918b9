// Feeds any bytes to the reader of the XML form of envelopes. There must be no crash; an envelope
// that is read must be the same after it is written and read again, apart from resolvers and user
// parameters of agents, which are not written. A reader that remembers envelopes reads the same.
#include "coracle/acl/envelope_codec.hpp"
#include "coracle/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using namespace coracle::acl;

void strip(AgentId& agent) {
  agent.resolvers.clear();
  agent.user.clear();
}

std::optional<Envelope> read(const std::string& text) try {
  return read_envelope_xml(text);
} catch (const coracle::Error&) {
  return std::nullopt;
}

// Reads the text, and then the same with another date.
void check_memory(std::string text) {
  EnvelopeXmlReader reader;
  for (const std::string date : {"", "20231114Z221320123", "yesterday"}) {
    const std::size_t at = text.find("<date>");
    if (!date.empty() && at != text.npos) text.insert(at + 6, date).erase(at + 6 + date.size(), 18);
    std::optional<Envelope> again;
    try {
      again = reader.read(text);
    } catch (const coracle::Error&) {
    }
    if (again != read(text)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::optional<Envelope> envelope;
  try {
    envelope = read_envelope_xml({reinterpret_cast<const char*>(data), size});
  } catch (const coracle::Error&) {
    return 0;
  }
  check_memory(std::string(reinterpret_cast<const char*>(data), size));
  strip(envelope->from);
  for (AgentId& each : envelope->to) strip(each);
  for (AgentId& each : envelope->intended_receivers) strip(each);
  if (read_envelope_xml(write_envelope_xml(*envelope)) != *envelope) std::abort();
  return 0;
}
