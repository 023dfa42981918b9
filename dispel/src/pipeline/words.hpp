// What stages say to each other beside their batches.
#pragma once

#include "coracle/dispel/detail/batch.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::dispel::detail {

// A supplier has begun, and puts out items of that type.
struct Offer {
  static constexpr std::string_view content_type = "coracle/dispel/stage/offer/v1";
  std::string type;
  std::uint32_t lanes = 1;
};

// A consumer has begun, or answers an Offer: give me what is not done with, in conversation `life`.
struct Attach {
  static constexpr std::string_view content_type = "coracle/dispel/stage/attach/v2";
  std::uint64_t life = 0;
  std::uint32_t window = 0;
  std::uint64_t window_bytes = 0;
  std::vector<Label> done;  // of each lane of the supplier, everything below it is done with
  bool end = false;         // everything is, the end included
  std::string type;
  // The life of its name: what an earlier one has said may come later, if that was elsewhere.
  std::uint32_t epoch = 0;
  std::uint32_t counter = 0;
};

// A consumer is done with everything below these.
struct Ack {
  static constexpr std::string_view content_type = "coracle/dispel/stage/ack/v1";
  std::uint64_t life = 0;
  std::vector<Label> done;
  bool end = false;
  std::string whose;  // when it is said on behalf of a consumer that is no more
};

// A consumer wants nothing more.
struct Cancel {
  static constexpr std::string_view content_type = "coracle/dispel/stage/cancel/v1";
  std::string whose;
};

// A supplier is no more, and will not be again.
struct Failed {
  static constexpr std::string_view content_type = "coracle/dispel/stage/failed/v1";
  std::string whose;
  std::string text;
};

// To keepers: a stage has ended, and need not be begun again. `error`: it will not be.
struct Ended {
  static constexpr std::string_view content_type = "coracle/dispel/keeper/ended/v1";
  std::string whose;
  std::string error;
};

// A batch without items: how far the lanes are, or the end.
struct Marks {
  static constexpr std::string_view content_type = "coracle/dispel/stage/marks/v1";
  Head head;
};

// What all of these names begin with.
inline constexpr std::string_view stage_words = "coracle/dispel/stage/";

}  // namespace coracle::dispel::detail
