// Feeds any bytes to the reader of the XML form of messages. There must be no crash; a message that
// is read must be the same after it is written and read again.
#include "coracle/acl/xml_codec.hpp"
#include "coracle/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle::acl;
  std::optional<Message> message;
  try {
    message = read_xml({reinterpret_cast<const char*>(data), size});
  } catch (const coracle::Error&) {
    return 0;
  }
  if (read_xml(write_xml(*message)) != *message) std::abort();
  return 0;
}
