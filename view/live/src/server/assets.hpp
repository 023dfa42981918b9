// The files of the page, which are part of the library; view/live/assets.cmake makes them.
#pragma once

#include <string_view>
#include <vector>

namespace coracle::view {

struct Asset {
  std::string_view name, text;
};

const std::vector<Asset>& assets();

}  // namespace coracle::view
