#include "coracle/caf/negotiation/plan.hpp"

#include <cstdlib>

namespace coracle::caf {

namespace {

constexpr std::size_t text_limit = 64 * 1024;
constexpr std::int64_t weight_limit = std::int64_t{1} << 32;

std::string out_of_range(const char* what, std::int64_t number) {
  return std::string(what) + " " + std::to_string(number) + " is beyond " +
         std::to_string(worth_limit);
}

bool is_wide(std::int64_t number) { return number > worth_limit || number < -worth_limit; }

}  // namespace

std::string fault_of(const PlanRequest& request) {
  if (request.goal.size() > text_limit) return "its goal is longer than 64 KiB";
  if (is_wide(request.threshold)) return out_of_range("its threshold", request.threshold);
  if (is_wide(request.otherwise)) return out_of_range("its worth otherwise", request.otherwise);
  if (request.weight <= 0 || request.weight > weight_limit) {
    return "its weight " + std::to_string(request.weight) + " is not between 1 and " +
           std::to_string(weight_limit);
  }
  if (request.moves.size() > 1000) return "it begins with more than 1000 moves";
  return {};
}

std::string fault_of(const Worth& worth) {
  if (is_wide(worth.score)) return out_of_range("the score", worth.score);
  if (is_wide(worth.best)) return out_of_range("the best score", worth.best);
  if (is_wide(worth.ends)) return out_of_range("the least cost", worth.ends);
  if (worth.best < worth.score) {
    return "the best that may come (" + std::to_string(worth.best) +
           ") is less than what is there (" + std::to_string(worth.score) + ")";
  }
  return {};
}

}  // namespace coracle::caf
