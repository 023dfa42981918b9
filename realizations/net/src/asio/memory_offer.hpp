// The exchange by which two processes that met at a Unix socket come to share memory. The client
// first sends its offer: memory that it has created, or nothing. The server replies to an offer.
#pragma once

#include "realizations/net/src/asio/sockets.hpp"

#include <optional>

namespace coracle::net {

// Creates memory and sends the offer of it; returns nothing when the system does not allow it.
std::optional<SharedMemory> offer_memory(Socket& socket);
// Sends the word that offers nothing.
void offer_nothing(Socket& socket);
// Reads the reply, which has arrived: whether the offer was accepted; nothing when the bytes are no
// reply.
std::optional<bool> answer_to_offer(Socket& socket);

// The first word of a client. `other` comes from an older node. With `other` and with `offer`,
// nothing was taken from the socket.
enum class FirstWord : std::uint8_t { not_yet, offer, nothing, other };
FirstWord hear_first_word(Socket& socket);
// Takes the offered memory, and replies; returns nothing when the memory is not wanted or
// malformed.
std::optional<SharedMemory> take_offer(Socket& socket, bool is_wanted);

}  // namespace coracle::net
