// How the prices of a market went, as a drawing or as JSON.
#pragma once

#include <coracle/caf/market_record.hpp>

#include <boost/json.hpp>

#include <ostream>

// A line for each round: each good's first letter stands where its price is.
void plot(std::ostream& out, const coracle::caf::MarketRecord& record);
// What everybody gets and gives.
void list_trades(std::ostream& out, const coracle::caf::MarketResult& result);
// Goods, the prices of every round, and what came of it.
boost::json::object to_json(const coracle::caf::MarketRecord& record);
