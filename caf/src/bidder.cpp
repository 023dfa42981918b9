#include "coracle/caf/bidder.hpp"

#include "coracle/endings.hpp"

#include <algorithm>
#include <map>

namespace coracle::caf {

namespace {

// How many contracts deep parts of parts may go.
constexpr std::size_t depth_limit = 32;

}  // namespace

class Bidder::Parts final : public Contractor::Part {
 public:
  using Key = Commitments::Key;

  Parts(Bidder& self, std::uint64_t capacity, Promises promises, Random& random)
      : self_(self), commitments_(capacity, promises), random_(random) {}

  // --- Part ---
  bool take(const Message& message, const Content& content, Task<>& rest) override;
  Time due() const noexcept override { return commitments_.due(); }
  Task<> on_time() override;

  Task<bool> say_last(Engagement work, const Fulfilment& result);
  Task<bool> withdraw(Engagement work, std::string reason);
  const Commitments& commitments() const noexcept { return commitments_; }
  // A number that no other agent has.
  std::uint64_t holder() {
    while (holder_ == 0) holder_ = random_.next();
    return holder_;
  }

 private:
  Task<> on_call(const Message& message, Content call);
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
};

Bidder::Bidder(std::uint64_t capacity, Promises promises, Random& random)
    : parts_(std::make_unique<Parts>(*this, capacity, promises, random)) {
  add(*parts_);
}
Bidder::~Bidder() = default;

std::optional<Bid> Bidder::bid_for(const Name&, const Contract&) { return std::nullopt; }
Task<std::optional<Bid>> Bidder::consider(const Name& client, const Contract& contract) {
  co_return bid_for(client, contract);
}
void Bidder::on_rejection(const Name&, ContractId, const std::string&) {}
void Bidder::on_lost(const Engagement&, const std::string&, Amount) {}
void Bidder::on_settled(const Name&, const Settled&) {}
const Commitments& Bidder::commitments() const noexcept { return parts_->commitments(); }

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
      Report{work.contract().id, work.award(), false, false, std::move(text), parts_->holder()});
  co_await tell(work.client(), std::move(content));
  co_return work.holds(now());
}

Task<> Bidder::withdraw(Engagement work, std::string reason) {
  (void)co_await parts_->withdraw(work, std::move(reason));
}

bool Bidder::Parts::take(const Message& message, const Content& content, Task<>& rest) {
  if (content.try_as<Contract>() != nullptr) {
    rest = on_call(message, content);
  } else if (const Rejection* rejection = content.try_as<Rejection>()) {
    const Name& client = message.source().name();
    commitments_.reject({client, rejection->contract}, rejection->round);
    self_.on_rejection(client, rejection->contract, rejection->reason);
  } else if (const Award* award = content.try_as<Award>()) {
    rest = on_award(message, *award);
  } else if (const Lease* lease = content.try_as<Lease>()) {
    on_lease(message, *lease);
  } else if (const Settled* settled = content.try_as<Settled>()) {
    (void)commitments_.drop({message.source().name(), settled->contract}, settled->award);
    self_.on_settled(message.source().name(), *settled);
  } else if (const Termination* termination = content.try_as<Termination>()) {
    rest = on_termination(message, *termination);
  } else {
    const Objection* objection = content.try_as<Objection>();
    if (objection != nullptr && objection->is_lost) {
      lose({message.source().name(), objection->contract}, objection->award, objection->reason, 0);
    }
    return false;  // the agent is told, too
  }
  return true;
}

std::string Bidder::Parts::fault_of(const Name& client, const Contract& contract) const {
  const Name& own = self_.name();
  const bool is_circle =
      std::any_of(contract.ancestry.begin(), contract.ancestry.end(),
                  [&](const Ancestor& each) { return each.client == own.view(); });
  if (is_circle || client == own) return "it is part of a contract of my own";
  if (contract.ancestry.size() > depth_limit) return "it is a part of a part of too many others";
  return {};
}

Task<> Bidder::Parts::on_call(const Message& message, Content call) {
  const Contract& contract = call.as<Contract>();
  const Address client = message.source();
  const Name& name = client.name();
  const Key key{name, contract.id};
  std::string fault = fault_of(name, contract);
  if (fault.empty()) fault = commitments_.on_call(key, contract);
  Content answer;
  if (fault.empty()) {
    std::optional<Bid> bid = co_await self_.consider(name, contract);
    if (!bid) fault = "not for me";
    else if (!commitments_.bid(key, call, *bid, self_.now(), answer))
      fault = "there is no room for it";
  }
  if (!fault.empty()) {
    answer = Content::of(Decline{contract.id, contract.round, std::move(fault)});
  }
  co_await self_.tell(client, std::move(answer));
}

Task<> Bidder::Parts::accept(Address client, ContractId contract, AwardNumber award) {
  // Asked at this moment, not later: the lease counts from here.
  const Time present = self_.now();
  Content content = Content::of(
      Acceptance{contract, award, present.time_since_epoch().count(), holder(), life_of(self_)});
  co_await self_.tell(client, std::move(content));
}

Task<> Bidder::Parts::on_award(const Message& message, const Award& award) {
  const Address client = message.source();
  const Key key{client.name(), award.contract};
  std::string fault = commitments_.on_award(key, award, self_.now());
  if (fault.empty()) {
    co_await accept(client, award.contract, award.award);
    co_return;
  }
  if (commitments_.find(key) == nullptr) self_.on_rejection(key.client, key.contract, fault);
  Content content = Content::of(Withdrawal{award.contract, award.award, std::move(fault), 0});
  co_await self_.tell(client, std::move(content));
}

void Bidder::Parts::on_lease(const Message& message, const Lease& lease) {
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

Task<> Bidder::Parts::work(Engagement work) {
  const Fulfilment result = co_await self_.fulfil(work);
  (void)co_await say_last(work, result);
}

Task<bool> Bidder::Parts::say_last(Engagement work, const Fulfilment& result) {
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

Task<bool> Bidder::Parts::withdraw(Engagement work, std::string reason) {
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

void Bidder::Parts::lose(const Key& key, AwardNumber award, const std::string& reason,
                         Amount penalty) {
  const Commitments::Commitment* one = commitments_.find(key);
  if (award == 0 || one == nullptr || one->award != award) return;
  const bool had_begun = commitments_.drop(key, award);
  const auto found = engagements_.find({key.client, key.contract});
  if (found == engagements_.end() || found->second.award() != award) {
    if (!had_begun) self_.on_rejection(key.client, key.contract, reason);
    return;
  }
  Engagement work = found->second;
  engagements_.erase(found);
  work.end();
  self_.on_lost(work, reason, penalty);
}

Task<> Bidder::Parts::on_termination(const Message& message, const Termination& termination) {
  const Address client = message.source();
  lose({client.name(), termination.contract}, termination.award, termination.reason,
       termination.penalty);
  Content content = Content::of(Released{termination.contract, termination.award, holder()});
  co_await self_.tell(client, std::move(content));
}

Task<> Bidder::Parts::on_time() {
  const Commitments::Chores chores = commitments_.on_time(self_.now());
  for (const auto& [key, award] : chores.lost) {
    const auto found = engagements_.find({key.client, key.contract});
    if (found == engagements_.end() || found->second.award() != award) continue;
    Engagement work = found->second;
    engagements_.erase(found);
    work.end();
    self_.on_lost(work, "its client was not heard of", 0);
  }
  for (const auto& [key, award] : chores.ended) {
    self_.on_rejection(key.client, key.contract, "its client has not answered");
  }
  for (const auto& [key, award] : chores.renew) {
    const auto found = engagements_.find({key.client, key.contract});
    if (found == engagements_.end() || found->second.award() != award) continue;
    const Address client = found->second.client();
    co_await accept(client, key.contract, award);
  }
}

}  // namespace coracle::caf
