// A group whose singer sends numbers to it, for tests of late joiners.
#pragma once

#include "play.hpp"

namespace coracle::conformance {

// Sends the order `what` to the singer `who` and waits until the singer has carried it out.
Task<> command(Agent& me, std::string who, std::string what);
// The singer sends these numbers to the group "choir".
Task<> sing(Agent& me, std::string who, int from, int to);
// A singer that sends to the group "choir" as it is ordered, and reports when it has finished. The
// order "keep 3" makes it keep the last three messages; "end" ends it.
Body singing();
// Starts a singer that keeps its last messages and has sent "1" up to the last number.
Task<> start_singer(Agent& me, AgentSpec spec, std::string name, int keeps, int sings);
// The texts of the next `count` messages. The texts of messages from before it joined are in
// brackets.
Task<std::string> hear_songs(Agent& me, int count);

}  // namespace coracle::conformance
