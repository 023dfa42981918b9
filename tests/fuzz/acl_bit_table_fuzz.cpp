// Feeds any bytes, as a sequence of messages, to a reader of the bit-efficient form that has a code
// table. There must be no crash; each message that is read must be the same after it has gone
// through a second pair of tables.
#include "coracle/acl/bit_efficient_codec.hpp"
#include "coracle/errors.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace {

using namespace coracle::acl;

std::optional<Message> read_if_good(BitEfficientReader& reader, std::string_view bytes) {
  try {
    return reader.read(bytes);
  } catch (const coracle::Error&) {
    return std::nullopt;
  }
}

}  // namespace

// The first byte chooses the size of the tables; before each message is its length.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  if (rest.empty()) return 0;
  const unsigned bits = 8 + static_cast<unsigned char>(rest[0]) % 2;
  rest.remove_prefix(1);
  const Limits limits{.bytes = 4096, .table_bytes = 1000};
  BitEfficientReader reader(bits, limits);
  // These may name more texts by indexes than the first ones.
  const Limits second_limits{.table_bytes = 1000};
  BitEfficientWriter second_writer(bits, second_limits);
  BitEfficientReader second_reader(bits, second_limits);
  while (!rest.empty()) {
    const std::size_t announced = static_cast<unsigned char>(rest[0]);
    const std::size_t length = std::min(announced, rest.size() - 1);
    const auto message = read_if_good(reader, rest.substr(1, length));
    rest.remove_prefix(1 + length);
    if (!message) continue;
    std::string bytes;
    second_writer.write_into(bytes, *message);
    if (second_reader.read(bytes) != *message) std::abort();
  }
  return 0;
}
