// The frames in plain text on a connection that should be encrypted: docs/wire.md describes them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace coracle::net {

// Returns whether the first bytes of a connection are the beginning of a HELLO.
bool begins_hello(std::span<const std::byte> first) noexcept;
// Returns a GOODBYE to a node that is refused.
std::vector<std::byte> not_permitted(std::string_view sentence);

}  // namespace coracle::net
