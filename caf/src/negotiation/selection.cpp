#include "coracle/caf/negotiation/selection.hpp"

#include "common/wide.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <map>

namespace coracle::caf {

namespace {

using Clients = std::span<const Interest>;
using Ordering = std::weak_ordering;

Wide sum_of(const Outlook& plan) {
  Wide sum = 0;
  for (const std::int64_t each : plan.scores) sum += each;
  return sum;
}

// Compares two plans that are equal by the rule itself.
Ordering by_sum_and_cost(const Outlook& one, const Outlook& other) {
  if (const auto by = sum_of(one) <=> sum_of(other); by != 0) return by;
  return other.cost <=> one.cost;
}

std::int64_t gain(const Outlook& plan, Clients clients, std::size_t i) {
  return plan.scores[i] - clients[i].otherwise;
}

template <class Holds>
std::size_t count(const Outlook& plan, Clients clients, Holds holds) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < clients.size(); ++i) number += holds(plan, clients, i) ? 1 : 0;
  return number;
}

bool agrees(const Outlook& plan, Clients clients, std::size_t i) {
  return plan.scores[i] >= clients[i].threshold;
}
bool gains(const Outlook& plan, Clients clients, std::size_t i) {
  return gain(plan, clients, i) > 0;
}
bool loses(const Outlook& plan, Clients clients, std::size_t i) {
  return gain(plan, clients, i) < 0;
}

Ordering mutual(const Outlook& one, const Outlook& other, Clients clients) {
  if (const auto by = count(one, clients, agrees) <=> count(other, clients, agrees); by != 0)
    return by;
  if (const auto by = count(one, clients, gains) <=> count(other, clients, gains); by != 0)
    return by;
  if (const auto by = other.cost <=> one.cost; by != 0) return by;
  return sum_of(one) <=> sum_of(other);
}

boost::multiprecision::cpp_int product(const Outlook& plan, Clients clients) {
  boost::multiprecision::cpp_int product = 1;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    if (gains(plan, clients, i)) product *= gain(plan, clients, i);
  }
  return product;
}

Ordering greater_product(const Outlook& one, const Outlook& other, Clients clients) {
  if (const auto by = count(other, clients, loses) <=> count(one, clients, loses); by != 0)
    return by;
  if (const auto by = count(one, clients, gains) <=> count(other, clients, gains); by != 0)
    return by;
  const int by = product(one, clients).compare(product(other, clients));
  return by != 0 ? by <=> 0 : by_sum_and_cost(one, other);
}

Ordering greater_sum(const Outlook& one, const Outlook& other, Clients clients) {
  Wide difference = 0;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    difference += (Wide{one.scores[i]} - other.scores[i]) * clients[i].weight;
  }
  if (difference != 0) return difference > 0 ? Ordering::greater : Ordering::less;
  return by_sum_and_cost(one, other);
}

Ordering better_for_the_last(const Outlook& one, const Outlook& other, Clients clients) {
  const auto sorted = [clients](const Outlook& plan) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < clients.size(); ++i) all.push_back(gain(plan, clients, i));
    std::sort(all.begin(), all.end());
    return all;
  };
  if (const auto by = sorted(one) <=> sorted(other); by != 0) return by;
  return by_sum_and_cost(one, other);
}

Ordering better_for_the_first(const Outlook& one, const Outlook& other, Clients clients) {
  std::map<std::int64_t, Wide, std::greater<>> differences;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    differences[clients[i].priority] += Wide{one.scores[i]} - other.scores[i];
  }
  for (const auto& [priority, difference] : differences) {
    if (difference != 0) return difference > 0 ? Ordering::greater : Ordering::less;
  }
  return by_sum_and_cost(one, other);
}

}  // namespace

bool is_as_good(const Outlook& one, const Outlook& other) noexcept {
  if (one.cost > other.cost) return false;
  for (std::size_t i = 0; i < one.scores.size(); ++i) {
    if (one.scores[i] < other.scores[i]) return false;
  }
  return true;
}

Selection::Selection(std::string name, Compare compare, Kind kind)
    : name_(std::move(name)),
      compare_(std::make_shared<const Compare>(std::move(compare))),
      kind_(kind) {}

Selection mutually_agreeable() { return {"mutual", mutual}; }
Selection nash() { return {"nash", greater_product}; }
Selection utilitarian() { return {"utilitarian", greater_sum}; }
Selection leximin() { return {"leximin", better_for_the_last}; }
Selection lexicographic() { return {"lexicographic", better_for_the_first}; }
Selection max_n() { return {"max_n", greater_sum, Selection::Kind::max_n}; }
Selection paranoid() { return {"paranoid", greater_sum, Selection::Kind::paranoid}; }
Selection pareto() { return pareto(utilitarian()); }

Selection pareto(Selection chooser) {
  std::string name = "pareto:" + chooser.name();
  return {
      std::move(name),
      [chooser = std::move(chooser)](const Outlook& one, const Outlook& other, Clients clients) {
        return chooser.compare(one, other, clients);
      },
      Selection::Kind::front};
}

Result<Selection> Selection::named(std::string_view text) {
  static const std::map<std::string_view, Selection (*)()> all = {{"mutual", mutually_agreeable},
                                                                  {"nash", nash},
                                                                  {"utilitarian", utilitarian},
                                                                  {"leximin", leximin},
                                                                  {"lexicographic", lexicographic},
                                                                  {"pareto", pareto},
                                                                  {"max_n", max_n},
                                                                  {"paranoid", paranoid}};
  constexpr std::string_view with_chooser = "pareto:";
  if (text.starts_with(with_chooser)) {
    Result<Selection> chooser = named(text.substr(with_chooser.size()));
    if (chooser && chooser->kind() == Kind::order) return pareto(std::move(*chooser));
  } else if (const auto found = all.find(text); found != all.end()) {
    return found->second();
  }
  std::string names;
  for (const auto& [name, make] : all) names += (names.empty() ? "" : ", ") + std::string(name);
  return Error(Errc::bad_options, "there is no selection rule '" + std::string(text.substr(0, 80)) +
                                      "'; take one of " + names + ", or pareto: with a chooser");
}

}  // namespace coracle::caf
