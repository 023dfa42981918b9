// How two processes that met at a Unix socket come to share memory. Whoever has connected says
// first what it offers: some memory that it has made, or nothing. An offer is answered.
#pragma once

#include "realizations/net/src/asio/sockets.hpp"

#include <optional>

namespace coracle::net {

// Makes some and sends the offer of it; nothing when the system does not let it.
std::optional<SharedMemory> offer_memory(Socket& socket);
// Says that nothing is offered.
void offer_nothing(Socket& socket);
// What the answer is, which is there: whether it was taken; nothing when that was none.
std::optional<bool> answer_to_offer(Socket& socket);

// What somebody says first who has connected. With `other`, which a node says that is older, and
// with `offer` nothing was taken from the socket.
enum class FirstWord : std::uint8_t { not_yet, offer, nothing, other };
FirstWord hear_first_word(Socket& socket);
// Takes what is offered, and answers; nothing when it is not wanted, or not as it should be.
std::optional<SharedMemory> take_offer(Socket& socket, bool is_wanted);

}  // namespace coracle::net
