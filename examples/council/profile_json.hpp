// A profile of ballots as JSON, and the results of voting rules as JSON.
#pragma once

#include <coracle/caf/voting/rule.hpp>
#include <coracle/caf/voting/ties.hpp>

#include <boost/json.hpp>

#include <string>
#include <string_view>

// Reads {"candidates": n, "ballots": [{"weight": w, "ranking": [c, …]}, …]}. Fails with an Error
// that names the place of the mistake.
coracle::caf::Profile read_profile(std::string_view text);

// The decision of `rule` and then `ties`: co-winners, decision, and the steps that led to them.
boost::json::object count(const coracle::caf::Profile& profile, const coracle::caf::Rule& rule,
                          const coracle::caf::Ties& ties, coracle::caf::TieContext context);
