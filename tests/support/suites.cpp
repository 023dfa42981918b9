#include "support/suites.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

namespace coracle::test {

bool register_suite(const std::string& suite, const std::string& part, std::vector<Proof> proofs) {
  namespace unit_test = boost::unit_test;
  auto& master = unit_test::framework::master_test_suite();
  const unit_test::test_unit_id known = master.get(suite);
  unit_test::test_suite* where = nullptr;
  if (known != unit_test::INV_TEST_UNIT_ID) {
    where = &unit_test::framework::get<unit_test::test_suite>(known);
  } else {
    where = BOOST_TEST_SUITE(suite);
    master.add(where);
  }
  if (!part.empty()) {
    auto* const inner = BOOST_TEST_SUITE(part);
    where->add(inner);
    where = inner;
  }
  for (Proof& proof : proofs)
    where->add(
        unit_test::make_test_case(std::move(proof.prove), proof.sentence, __FILE__, __LINE__));
  return true;
}

}  // namespace coracle::test
