// Content whose bytes come one after the other.
#pragma once

#include "coracle/content.hpp"

#include <cstddef>
#include <span>

namespace coracle::detail {

// Room for so many bytes, which nobody reads before all of them are written: as long as they are
// not, large room takes no memory. Throws Errc::too_large (4 GiB).
Content content_with_room(std::size_t bytes);
// Where they go, while nobody else has that content.
std::span<std::byte> room_in(const Content& content) noexcept;

}  // namespace coracle::detail
