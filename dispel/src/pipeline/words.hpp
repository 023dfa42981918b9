// The messages between stages beside their batches.
#pragma once

#include "coracle/dispel/detail/batch.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::dispel::detail {

// A supplier has begun; its items have that type.
struct Offer {
  static constexpr std::string_view content_type = "coracle/dispel/stage/offer/v1";
  std::string type;
  std::uint32_t lanes = 1;
};

// A consumer has begun, or replies to an Offer: it requests everything that is not done with, in
// conversation `life`.
struct Attach {
  static constexpr std::string_view content_type = "coracle/dispel/stage/attach/v2";
  std::uint64_t life = 0;
  std::uint32_t window = 0;
  std::uint64_t window_bytes = 0;
  std::vector<Label> done;  // everything below these is done with, by lane of the supplier
  bool end = false;         // everything is done with, including the end
  std::string type;
  // The incarnation of its name: a message of an earlier one may come later, if that was elsewhere.
  std::uint32_t epoch = 0;
  std::uint32_t counter = 0;
};

// A consumer is done with everything below these labels.
struct Ack {
  static constexpr std::string_view content_type = "coracle/dispel/stage/ack/v1";
  std::uint64_t life = 0;
  std::vector<Label> done;
  bool end = false;
  std::string whose;  // set when sent on behalf of a consumer that has ended
};

// A consumer wants nothing more.
struct Cancel {
  static constexpr std::string_view content_type = "coracle/dispel/stage/cancel/v1";
  std::string whose;
};

// A supplier has ended for good.
struct Failed {
  static constexpr std::string_view content_type = "coracle/dispel/stage/failed/v1";
  std::string whose;
  std::string text;
};

// Sent to keepers: a stage has ended and need not be restarted. With `error`, it will not be.
struct Ended {
  static constexpr std::string_view content_type = "coracle/dispel/keeper/ended/v1";
  std::string whose;
  std::string error;
};

// A batch without items: the progress of the lanes, or the end.
struct Marks {
  static constexpr std::string_view content_type = "coracle/dispel/stage/marks/v1";
  Head head;
};

// Sent by a stage to itself: a neighbour that was taken for dead, or was not there, is back.
struct Returned {
  static constexpr std::string_view content_type = "coracle/dispel/stage/returned/v1";
  bool upstream = false;
  std::uint64_t index = 0;
};

// The prefix of the type names of all messages to stages.
inline constexpr std::string_view stage_words = "coracle/dispel/stage/";

}  // namespace coracle::dispel::detail
