// Feeds any bytes to the CBOR reader. There must be no crash and no undefined behaviour, whether
// they are walked, skipped, copied, or decoded as a type; a decoded value must read the same after
// it is encoded again.
#include "../../coracle/tests/support/cbor_text.hpp"

#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace coracle;

struct Leaf {
  std::string name;
  std::vector<double> numbers;
  std::optional<std::int16_t> small;
};

struct Tree {
  static constexpr std::string_view content_type = "tree/v1";
  std::map<std::string, Leaf> leaves;
  std::vector<Tree> children;
  std::variant<std::monostate, Bytes, std::pair<bool, float>> extra;
  std::array<std::chrono::seconds, 2> times{};
};

std::string shown(std::span<const std::byte> bytes) {
  const auto decoder = cbor_decoder(bytes);
  std::string text = test::shown_item(*decoder);
  decoder->finish();
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  try {
    const std::string meaning = shown(input);
    std::vector<std::byte> again;
    const auto decoder = cbor_decoder(input);
    test::copy_item(*decoder, *cbor_encoder(again));
    if (shown(again) != meaning) std::abort();
    const auto skipping = cbor_decoder(input);
    skipping->skip();
    skipping->finish();
  } catch (const Error& error) {
    if (error.errc() != Errc::bad_encoding) std::abort();
  }
  const Content content = Content::bytes(input, "tree/v1");
  if (const Tree* tree = content.try_as<Tree>()) {
    try {
      const Content round = Content::of(*tree).encoded();
      if (round.try_as<Tree>() == nullptr) std::abort();
    } catch (const Error& error) {  // omitted fields may need one level more than 32
      if (error.errc() != Errc::bad_encoding) std::abort();
    }
  }
  return 0;
}
