#include "coracle/caf/bidder.hpp"

#include "coracle/endings.hpp"

#include <algorithm>
#include <map>

namespace coracle::caf {

namespace {

// The greatest depth of contracts that are parts of parts.
constexpr std::size_t depth_limit = 32;

}  // namespace

class Bidder::Impl final : public Contractor::Part {
 public:
  using Key = Commitments::Key;

  Impl(Bidder& self, std::uint64_t capacity, Promises promises, Random& random)
      : self_(self), commitments_(capacity, promises), random_(random) {}

  // --- Part ---
  bool take(Message& message, const Content& content, Task<>& rest) override;
  Kind kind_of(std::string_view type) const noexcept override {
    if (is_type_of<Contract, Award, Lease, Termination>(type)) return Kind::urgent;
    return is_type_of<Rejection, Settled>(type) ? Kind::ordinary : Kind::foreign;
  }
  Time due() const noexcept override { return commitments_.due(); }
  Task<> on_time() override;

  Task<bool> say_last(Engagement work, const Fulfilment& result);
  Task<bool> withdraw(Engagement work, std::string reason);
  const Commitments& commitments() const noexcept { return commitments_; }
  // Returns a number that no other agent has.
  std::uint64_t holder() {
    while (holder_ == 0) holder_ = random_.next();
    return holder_;
  }

 private:
  // A call that is being considered, or waits to be.
  struct Considered {
    Address client;
    ContractId contract;
    std::uint32_t round;
    Time until;       // the end of the bidding
    bool has_waited;  // true if the call has waited for its turn
    // True if the client has closed the call, or has replaced it by a later one.
    bool is_closed = false;
  };
  using Turn = std::size_t;  // the index of a considered call

  Task<> on_call(Message& message, const Content& call);
  Task<> consider(Message message, Content call, Key key, Turn turn);
  Turn begin_turn(const Considered& call);
  Task<> decline(Address client, ContractId contract, std::uint32_t round, std::string reason);
  void close_calls(Address client, ContractId contract, std::uint32_t up_to);
  void tell_rejected(const Key& key, const std::string& reason);
  void tell_lost(const Engagement& work, const std::string& reason, Amount penalty);
  Task<> on_award(const Message& message, const Award& award);
  void on_lease(const Message& message, const Lease& lease);
  Task<> on_termination(const Message& message, const Termination& termination);
  Task<> work(Engagement work);
  Task<> accept(Address client, ContractId contract, AwardNumber award);
  std::string fault_of(const Name& client, const Contract& contract) const;
  void lose(const Key& key, AwardNumber award, const std::string& reason, Amount penalty);
  static Key key_of(const Engagement& work) { return {work.client().name(), work.contract().id}; }

  Bidder& self_;
  Commitments commitments_;
  Random& random_;
  std::uint64_t holder_ = 0;
  std::map<std::pair<Name, ContractId>, Engagement> engagements_;
  std::vector<Considered> considered_;
  std::vector<Turn> free_turns_;  // unused indices
};

Bidder::Bidder(std::uint64_t capacity, Promises promises, Random& random)
    : impl_(std::make_unique<Impl>(*this, capacity, promises, random)) {
  add(*impl_);
}
Bidder::~Bidder() = default;

std::optional<Bid> Bidder::bid_for(const Name&, const Contract&) { return std::nullopt; }
Task<std::optional<Bid>> Bidder::consider(const Name& client, const Contract& contract) {
  co_return bid_for(client, contract);
}
void Bidder::on_rejection(const Name&, ContractId, const std::string&) {}
void Bidder::on_lost(const Engagement&, const std::string&, Amount) {}
void Bidder::on_settled(const Name&, const Settled&) {}
const Commitments& Bidder::commitments() const noexcept { return impl_->commitments(); }

Task<> Bidder::register_with(Name client, Properties about, Deadline deadline) {
  Registration registration;
  for (const auto& [key, value] : about.all()) registration.properties.emplace(key, value);
  const Content content = Content::of(std::move(registration));
  (void)co_await ask(client, content, deadline);
}

Task<> Bidder::leave(Name client) {
  const Content content = Content::of(Registration{true, {}});
  co_await send(client, content);
}

Task<bool> Bidder::report(Engagement work, std::string text) {
  if (!work.holds(now())) co_return false;
  Content content = Content::of(
      Report{work.contract().id, work.award(), false, false, std::move(text), impl_->holder()});
  co_await tell(work.client(), std::move(content));
  co_return work.holds(now());
}

Task<> Bidder::withdraw(Engagement work, std::string reason) {
  (void)co_await impl_->withdraw(work, std::move(reason));
}

bool Bidder::Impl::take(Message& message, const Content& content, Task<>& rest) {
  if (content.try_as<Contract>() != nullptr) {
    rest = on_call(message, content);
  } else if (const Rejection* rejection = content.try_as<Rejection>()) {
    const Key key{message.source().name(), rejection->contract};
    commitments_.reject(key, rejection->round);
    close_calls(message.source(), rejection->contract, rejection->round);
    tell_rejected(key, rejection->reason);
  } else if (const Award* award = content.try_as<Award>()) {
    rest = on_award(message, *award);
  } else if (const Lease* lease = content.try_as<Lease>()) {
    on_lease(message, *lease);
  } else if (const Settled* settled = content.try_as<Settled>()) {
    const Name client = message.source().name();
    (void)commitments_.drop({client, settled->contract}, settled->award);
    if (self_.is_free()) {
      self_.on_settled(client, *settled);
    } else {
      self_.call_in_turn(
          [this, client, content] { self_.on_settled(client, content.as<Settled>()); });
    }
  } else if (const Termination* termination = content.try_as<Termination>()) {
    rest = on_termination(message, *termination);
  } else {
    const Objection* objection = content.try_as<Objection>();
    if (objection != nullptr && objection->is_lost) {
      lose({message.source().name(), objection->contract}, objection->award, objection->reason, 0);
    }
    return false;  // the agent handles the objection, too
  }
  return true;
}

void Bidder::Impl::tell_rejected(const Key& key, const std::string& reason) {
  if (self_.is_free()) return self_.on_rejection(key.client, key.contract, reason);
  self_.call_in_turn([this, key, reason] { self_.on_rejection(key.client, key.contract, reason); });
}

void Bidder::Impl::tell_lost(const Engagement& work, const std::string& reason, Amount penalty) {
  self_.call_in_turn([this, work, reason, penalty] { self_.on_lost(work, reason, penalty); });
}

// Closes calls: no bids for them are taken any more.
void Bidder::Impl::close_calls(Address client, ContractId contract, std::uint32_t up_to) {
  for (Considered& each : considered_) {
    const bool is_it = each.contract == contract && each.client == client;
    if (is_it && each.round <= up_to) each.is_closed = true;
  }
}

std::string Bidder::Impl::fault_of(const Name& client, const Contract& contract) const {
  const Name& own = self_.name();
  const bool is_circle =
      std::any_of(contract.ancestry.begin(), contract.ancestry.end(),
                  [&](const Ancestor& each) { return each.client == own.view(); });
  if (is_circle || client == own) return "it is part of a contract of my own";
  if (contract.ancestry.size() > depth_limit) return "it is a part of a part of too many others";
  return {};
}

Task<> Bidder::Impl::decline(Address client, ContractId contract, std::uint32_t round,
                             std::string reason) {
  Content answer = Content::of(Decline{contract, round, std::move(reason)});
  co_await self_.tell(client, std::move(answer));
}

Bidder::Impl::Turn Bidder::Impl::begin_turn(const Considered& call) {
  if (free_turns_.empty()) {
    considered_.push_back(call);
    return considered_.size() - 1;
  }
  const Turn turn = free_turns_.back();
  free_turns_.pop_back();
  considered_[turn] = call;
  return turn;
}

// Replies at once where the reply is known; otherwise the handler replies when its turn comes.
Task<> Bidder::Impl::on_call(Message& message, const Content& call) {
  const Contract& contract = call.as<Contract>();
  const Address client = message.source();
  Key key{client.name(), contract.id};
  std::string fault = fault_of(key.client, contract);
  if (fault.empty()) fault = commitments_.on_call(key, contract);
  if (fault.empty()) fault = self_.why_no_turn();
  if (!fault.empty()) return decline(client, contract.id, contract.round, std::move(fault));
  if (contract.round > 1) close_calls(client, contract.id, contract.round - 1);
  const Time until = Deadline(contract.bid_within).at(self_.now());
  const Turn turn = begin_turn({client, contract.id, contract.round, until, !self_.is_free()});
  self_.in_turn(consider(std::move(message), call, std::move(key), turn));
  return {};
}

// The message counts as consumed once this task ends.
Task<> Bidder::Impl::consider(Message message, Content call, Key key, Turn turn) {
  const Contract& contract = call.as<Contract>();
  const Address client = message.source();
  std::string fault;
  std::optional<Bid> bid;
  const Time until = considered_[turn].until;
  const bool has_waited = considered_[turn].has_waited;
  if (has_waited) fault = commitments_.on_call(key, contract);
  const bool is_asked =
      !has_waited || (fault.empty() && !considered_[turn].is_closed && self_.now() < until);
  if (is_asked) {
    bid = co_await self_.consider(client.name(), contract);
    if (!bid) fault = "not for me";
  }
  free_turns_.push_back(turn);  // nothing reuses the index before the next line has read it
  // The event that closed the call calls on_rejection(), in turn.
  if (considered_[turn].is_closed) co_return;
  Content answer;
  if (fault.empty()) {
    const Time present = self_.now();
    if (present >= until) {
      // The client has closed the bidding by its own clock, which started earlier.
      fault = "it was not considered in time";
      tell_rejected(key, fault);
    } else if (!commitments_.bid(key, call, *bid, present, answer)) {
      fault = "there is no room for it";
    }
  }
  if (!fault.empty()) {
    answer = Content::of(Decline{contract.id, contract.round, std::move(fault)});
  }
  co_await self_.tell(client, std::move(answer));
  self_.hurry();
}

Task<> Bidder::Impl::accept(Address client, ContractId contract, AwardNumber award) {
  // The time is that of this moment, because the lease counts from here.
  const Time present = self_.now();
  Content content = Content::of(
      Acceptance{contract, award, present.time_since_epoch().count(), holder(), life_of(self_)});
  co_await self_.tell(client, std::move(content));
}

Task<> Bidder::Impl::on_award(const Message& message, const Award& award) {
  const Address client = message.source();
  const Key key{client.name(), award.contract};
  std::string fault = commitments_.on_award(key, award, self_.now());
  if (fault.empty()) {
    co_await accept(client, award.contract, award.award);
    co_return;
  }
  if (commitments_.find(key) == nullptr) tell_rejected(key, fault);
  Content content = Content::of(Withdrawal{award.contract, award.award, std::move(fault), 0});
  co_await self_.tell(client, std::move(content));
}

void Bidder::Impl::on_lease(const Message& message, const Lease& lease) {
  const Address client = message.source();
  const Key key{client.name(), lease.contract};
  const bool begins = commitments_.on_lease(key, lease, self_.now());
  const Commitments::Commitment* one = commitments_.find(key);
  if (one == nullptr || one->award != lease.award) return;
  if (!begins) {
    const auto found = engagements_.find({key.client, key.contract});
    if (found != engagements_.end()) found->second.extend(one->until);
    return;
  }
  const Award award{lease.contract, one->contract().round, lease.award, one->items, 0, one->price};
  Engagement engagement(client, one->call, award, one->until);
  engagements_[{key.client, key.contract}] = engagement;
  self_.spawn(work(engagement));
}

Task<> Bidder::Impl::work(Engagement work) {
  const Fulfilment result = co_await self_.fulfil(work);
  (void)co_await say_last(work, result);
}

Task<bool> Bidder::Impl::say_last(Engagement work, const Fulfilment& result) {
  if (!work.holds(self_.now()) || !commitments_.report(key_of(work), work.award())) {
    co_return false;
  }
  engagements_.erase({work.client().name(), work.contract().id});
  work.end();
  Content content = Content::of(
      Report{work.contract().id, work.award(), true, result.done, result.text, holder()});
  co_await self_.tell(work.client(), std::move(content));
  co_return true;
}

Task<bool> Bidder::Impl::withdraw(Engagement work, std::string reason) {
  if (!work.holds(self_.now()) || !commitments_.withdraw(key_of(work), work.award())) {
    co_return false;
  }
  engagements_.erase({work.client().name(), work.contract().id});
  work.end();
  Content content =
      Content::of(Withdrawal{work.contract().id, work.award(), std::move(reason), holder()});
  co_await self_.tell(work.client(), std::move(content));
  co_return true;
}

void Bidder::Impl::lose(const Key& key, AwardNumber award, const std::string& reason,
                        Amount penalty) {
  const Commitments::Commitment* one = commitments_.find(key);
  if (award == 0 || one == nullptr || one->award != award) return;
  const bool had_begun = commitments_.drop(key, award);
  const auto found = engagements_.find({key.client, key.contract});
  if (found == engagements_.end() || found->second.award() != award) {
    if (!had_begun) tell_rejected(key, reason);
    return;
  }
  Engagement work = found->second;
  engagements_.erase(found);
  work.end();
  tell_lost(work, reason, penalty);
}

Task<> Bidder::Impl::on_termination(const Message& message, const Termination& termination) {
  const Address client = message.source();
  lose({client.name(), termination.contract}, termination.award, termination.reason,
       termination.penalty);
  Content content = Content::of(Released{termination.contract, termination.award, holder()});
  co_await self_.tell(client, std::move(content));
}

Task<> Bidder::Impl::on_time() {
  const Commitments::Chores chores = commitments_.on_time(self_.now());
  for (const auto& [key, award] : chores.lost) {
    const auto found = engagements_.find({key.client, key.contract});
    if (found == engagements_.end() || found->second.award() != award) continue;
    Engagement work = found->second;
    engagements_.erase(found);
    work.end();
    tell_lost(work, "its client sent nothing in time", 0);
  }
  for (const auto& [key, award] : chores.ended) {
    tell_rejected(key, "its client has not answered");
  }
  for (const auto& [key, award] : chores.renew) {
    const auto found = engagements_.find({key.client, key.contract});
    if (found == engagements_.end() || found->second.award() != award) continue;
    const Address client = found->second.client();
    co_await accept(client, key.contract, award);
  }
}

}  // namespace coracle::caf
