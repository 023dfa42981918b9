// About the number of bytes of memory that objects take.
#pragma once

#include "coracle/a2a/model.hpp"

#include <cstddef>

namespace coracle::a2a {

std::size_t weight_of(const Message& message) noexcept;
std::size_t weight_of(const Artifact& artifact) noexcept;

}  // namespace coracle::a2a
