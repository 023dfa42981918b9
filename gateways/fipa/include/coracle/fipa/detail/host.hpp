// The host that has sent a letter: costs are charged to it, because nobody can invent hosts.
// Tests: gateways/fipa/tests/host_test.cpp
#pragma once

#include <string>
#include <string_view>

namespace coracle::fipa::detail {

// The host in the address of a peer, as "192.0.2.7:4711" or "[2001:db8::7]:4711". Of an IPv6
// address, it is the network of 64 bits, since one machine has all addresses of such a network.
std::string host_of_peer(std::string_view peer);

}  // namespace coracle::fipa::detail
