// What runs in the simulator, as subjects of the contract.
#pragma once

#include "coracle/realizations/sim.hpp"
#include "subject.hpp"

namespace coracle::contract {

// The parts of local: in a world of their own, with so many workers. Its seed is CORACLE_SEED, or
// `seed`. Untraced, messages take the shorter way that they take on threads.
Subject simulated_subject(unsigned workers, std::uint64_t seed = 1, bool traced = true);
// So many nodes of one society in a world of their own; agents live on all of them.
Subject spread_subject(unsigned nodes, unsigned workers, std::uint64_t seed = 1);
// A realization in a world that is there already, once; `realization` is one of those below. If it
// has several nodes, `faults` happen to them.
Subject subject_in(sim::World& world, unsigned workers,
                   const std::string& realization = "local:", const sim::Faults& faults = {});
// How many nodes that has, and how many hosts its world must have.
unsigned nodes_of(const std::string& realization);
unsigned hosts_of(const std::string& realization);
// What goes wrong with it under that seed.
sim::Faults faults_of(std::uint64_t seed, const std::string& realization);
// The realizations that run in the simulator.
std::vector<std::string> simulated_realizations();

}  // namespace coracle::contract
