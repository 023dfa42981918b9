// A profile of ballots as JSON, and what rules make of it as JSON.
#pragma once

#include <coracle/caf/rule.hpp>
#include <coracle/caf/ties.hpp>

#include <boost/json.hpp>

#include <string>
#include <string_view>

// Reads {"candidates": n, "ballots": [{"weight": w, "ranking": [c, …]}, …]}. Fails with an Error
// that says where it is wrong.
coracle::caf::Profile read_profile(std::string_view text);

// What `rule` and then `ties` decide: co-winners, decision, and what led to them.
boost::json::object count(const coracle::caf::Profile& profile, const coracle::caf::Rule& rule,
                          const coracle::caf::Ties& ties, coracle::caf::TieContext context);
