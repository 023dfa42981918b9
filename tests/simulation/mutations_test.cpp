// Proves that seeds find bugs: each mutation is noticed within so many seeds, and the same seeds
// find nothing without it.
#include "mutations/faults.hpp"
#include "plans.hpp"
#include "rare_faults.hpp"
#include "subjects.hpp"
#include "support/societies/expect.hpp"

#include <iostream>

namespace coracle::conformance {

namespace {

constexpr std::uint64_t seeds_allowed = 2000;

void expect_found(const RareFault& fault) {
  const std::string broken = "promise " + std::to_string(fault.promise) + " is broken";
  for (std::uint64_t seed = 1; seed <= seeds_allowed; ++seed) {
    const sim::Options options = options_of(seed);
    const Run run = run_seed(options, Size::small, fault.plant);
    if (run.wrong.find(broken) == std::string::npos) continue;
    const Run without = run_seed(options, Size::small);
    test::expect(without.wrong.empty(), "without the fault: " + without.wrong);
    const Run again = run_seed(options, Size::small, fault.plant);
    test::expect(again.wrong == run.wrong && again.hash == run.hash, "the seed repeats it");
    std::cout << "mutation: " << fault.name << ": found by seed " << seed << ": " << run.wrong;
    return;
  }
  test::fail(std::to_string(seeds_allowed) + " seeds have not found " + fault.name);
}

// The verdict of the case that the part breaks, on a simulated realization with that part.
std::string verdict_on(const FaultyPart& fault, bool broken, std::uint64_t seed) {
  Subject subject = simulated_subject(1, seed);
  subject.open = [&fault, broken, open = subject.open] {
    Realization parts = open();
    fault.plant(parts, broken);
    return parts;
  };
  return verdict_of(fault.sentence, subject);
}

void expect_sentence_fails(const FaultyPart& fault) {
  for (std::uint64_t seed = 1; seed <= seeds_allowed; ++seed) {
    const std::string with = verdict_on(fault, true, seed);
    if (with.find(fault.noticed) == std::string::npos || with.empty()) continue;
    const std::string without = verdict_on(fault, false, seed);
    test::expect(without.empty(), "without the fault it passes: " + without);
    std::cout << "mutation: " << fault.name << ": found by seed " << seed << ": " << with << '\n';
    return;
  }
  test::fail(std::to_string(seeds_allowed) + " seeds have not found " + fault.name);
}

std::vector<Proof> all_proofs() {
  std::vector<Proof> proofs;
  for (const auto part : {&rare_faults, &takeover_faults})
    for (const RareFault& fault : part())
      proofs.push_back({fault.name, [fault] { expect_found(fault); }});
  for (const auto part : {&faulty_transports, &faulty_queues, &faulty_directories})
    for (const FaultyPart& fault : part())
      proofs.push_back(
          {fault.name + "_for_its_sentence", [fault] { expect_sentence_fails(fault); }});
  return proofs;
}

const bool registered = register_suite("mutations", "", all_proofs());

}  // namespace

}  // namespace coracle::conformance
