// The rules by which an arbiter chooses among plans. Tests:
// caf/tests/negotiation/selection_test.cpp.
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

// The properties of a client that a rule uses.
struct Interest {
  std::string client;
  // These four are those of PlanRequest.
  std::int64_t threshold = 0;
  std::int64_t otherwise = 0;
  std::int64_t weight = 1;
  std::int64_t priority = 0;

  friend bool operator==(const Interest&, const Interest&) = default;
};

// The value of a plan to each client, and the plan's cost.
struct Outlook {
  std::span<const std::int64_t> scores;
  std::int64_t cost = 0;
};

// Returns whether `one` is at least as good as `other` for everybody and costs no more.
bool is_as_good(const Outlook& one, const Outlook& other) noexcept;

// A rule. Copies share its function. No built-in rule chooses a plan when another plan is as good
// for everybody, costs no more, and is better for somebody or costs less.
class Selection {
 public:
  // Compares two plans; the preferred plan is the greater one. A plan that is as good for everybody
  // and costs no more must not be less.
  using Compare = std::function<std::weak_ordering(const Outlook& one, const Outlook& other,
                                                   std::span<const Interest> clients)>;
  // The method by which the rule chooses.
  enum class Kind : std::uint8_t {
    order,     // the best plan by `compare`
    front,     // the same, once all plans are known that nobody can better for all
    max_n,     // at each node, the client whose turn it is chooses what is best for itself
    paranoid,  // the others choose what is worst for the client whose turn it is at the root
  };

  // A rule of the user's own.
  Selection(std::string name, Compare compare, Kind kind = Kind::order);
  // Returns the rule of that name: mutual, nash, utilitarian, leximin, lexicographic, pareto,
  // max_n, paranoid; "pareto:nash" has another chooser. Fails with Errc::bad_options and a list of
  // these names.
  static Result<Selection> named(std::string_view text);

  // The rule's name, in the form that named() takes, and its method.
  const std::string& name() const noexcept { return name_; }
  Kind kind() const noexcept { return kind_; }
  // Returns true if clients move by turns. The whole tree is then grown, and the choice goes from
  // its leaves upwards.
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

// The paper's rule. It chooses a plan that is agreeable to as many clients as possible; of these, a
// plan that gives as many as possible more than they have otherwise; then the cheapest.
Selection mutually_agreeable();
// Chooses any plan that nobody can better for all; of these, the plan that `chooser` prefers.
// GameTree::front() gives all of these plans.
Selection pareto();  // with utilitarian()
Selection pareto(Selection chooser);
// Chooses the greatest product of the clients' gains over what they have otherwise. Two conditions
// come first: that nobody loses, and that as many clients as possible gain.
Selection nash();
// Chooses the greatest sum of scores, by weight.
Selection utilitarian();
// Chooses what is best for the client that gains least; then for the next one.
Selection leximin();
// Chooses what is best for the clients of the greatest priority, together; then for the next ones.
Selection lexicographic();
// At each node, the client whose turn it is takes what is best for itself. Of equal plans, it takes
// what is best for all together.
Selection max_n();
// The same as max_n(), except that all others do their worst to the client whose turn it is at the
// root.
Selection paranoid();

}  // namespace coracle::caf
