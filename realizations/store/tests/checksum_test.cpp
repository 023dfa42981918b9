#include "store/checksum.hpp"

#include "realizations/net/src/seeded_random.hpp"
#include "store/fields.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::store {
namespace {

BOOST_AUTO_TEST_SUITE(checksum)

BOOST_AUTO_TEST_CASE(it_is_the_one_of_rfc_3720) {
  // Appendix B.4 of the RFC.
  Bytes bytes(32);
  BOOST_TEST(crc32c(bytes) == 0x8a9136aau);
  for (std::byte& each : bytes) each = std::byte{0xff};
  BOOST_TEST(crc32c(bytes) == 0x62a8ab43u);
  for (std::size_t i = 0; i < 32; ++i) bytes[i] = static_cast<std::byte>(i);
  BOOST_TEST(crc32c(bytes) == 0x46dd794eu);
  BOOST_TEST(crc32c(bytes_of("123456789")) == 0xe3069283u);
  BOOST_TEST(crc32c({}) == 0u);
}

BOOST_AUTO_TEST_CASE(the_processor_and_the_library_agree_and_pieces_make_the_whole) {
  net::SeededRandom random(1);
  for (int i = 0; i < 300; ++i) {
    Bytes bytes(net::between(random, 0, 100));
    for (std::byte& each : bytes) each = static_cast<std::byte>(random.next());
    const std::size_t split = net::between(random, 0, bytes.size());
    const ByteSpan whole = bytes;
    const auto crc = crc32c(whole);
    BOOST_TEST(crc == detail::crc32c_portable(whole, 0));
    BOOST_TEST(crc == crc32c(whole.subspan(split), crc32c(whole.first(split))));
    BOOST_TEST(crc == detail::crc32c_portable(whole.subspan(split),
                                              detail::crc32c_portable(whole.first(split), 0)));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::store
