// The history of the prices of a market, as a drawing or as JSON.
#pragma once

#include <coracle/caf/markets/market_record.hpp>

#include <boost/json.hpp>

#include <ostream>

// Draws a line for each round: each good's first letter stands at its price.
void plot(std::ostream& out, const coracle::caf::MarketRecord& record);
// Lists the goods that each agent gets and gives.
void list_trades(std::ostream& out, const coracle::caf::MarketResult& result);
// The goods, the prices of every round, and the result.
boost::json::object to_json(const coracle::caf::MarketRecord& record);
