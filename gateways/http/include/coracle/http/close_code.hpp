// The codes with which a WebSocket is closed.
#pragma once

#include <cstdint>

namespace coracle::http {

// The reason for an end, as RFC 6455 numbers them. Programs may use 4000 to 4999 as they like.
enum class CloseCode : std::uint16_t {
  normal = 1000,
  going_away = 1001,  // the server stops, or the page is left
  protocol_error = 1002,
  unacceptable = 1003,  // data of a kind that is not accepted
  none = 1005,          // the other side gave no code
  lost = 1006,          // the connection ended without a close frame
  bad_text = 1007,      // a text is not UTF-8
  policy = 1008,
  too_large = 1009,
  failure = 1011,          // the server has met an error
  try_again_later = 1013,  // a queue is full
};

}  // namespace coracle::http
