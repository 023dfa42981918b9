// What is said in plain text where a connection should be encrypted: docs/wire.md has the frames.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace coracle::net {

// Whether what comes first on a connection is the beginning of a HELLO.
bool begins_hello(std::span<const std::byte> first) noexcept;
// A GOODBYE to a node that is not let in.
std::vector<std::byte> not_permitted(std::string_view sentence);

}  // namespace coracle::net
