// Feeds any bytes to the reader of the bit-efficient form of envelopes. There must be no crash; an
// envelope that is read must be the same after it is written and read again.
#include "coracle/acl/envelope_codec.hpp"
#include "coracle/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle::acl;
  std::optional<EnvelopeBits> read;
  try {
    read = read_envelope_bits({reinterpret_cast<const char*>(data), size});
  } catch (const coracle::Error&) {
    return 0;
  }
  if (read->bytes > size) std::abort();
  const std::string written = write_envelope_bits(read->envelope);
  const EnvelopeBits again = read_envelope_bits(written);
  if (again.envelope != read->envelope || again.bytes != written.size()) std::abort();
  return 0;
}
