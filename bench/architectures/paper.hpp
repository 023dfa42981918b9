// The measurements of the original paper, of 1996, with the same agents in the same arrangements.
#pragma once

#include <cstdint>
#include <string_view>

namespace coracle::bench {

// Milliseconds of an average round trip; zero where the paper has no number.
struct Paper {
  double central = 0;
  double distributed = 0;
};

// `experiment` is "full" (its Table 1), "council" (the averages of Tables 2 to 4), "tree" (Table 5)
// or "reads" (Table 8).
Paper paper_says(std::string_view experiment, std::string_view shape, std::uint32_t delay_ms,
                 bool anywhere) noexcept;

// The paper's measurements of two other systems, reading from anywhere (Table 9); in milliseconds,
// zero where the paper has no number.
struct OtherFrameworks {
  double tooltalk = 0;
  double field = 0;
};
OtherFrameworks frameworks_say(std::string_view shape) noexcept;

}  // namespace coracle::bench
