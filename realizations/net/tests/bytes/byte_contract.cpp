#include "byte_contract.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {

void prove_all(const std::function<std::unique_ptr<ByteBench>()>& make_bench) {
  for (const auto& all : {stream_cases(), connecting_cases()}) {
    for (const ByteCase& each : all) {
      BOOST_TEST_CONTEXT(each.sentence) {
        const auto bench = make_bench();
        each.prove(*bench);
      }
    }
  }
}

}  // namespace coracle::net::test
