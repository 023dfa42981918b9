// Letters as the argument of a call by IIOP: whatever is read is within the limits.
#include "coracle/errors.hpp"
#include "gateways/iiop/tests/support/broker.hpp"
#include "letter_stream.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace coracle::fipa;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::Broker broker;
  Budget budget(std::size_t{1} << 20);
  coracle::acl::Limits limits;
  limits.bytes = 4096;
  limits.items = 100;
  try {
    test::Input in(std::string_view(reinterpret_cast<const char*>(data), size));
    Share share(budget);
    const Letter letter = read_letter(in, limits, share);
    if (letter.payload.size() > limits.bytes) std::abort();
    check_letter(letter, limits);
  } catch (const coracle::Error&) {
  } catch (const CORBA::SystemException&) {
  }
  if (!budget.take(std::size_t{1} << 20)) std::abort();
  return 0;
}
