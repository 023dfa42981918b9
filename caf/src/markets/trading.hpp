// The common parts of the files of markets.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/errors.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace coracle::caf {

// Limits: goods and traders of a market, incidents in a record, sales of an auctioneer.
inline constexpr std::size_t goods_limit = 1000;
inline constexpr std::size_t traders_limit = 100'000;
inline constexpr std::size_t incidents_limit = 1000;
inline constexpr std::size_t sales_limit = 1000;

// The time for which a trader's full mailbox may delay the others.
inline constexpr Duration trading_patience = std::chrono::milliseconds(100);

// Returns whether `value` is a number above zero within bounds that keep products of a few such
// numbers finite.
inline bool is_price(double value) { return value >= 1e-60 && value <= 1e60; }

// Returns why an agent cannot have that name; empty if it can.
inline std::string fault_of_name(const std::string& text) {
  const Result<Name> name = Name::parse(text);
  return name ? std::string() : name.error().sentence();
}

// Sends `content`, and returns the reason if it could not be sent. Fails with Errc::stopped and
// Errc::fenced.
inline Task<std::string> try_to_tell(Agent& self, Address to, Content content) {
  try {
    auto sending = self.send(to, std::move(content));
    sending.patience(trading_patience);
    co_await sending;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    co_return error.sentence();
  }
  co_return std::string();
}

}  // namespace coracle::caf
