// A group that sings, for those who join it late.
#pragma once

#include "play.hpp"

namespace coracle::contract {

// Has a singer do what it is told to, until it has.
Task<> order(Agent& me, std::string who, std::string what);
// It sings these numbers to the group "choir".
Task<> sing(Agent& me, std::string who, int from, int to);
// One that sings to the choir what it is told to, and tells when it has. "keep 3" has it keep the
// last three messages, "end" ends it.
Body singing();
// A singer that keeps its last messages and has sung "1" to the last.
Task<> start_singer(Agent& me, AgentSpec spec, std::string name, int keeps, int sings);
// The texts of the next so many messages, those of before it joined in brackets.
Task<std::string> hear_songs(Agent& me, int count);

}  // namespace coracle::contract
