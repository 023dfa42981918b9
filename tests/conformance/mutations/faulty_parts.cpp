#include "coracle/detail/access.hpp"
#include "faults.hpp"
#include "seams/replacements.hpp"

namespace coracle::conformance {

namespace {

// A filter whose fault can be switched off.
template <class Filter>
class Broken : public Filter {
 public:
  template <class Next>
  Broken(Next next, bool broken) : Filter(std::move(next)), broken_(broken) {}

 protected:
  const bool broken_;
};

// The fourth of ten successive messages, all for "main", is the victim.
bool is_victim(const Envelope& envelope) {
  return envelope.text() == "4" && envelope.destination().name() == Name("main");
}

// In the cases that use this transport, its senders share a worker.
class Reordering final : public Broken<OvertakingTransport> {
 public:
  using Broken::Broken;

 private:
  bool comes_late(const Envelope& envelope) override { return broken_ && is_victim(envelope); }
};

class Losing final : public Broken<TransportFilter> {
 public:
  using Broken::Broken;
  void bind(Inbound& inbound) override {
    inbound_ = &inbound;
    next_->bind(inbound);
  }
  Verdict try_carry(Envelope& envelope) override {
    if (!broken_ || !is_victim(envelope)) return next_->try_carry(envelope);
    inbound_->give_up(std::move(envelope), Outcome::consumed);
    return Verdict::carried;
  }

 private:
  Inbound* inbound_ = nullptr;
};

class Duplicating final : public Broken<TransportFilter> {
 public:
  using Broken::Broken;
  Verdict try_carry(Envelope& envelope) override {
    if (!broken_ || !is_victim(envelope)) return next_->try_carry(envelope);
    Envelope copy = copy_of(envelope);
    const Verdict verdict = next_->try_carry(envelope);
    if (verdict == Verdict::carried) next_->try_carry(copy);
    return verdict;
  }
};

// Delivers the victim to its own sender, and a message for "spill" to the mailbox of "box".
class Misdelivering final : public Broken<TransportFilter> {
 public:
  using Broken::Broken;
  Verdict try_carry(Envelope& envelope) override {
    const Address to = envelope.destination();
    if (to.name() == Name("box")) other_ = to;
    if (broken_ && to.name() == Name("spill") && other_)
      detail::Access::record(envelope)->target = detail::Access::mailbox(other_);
    if (broken_ && is_victim(envelope))
      detail::Access::record(envelope)->target = detail::Access::record(envelope)->source;
    return next_->try_carry(envelope);
  }

 private:
  Address other_;
};

class KeepingCredit final : public Broken<TransportFilter> {
 public:
  using Broken::Broken;
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override {
    if (!broken_) next_->await_credit(envelope, waiter);
  }
  void forget(CreditWaiter& waiter) noexcept override {
    if (!broken_) next_->forget(waiter);
  }
};

class Ignoring final : public Broken<QueueFilter> {
 public:
  using Broken::Broken;
  Envelope take(const Match& match) override { return next_->take(broken_ ? Match() : match); }
};

class Forgetting final : public Broken<QueueFilter> {
 public:
  using Broken::Broken;
  void put(Envelope envelope) override {
    if (!broken_ || envelope.text() != "4") next_->put(std::move(envelope));
  }
};

class NewestFirst final : public Broken<QueueFilter> {
 public:
  using Broken::Broken;
  void put(Envelope envelope) override {
    if (broken_) next_->put_back(std::move(envelope));
    else next_->put(std::move(envelope));
  }
};

class GivingTwice final : public Broken<QueueFilter> {
 public:
  using Broken::Broken;
  Envelope take(const Match& match) override {
    Envelope taken = next_->take(match);
    if (broken_ && taken && taken.text() == "4" && !given_) {
      given_ = true;
      next_->put_back(copy_of(taken));
    }
    return taken;
  }

 private:
  bool given_ = false;
};

class BackToTheEnd final : public Broken<QueueFilter> {
 public:
  using Broken::Broken;
  void put_back(Envelope envelope) override {
    if (broken_) next_->put(std::move(envelope));
    else next_->put_back(std::move(envelope));
  }
};

class GrantingTwice final : public Broken<OwnDirectory> {
 public:
  using Broken::Broken;
  Task<Result<Incarnation>> claim(Claim claim) override {
    return broken_ ? next().take_over(std::move(claim)) : next().claim(std::move(claim));
  }
};

Task<Result<void>> nothing_done() { co_return Result<void>(); }

class ForgettingEndings final : public Broken<OwnDirectory> {
 public:
  using Broken::Broken;
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override {
    if (broken_) return nothing_done();
    return next().leave(std::move(name), incarnation, std::move(ending));
  }
};

// Treats a takeover as a name that is given up and registered again.
class ForgettingFences final : public Broken<OwnDirectory> {
 public:
  using Broken::Broken;
  Task<Result<Incarnation>> take_over(Claim claim) override {
    const std::optional<Entry> old = co_await next().look_up(claim.name);
    if (!broken_ || !old) co_return co_await next().take_over(std::move(claim));
    Ending ending(claim.name, old->incarnation, EndReason::stopped);
    (void)co_await next().leave(claim.name, old->incarnation, std::move(ending));
    co_return co_await next().claim(std::move(claim));
  }
};

class DroppingMembers final : public Broken<OwnDirectory> {
 public:
  using Broken::Broken;
  Task<Result<void>> join(Name group, Name member) override {
    if (broken_ && member == Name("bob")) return nothing_done();
    return next().join(std::move(group), std::move(member));
  }
};

template <class Part>
std::function<void(Realization&, bool)> transport() {
  return [](Realization& realization, bool broken) {
    realization.transport = std::make_shared<Part>(realization.transport, broken);
  };
}

template <class Part>
std::function<void(Realization&, bool)> queue() {
  return [](Realization& realization, bool broken) {
    const QueueFactory make = realization.queue;
    realization.queue = [make, broken](const Name& owner) {
      return std::make_unique<Part>(make(owner), broken);
    };
  };
}

template <class Part>
std::function<void(Realization&, bool)> directory() {
  return [](Realization& realization, bool broken) {
    realization.directory = std::make_shared<Part>(realization.directory, broken);
  };
}

constexpr const char* order = "messages_of_one_pair_are_read_in_the_order_of_their_sending";

}  // namespace

std::vector<FaultyPart> faulty_transports() {
  return {
      {"a_transport_that_reorders", order, "is 5, should be 4", transport<Reordering>()},
      {"a_transport_that_loses", order, "is 5, should be 4", transport<Losing>()},
      {"a_transport_that_duplicates", order, "is 4, should be 5", transport<Duplicating>()},
      {"a_transport_that_delivers_to_the_wrong_agent", order, "is 5, should be 4",
       transport<Misdelivering>()},
      {"a_transport_that_keeps_the_credit", "a_send_to_a_full_mailbox_waits_until_there_is_room",
       "", transport<KeepingCredit>()},
  };
}

std::vector<FaultyPart> faulty_queues() {
  return {
      {"a_queue_that_loses", order, "is 5, should be 4", queue<Forgetting>()},
      {"a_queue_that_gives_the_newest", "receive_takes_the_oldest_message", "the oldest",
       queue<NewestFirst>()},
      {"a_queue_that_gives_twice", order, "is 4, should be 5", queue<GivingTwice>()},
      {"a_queue_that_ignores_what_is_asked_for",
       "a_directed_read_leaves_everything_else_in_its_place", "the only one of main",
       queue<Ignoring>()},
      {"a_queue_that_puts_back_at_the_end",
       "what_is_given_back_comes_again_marked_at_its_old_place", "the oldest again",
       queue<BackToTheEnd>()},
  };
}

std::vector<FaultyPart> faulty_directories() {
  return {
      {"a_directory_that_grants_a_name_twice", "claiming_a_held_name_fails_with_name_taken",
       "should be \"name taken\"", directory<GrantingTwice>()},
      {"a_directory_that_forgets_an_ending", "a_name_is_free_again_when_its_agent_has_ended",
       "should have ended", directory<ForgettingEndings>()},
      {"a_directory_that_forgets_to_fence", "taking_a_name_over_ends_its_old_holder_as_fenced",
       "is stopped, should be fenced", directory<ForgettingFences>()},
      {"a_directory_that_drops_a_member", "every_member_of_a_group_gets_it_once", "",
       directory<DroppingMembers>()},
  };
}

}  // namespace coracle::conformance
