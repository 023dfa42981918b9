// The header of a broadcast: the role in which an agent receives it, and the agent's patterns that
// selected it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::detail {

inline constexpr std::string_view broadcast_header = "coracle-broadcast";

// The roles, as they are written.
inline constexpr std::string_view of_notice = "notice";    // for an agent that observes it
inline constexpr std::string_view of_request = "request";  // for an agent that observes a request
inline constexpr std::string_view to_handle = "handle";
inline constexpr std::string_view to_handle_again = "again";

// A role and the numbers of patterns, as in the header.
struct BroadcastWords {
  std::string_view role;
  std::vector<std::uint64_t> ids;
};
std::string written(const BroadcastWords& words);
// Words that cannot be read are left out.
BroadcastWords read_words(std::string_view text);

// The reply of a handler that tried in vain.
struct BroadcastFailure {
  static constexpr std::string_view content_type = "coracle-broadcast-failure/1";

  std::string why;
};

}  // namespace coracle::detail
