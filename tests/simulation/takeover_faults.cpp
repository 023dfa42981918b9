// Faults that only a takeover shows: they affect the messages that the old holder had read but not
// acknowledged.
#include "coracle/detail/access.hpp"
#include "rare_faults.hpp"
#include "seams/replacements.hpp"

#include <set>

namespace coracle::conformance {

namespace {

// Names that have just been taken over.
using Taken = std::set<std::string>;

class Noticing final : public OwnDirectory {
 public:
  Noticing(std::shared_ptr<Directory> next, std::shared_ptr<Taken> taken)
      : OwnDirectory(std::move(next)), taken_(std::move(taken)) {}
  Task<Result<Incarnation>> take_over(Claim claim) override {
    taken_->insert(claim.name.str());
    return next().take_over(std::move(claim));
  }

 private:
  const std::shared_ptr<Taken> taken_;
};

enum class Wrong { loses, goes_last, unmarked, empties };

// Does something wrong to the first message that returns to a name that has been taken over.
class TakenQueue final : public QueueFilter {
 public:
  TakenQueue(std::unique_ptr<Queue> next, std::string owner, std::shared_ptr<Taken> taken,
             Wrong wrong)
      : QueueFilter(std::move(next)),
        owner_(std::move(owner)),
        taken_(std::move(taken)),
        wrong_(wrong) {}

  void put_back(Envelope envelope) override {
    if (wrong_ == Wrong::empties || taken_->erase(owner_) == 0) {
      return next_->put_back(std::move(envelope));
    }
    if (wrong_ == Wrong::loses) return lost_.push_back(std::move(envelope));
    if (wrong_ == Wrong::goes_last) return next_->put(std::move(envelope));
    detail::Access::record(envelope)->flags &=
        static_cast<std::uint16_t>(~unsigned{detail::redelivered_flag});
    next_->put_back(std::move(envelope));
  }
  // The new holder's first read finds an empty mailbox.
  Envelope take(const Match& match) override {
    if (wrong_ == Wrong::empties && taken_->erase(owner_) != 0) {
      while (Envelope left = next_->take(Match())) lost_.push_back(std::move(left));
    }
    return next_->take(match);
  }

 private:
  const std::string owner_;
  const std::shared_ptr<Taken> taken_;
  const Wrong wrong_;
  std::vector<Envelope> lost_;
};

Plant takeover(Wrong wrong) {
  return [wrong](Realization& parts) {
    const auto taken = std::make_shared<Taken>();
    parts.directory = std::make_shared<Noticing>(parts.directory, taken);
    parts.queue = [make = parts.queue, taken, wrong](const Name& owner) {
      return std::make_unique<TakenQueue>(make(owner), owner.str(), taken, wrong);
    };
  };
}

}  // namespace

std::vector<RareFault> takeover_faults() {
  return {
      {"a_takeover_that_loses_what_was_in_hand", 3, takeover(Wrong::loses)},
      {"a_takeover_that_puts_what_was_in_hand_last", 2, takeover(Wrong::goes_last)},
      {"a_takeover_that_does_not_mark_what_was_in_hand", 3, takeover(Wrong::unmarked)},
      {"a_takeover_that_empties_the_mailbox", 3, takeover(Wrong::empties)},
  };
}

}  // namespace coracle::conformance
