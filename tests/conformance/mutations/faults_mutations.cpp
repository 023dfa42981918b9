// Proves that the tests find faults: the intended case, or the model with the intended promise,
// notices each mutation, and the same run without the mutation passes.
#include "coracle/realizations/local.hpp"
#include "faults.hpp"
#include "model/model.hpp"
#include "play.hpp"
#include "subjects/local_subject.hpp"
#include "support/societies/expect.hpp"

#include <iostream>

namespace coracle::conformance {

namespace {

using test::expect;
using test::fail;

// Returns the verdict of the part's case about a local realization with that part.
std::string verdict_on(const FaultyPart& fault, bool broken) {
  Subject subject = local_subject(1);
  subject.open = [&fault, broken] {
    Realization realization = local::realization();
    fault.plant(realization, broken);
    return realization;
  };
  return verdict_of(fault.sentence, subject);
}

void expect_noticed(const FaultyPart& fault) {
  const std::string without = verdict_on(fault, false);
  expect(without.empty(), "without the fault it passes: " + without);
  const Duration patience = std::exchange(soon, std::chrono::milliseconds(500));
  const std::string with = verdict_on(fault, true);
  soon = patience;
  expect(!with.empty(), "the fault is noticed");
  expect(with.find(fault.noticed) != std::string::npos,
         "it says \"" + fault.noticed + "\": " + with);
  std::cout << "mutation: " << fault.name << ": noticed by " << fault.sentence << ": " << with
            << '\n';
}

void expect_noticed(const FaultyEdit& fault) {
  Trace trace = good_trace();
  fault.edit(trace);
  const auto breaches = judge(trace);
  for (const Breach& breach : breaches) {
    if (breach.promise != fault.promise || breach.what.find(fault.noticed) == std::string::npos)
      continue;
    std::cout << "mutation: " << fault.name << ": breaks promise " << breach.promise << ": "
              << breach.what << '\n';
    return;
  }
  fail("promise " + std::to_string(fault.promise) + " should be broken (" + fault.noticed +
       "), but: " + to_string(breaches) + trace.to_string());
}

void the_good_trace_is_allowed() {
  const Trace trace = good_trace();
  const auto breaches = judge(trace);
  expect(breaches.empty(), to_string(breaches) + trace.to_string());
}

std::vector<Proof> all_proofs() {
  std::vector<Proof> proofs = {
      {"the_same_trace_without_a_fault_is_allowed", the_good_trace_is_allowed}};
  for (const FaultyEdit& fault : faulty_edits())
    proofs.push_back({fault.name, [fault] { expect_noticed(fault); }});
  for (const auto part : {&faulty_transports, &faulty_queues, &faulty_directories})
    for (const FaultyPart& fault : part())
      proofs.push_back({fault.name, [fault] { expect_noticed(fault); }});
  return proofs;
}

const bool registered = register_suite("faults_mutations", "", all_proofs());

}  // namespace

}  // namespace coracle::conformance
