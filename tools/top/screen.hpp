// The screen of coracle top, by ncurses; only where CORACLE_HAS_CURSES is defined.
#pragma once

#include "top/state.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace coracle::command {

// Shows `top` on the terminal and obeys its keys, until the user ends it or `is_over`. Ten times in
// a second, it asks `next` for new counts.
void show_top(Top& top, const std::function<std::optional<std::vector<Measured>>()>& next,
              const std::function<bool()>& is_over);

}  // namespace coracle::command
