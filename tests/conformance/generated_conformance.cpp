// Runs random societies; the model judges the traces that they write.
#include "subjects/local_subject.hpp"
#include "workload/workload.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::conformance {

BOOST_AUTO_TEST_SUITE(generated)

BOOST_AUTO_TEST_CASE(whatever_happens_in_one_worker_is_allowed_by_the_model) {
  prove_generated_workloads(local_subject(1));
}

BOOST_AUTO_TEST_CASE(whatever_happens_between_two_workers_is_allowed_by_the_model) {
  prove_generated_workloads(local_subject(2));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
