// Runs random societies of a clearinghouse against the model, as generated_conformance.cpp does.
// There are few of them, because they wait in real time for messages that do not come.
#include "subjects/central_subject.hpp"
#include "workload/workload.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::conformance {

BOOST_AUTO_TEST_SUITE(generated_central)

BOOST_AUTO_TEST_CASE(whatever_happens_between_three_nodes_is_allowed_by_the_model) {
  prove_generated_workloads(central_subject(Way::shared_memory, 3, 1), 12);
}

BOOST_AUTO_TEST_CASE(whatever_happens_between_nodes_of_two_workers_is_allowed_by_the_model) {
  prove_generated_workloads(central_subject(Way::tcp, 2, 2), 12);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
