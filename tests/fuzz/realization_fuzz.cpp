// Feeds any text to the parser of realizations, such as `central://host:port?society=lab`. There
// must be no crash; a text that cannot be parsed is refused with the proper error.
#include "coracle/errors.hpp"
#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/sim.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

template <class Read>
void read(Read options_from, std::string_view text) {
  using coracle::Errc;
  try {
    (void)options_from(text);
  } catch (const coracle::Error& error) {
    if (error.errc() != Errc::bad_realization) std::abort();
    if (error.sentence().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(&coracle::central::options_from, text);
  read(&coracle::distributed::options_from, text);
  read(&coracle::sim::options_from, text);
  return 0;
}
