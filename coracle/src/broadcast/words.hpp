// What broadcasts carry: in a header, as what an agent gets them, and for which of its patterns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::detail {

inline constexpr std::string_view broadcast_header = "coracle-broadcast";

// The roles, as they are written.
inline constexpr std::string_view of_notice = "notice";    // one of all who observe it
inline constexpr std::string_view of_request = "request";  // observes a request
inline constexpr std::string_view to_handle = "handle";
inline constexpr std::string_view to_handle_again = "again";

// A role and the numbers of patterns, as the header has them.
struct BroadcastWords {
  std::string_view role;
  std::vector<std::uint64_t> ids;
};
std::string written(const BroadcastWords& words);
// What cannot be read is left out.
BroadcastWords read_words(std::string_view text);

// The answer of a handler that tried in vain.
struct BroadcastFailure {
  static constexpr std::string_view content_type = "coracle-broadcast-failure/1";

  std::string why;
};

}  // namespace coracle::detail
