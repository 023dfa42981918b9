// The puzzle on a terminal, and as JSON.
#pragma once

#include "agents.hpp"

#include <boost/json.hpp>

#include <iosfwd>

namespace hanoi {

// Draws the pegs with their pieces and the arm.
void draw(std::ostream& out, const Setting& setting, const Board& board);

// All data of a plan that was carried out. `optimum` may be nullptr.
boost::json::object to_json(const Setting& setting, std::int64_t red_deadline,
                            std::int64_t green_deadline, const Story& story,
                            const Optimum* optimum);
// The data of a search alone.
boost::json::object to_json(const Setting& setting, const Optimum& optimum);

}  // namespace hanoi
