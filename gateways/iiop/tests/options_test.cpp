// The options of a transport by IIOP.
#include "coracle/fipa/iiop_mtp.hpp"

#include "coracle/coracle.hpp"
#include "coracle/errors.hpp"
#include "coracle/tests/support/in_memory.hpp"
#include "support/wire.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

namespace coracle::fipa {

BOOST_AUTO_TEST_SUITE(options)

BOOST_AUTO_TEST_CASE(options_that_make_no_sense_or_open_the_host_are_refused) {
  const auto refusal = [](IiopMtpOptions options) -> Errc {
    try {
      iiop_mtp(std::move(options));
    } catch (const Error& error) {
      return error.errc();
    }
    return {};
  };
  BOOST_TEST((refusal({.endpoint = "0.0.0.0:0"}) == Errc::not_permitted));
  BOOST_TEST((refusal({.endpoint = "example.org:1"}) == Errc::not_permitted));
  BOOST_TEST((refusal({.endpoint = "0.0.0.0:0", .insecure = true}) == Errc::bad_options));
  BOOST_TEST((refusal({.endpoint = "a b"}) == Errc::bad_endpoint));
  BOOST_TEST((refusal({.key = ""}) == Errc::bad_options));
  Node node{coracle::test::in_memory()};
  Port port{node, "transport"};
  const test::Listener taken;
  const auto busy = iiop_mtp({.endpoint = "127.0.0.1:" + std::to_string(taken.port())});
  BOOST_CHECK_EXCEPTION(busy->begin(port, {}), Error,
                        [](const Error& error) { return error.errc() == Errc::cannot_listen; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
