#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <string>

using namespace coracle::caf;

namespace {

constexpr int columns = 61;
constexpr std::size_t most_lines = 24;

}  // namespace

void plot(std::ostream& out, const MarketRecord& record) {
  double least = INFINITY;
  double most = 0;
  for (const MarketRound& round : record.rounds) {
    for (const ClearedGood& each : round.goods) {
      least = std::min(least, each.price);
      most = std::max(most, each.price);
    }
  }
  const auto column = [&](double price) {
    const double part = most > least ? std::log(price / least) / std::log(most / least) : 0.5;
    return static_cast<std::size_t>(std::lround(part * (columns - 1)));
  };
  std::string last;
  std::size_t lines = 0;
  for (std::size_t round = 0; round < record.rounds.size() && lines < most_lines; ++round) {
    std::string line(columns, ' ');
    for (std::size_t good = 0; good < record.goods.size(); ++good) {
      line[column(record.rounds[round].goods[good].price)] = record.goods[good].front();
    }
    if (line == last) continue;  // the visible line has not changed
    out << std::setw(5) << round + 1 << " |" << line << "|\n";
    last = line;
    ++lines;
  }
  out << std::fixed << std::setprecision(2) << "       " << std::left << std::setw(columns - 8)
      << least << std::right << std::setw(8) << most << '\n';
}

void list_trades(std::ostream& out, const MarketResult& result) {
  out << std::fixed << std::setprecision(2) << std::setw(9) << "";
  for (const std::string& each : result.prices.goods) out << std::setw(9) << each;
  out << '\n' << std::left << std::setw(9) << "price" << std::right;
  for (const double each : result.prices.prices) out << std::setw(9) << each;
  out << '\n';
  for (std::size_t i = 0; i < result.quantities.size(); ++i) {
    out << std::left << std::setw(9) << result.traders[i] << std::right;
    for (const double each : result.quantities[i]) {
      const double rounded = std::round(each * 100) / 100;
      if (rounded == 0) out << std::setw(9) << '-';
      else out << std::showpos << std::setw(9) << rounded << std::noshowpos;
    }
    out << '\n';
  }
}

boost::json::object to_json(const MarketRecord& record) {
  boost::json::array rounds;
  for (const MarketRound& round : record.rounds) {
    boost::json::array prices;
    for (const ClearedGood& each : round.goods) prices.push_back(each.price);
    rounds.push_back(std::move(prices));
  }
  boost::json::object trades;
  for (std::size_t i = 0; i < record.result.quantities.size(); ++i) {
    trades[record.traders[i]] = boost::json::value_from(record.result.quantities[i]);
  }
  return {{"goods", boost::json::value_from(record.goods)},
          {"rounds", std::move(rounds)},
          {"converged", record.result.converged},
          {"excess", boost::json::value_from(record.result.excess)},
          {"trades", std::move(trades)},
          {"faults", boost::json::value_from(retrace(record))}};
}
