// By which rule an arbiter chooses among plans. Contract: caf/tests/selection_test.cpp.
#pragma once

#include "coracle/result.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// A client, as a rule sees it.
struct Interest {
  std::string client;
  // As in PlanRequest.
  std::int64_t threshold = 0;
  std::int64_t otherwise = 0;
  std::int64_t weight = 1;
  std::int64_t priority = 0;

  friend bool operator==(const Interest&, const Interest&) = default;
};

// What a plan is worth to each client, and what it costs.
struct Outlook {
  std::span<const std::int64_t> scores;
  std::int64_t cost = 0;
};

// Whether `one` is at least as good as `other` for everybody and costs no more.
bool is_as_good(const Outlook& one, const Outlook& other) noexcept;

// A rule. Copies share it. No rule that has a name here chooses a plan when there is another one
// that is as good for everybody, costs no more, and is better for somebody or costs less.
class Selection {
 public:
  // Which of two plans is to be preferred; it is the greater one. A plan that is as good for
  // everybody and costs no more must not be less.
  using Compare = std::function<std::weak_ordering(const Outlook& one, const Outlook& other,
                                                   std::span<const Interest> clients)>;
  // How it goes about it.
  enum class Kind : std::uint8_t {
    order,     // the best plan by `compare`
    front,     // the same, once all plans are known that nobody can better for all
    max_n,     // at each node, whose turn it is chooses what is best for itself
    paranoid,  // the others choose what is worst for whose turn it is at the root
  };

  // A rule of one's own.
  Selection(std::string name, Compare compare, Kind kind = Kind::order);
  // The rule of that name: mutual, nash, utilitarian, leximin, lexicographic, pareto, max_n,
  // paranoid; "pareto:nash" has another chooser. Fails with Errc::bad_options, naming them.
  static Result<Selection> named(std::string_view text);

  // Its name, as named() takes it.
  const std::string& name() const noexcept { return name_; }
  Kind kind() const noexcept { return kind_; }
  // Whether clients move by turns: the whole tree is grown, and chosen from its leaves upwards.
  bool plays() const noexcept { return kind_ == Kind::max_n || kind_ == Kind::paranoid; }
  // Compares two plans.
  std::weak_ordering compare(const Outlook& one, const Outlook& other,
                             std::span<const Interest> clients) const {
    return (*compare_)(one, other, clients);
  }

 private:
  std::string name_;
  std::shared_ptr<const Compare> compare_;
  Kind kind_;
};

// A plan that is agreeable to as many as can be; of these, one that gives as many as can be more
// than they have otherwise; then the cheapest. The paper's rule.
Selection mutually_agreeable();
// Any plan that nobody can better for all, and of these what `chooser` likes best. All of these
// plans are in GameTree::front().
Selection pareto();  // with utilitarian()
Selection pareto(Selection chooser);
// The greatest product of what everybody gains over what it has otherwise; first, that nobody
// loses, and that as many as can be gain.
Selection nash();
// The greatest sum of scores, by weight.
Selection utilitarian();
// The best for whoever gains least; then for the next one.
Selection leximin();
// The best for those of the greatest priority, together; then for the next ones.
Selection lexicographic();
// At each node, the client whose turn it is takes what is best for it. Equal: for all together.
Selection max_n();
// The same, where all others do their worst to the client whose turn it is at the root.
Selection paranoid();

}  // namespace coracle::caf
