// The realizations that run in the simulator, as subjects of the conformance suite.
#pragma once

#include "coracle/realizations/sim.hpp"
#include "subject.hpp"

namespace coracle::conformance {

// The parts of "local:" in a world of their own, with `workers` workers. The seed is CORACLE_SEED,
// or `seed`. Without a trace, messages take the same shorter path as on threads.
Subject simulated_subject(unsigned workers, std::uint64_t seed = 1, bool traced = true);
// `nodes` nodes of one society in a world of their own; agents live on all of them.
Subject spread_subject(unsigned nodes, unsigned workers, std::uint64_t seed = 1);
// The same with nodes of the Distributed realization, with its links and its directory service.
Subject linked_subject(unsigned nodes, unsigned workers, std::uint64_t seed = 1);
// A realization in an existing world, for one society; `realization` is one of those below. If it
// has several nodes, `faults` happen to them.
Subject subject_in(sim::World& world, unsigned workers,
                   const std::string& realization = "local:", const sim::Faults& faults = {});
// The number of nodes of that realization, and the number of hosts that its world must have.
unsigned nodes_of(const std::string& realization);
unsigned hosts_of(const std::string& realization);
// The faults of that seed for that realization.
sim::Faults faults_of(std::uint64_t seed, const std::string& realization);
// The realizations that run in the simulator.
std::vector<std::string> simulated_realizations();

}  // namespace coracle::conformance
