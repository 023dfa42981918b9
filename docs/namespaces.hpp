// The namespaces of the library; read by doxygen only.
#pragma once

// Named agents, messages, and the interfaces through which messages travel.
namespace coracle {

// Static control structures: pipeline, client-server, master-slave, subsumption.
namespace dispel {}

// The Central realization: a server by which all messages go.
namespace central {}

// The simulator: societies in virtual time.
namespace sim {}

// Recordings of societies, and replaying them.
namespace recording {}

// Tests of societies: expectations about messages, under seeds.
namespace testing {}

// Run-time coordination: voting, contract net, game-tree negotiation, markets.
namespace caf {}

}  // namespace coracle
