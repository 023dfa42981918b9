// Content whose bytes are written one after the other.
#pragma once

#include "coracle/content.hpp"

#include <cstddef>
#include <span>

namespace coracle::detail {

// Content with room for `bytes` bytes. No one may read it before all of them are written. Until
// then, large room takes no memory. Throws Errc::too_large (4 GiB).
Content content_with_room(std::size_t bytes);
// The room of `content`, to be written while no other owner has that content.
std::span<std::byte> room_in(const Content& content) noexcept;

}  // namespace coracle::detail
