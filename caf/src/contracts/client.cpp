#include "client_impl.hpp"

#include "coracle/directory.hpp"

#include <unordered_set>

namespace coracle::caf {

namespace {

// Limits: closed contracts that are kept, the size of the mailbox, and registered bidders.
constexpr std::size_t kept = 64;
constexpr std::size_t room_limit = 1'000'000;
constexpr std::size_t registered_limit = 100'000;

struct Awake {
  static constexpr std::string_view content_type = "coracle/caf/awake/v1";

  bool is_over = true;
};

}  // namespace

Client::Client(Random& random) : impl_(std::make_unique<Impl>(*this, random)) { add(*impl_); }
Client::~Client() = default;

void Client::on_progress(const ContractRecord&, const Report&) {}
void Client::on_record(const ContractRecord&) {}
bool Client::admits(const Name&, const Properties&) { return true; }
ContractId Client::number() { return impl_->number(); }

void Client::decide(Tender& tender) {
  const Time present = now();
  if (tender.award(present)) return;
  if (tender.contract().round < tender.procedure().rounds) {
    tender.announce_again(tender.contract(), tender.procedure().back_off, present);
  } else {
    tender.end(false, "nobody is left to award it to", present);
  }
}

Task<Settlement> Client::contract(Contract what, Invitation whom, Procedure how,
                                  Engagement part_of) {
  if (part_of) {
    what.ancestry = part_of.contract().ancestry;
    what.ancestry.push_back({part_of.client().name().str(), part_of.contract().id});
  }
  const std::shared_ptr<Impl::OpenContract> one =
      co_await impl_->begin(std::move(what), whom, std::move(how));
  if (part_of) {
    std::weak_ptr<Impl::OpenContract> weak = one;
    part_of.at_end([this, weak] {
      const auto open = weak.lock();
      if (!open || open->is_closed) return;
      open->tender.end(true, "the contract that it is part of has ended", now());
      impl_->touch(open);
    });
  }
  co_await impl_->advance(one);
  if (!one->is_closed) {
    one->waiter = new_conversation();
    co_await receive(in_conversation(one->waiter));
  }
  co_return one->tender.record().settlement;
}

bool Client::cancel(ContractId id, std::string reason) {
  const auto one = impl_->find(id);
  if (!one || one->tender.phase() == TenderPhase::over) return false;
  one->tender.end(true, std::move(reason), now());
  impl_->touch(one);
  return true;
}

bool Client::terminate(ContractId id, AwardNumber award, std::string reason) {
  const auto one = impl_->find(id);
  if (!one || !one->tender.terminate(award, std::move(reason), now())) return false;
  impl_->touch(one);
  return true;
}

const ContractRecord* Client::record_of(ContractId id) const {
  const auto one = impl_->find(id);
  return one ? &one->tender.record() : nullptr;
}

Task<std::vector<Name>> Client::Impl::invited(const Invitation& whom) {
  std::vector<Name> names = whom.bidders;
  if (whom.registered) {
    for (const auto& [name, properties] : registered_) {
      if (whom.eligible.holds(properties)) names.push_back(name);
    }
  }
  if (whom.interested) {
    const Query query = *whom.interested;
    const std::vector<Entry> found = co_await self_.search(query);
    for (const Entry& each : found) {
      if (whom.eligible.holds(each.properties)) names.push_back(each.name);
    }
  }
  // Each name once, in the order of the first occurrences.
  std::vector<Name> once;
  once.reserve(names.size());
  std::unordered_set<Name> seen;
  for (Name& each : names) {
    const bool is_new = names.size() <= 16 ? std::find(once.begin(), once.end(), each) == once.end()
                                           : seen.insert(each).second;
    if (is_new) once.push_back(std::move(each));
  }
  co_return once;
}

Task<std::shared_ptr<Client::Impl::OpenContract>> Client::Impl::begin(Contract what,
                                                                      const Invitation& whom,
                                                                      Procedure how) {
  const std::vector<Name> names = co_await invited(whom);
  if (what.id == 0) what.id = number();
  if (cases_.count(what.id) != 0) {
    throw Error(Errc::bad_options, "there is a contract number " + std::to_string(what.id) +
                                       " already; take one from number()");
  }
  // Often the same bidders are invited again.
  if (names != last_invited_) {
    std::vector<Address> found;
    found.reserve(names.size());
    for (const Name& each : names) found.push_back(self_.find(each));
    last_found_ = std::move(found);
    last_invited_ = names;
  }
  std::vector<Address> where = last_found_;
  std::vector<std::string> texts;
  texts.reserve(names.size());
  for (const Name& each : names) texts.push_back(each.str());
  // All bidders may reply at once.
  const std::size_t room = 1024 + 4 * where.size() * (open_.size() + 1);
  if (room > room_ && room_ < room_limit) {
    room_ = std::min(2 * room, room_limit);
    self_.set_mailbox(MailboxOptions().messages(static_cast<std::uint32_t>(room_)));
  }
  const ContractId id = what.id;
  auto one = std::make_shared<OpenContract>(
      Tender(std::move(what), std::move(how), self_.name().str(), std::move(texts), self_.now()),
      std::move(where));
  cases_.emplace(id, one);
  open_.push_back(id);
  co_return one;
}

bool Client::Impl::take(Message& message, const Content& content, Task<>& rest) {
  if (const Bid* bid = content.try_as<Bid>()) {
    rest = hear(message, *bid, 0, "bid");
  } else if (const Decline* decline = content.try_as<Decline>()) {
    rest = hear(message, *decline, 0, "refusal");
  } else if (const Acceptance* acceptance = content.try_as<Acceptance>()) {
    rest = hear(message, *acceptance, acceptance->award, "acceptance");
  } else if (const Report* report = content.try_as<Report>()) {
    rest = hear(message, *report, report->award, "report");
  } else if (const Withdrawal* withdrawal = content.try_as<Withdrawal>()) {
    rest = hear(message, *withdrawal, withdrawal->award, "withdrawal");
  } else if (const Released* released = content.try_as<Released>()) {
    rest = hear(message, *released, released->award, "release");
  } else if (const Registration* registration = content.try_as<Registration>()) {
    rest = on_registration(message, *registration);
  } else {
    return false;
  }
  return true;
}

// Returns the task that remains after a message was taken; often none.
template <class Said>
Task<> Client::Impl::hear(const Message& message, const Said& said, AwardNumber award,
                          std::string_view what) {
  const std::shared_ptr<OpenContract> one = find(said.contract);
  std::string fault;
  bool is_lost = award != 0;
  if (!one) {
    // A bidder that has stopped or declines need not receive that the contract is over.
    if (std::is_same_v<Said, Released> || std::is_same_v<Said, Decline>) return {};
    fault = "there is no such contract, or it ended long ago";
  } else if (const auto number = one->find(message.source())) {
    // This is the present time, not that of the burst, because a lease counts from the moment when
    // it is given.
    fault = one->tender.hear(*number, said, self_.now());
    if constexpr (std::is_same_v<Said, Report>) {
      if (fault.empty() && !said.final) self_.on_progress(one->tender.record(), said);
    }
    is_lost = is_lost && !one->tender.is_current(*number, award);
    if (fault.empty()) {
      if (one->tender.is_quiet()) return {};
      return advance(one);
    }
  } else {
    fault = one->tender.refuse(message.source().name().view(), what,
                               "you were not invited to bid for it", self_.now());
  }
  return refuse_with(message, one,
                     Objection{said.contract, award, std::string(what), fault, is_lost});
}

Task<> Client::Impl::refuse_with(const Message& message, std::shared_ptr<OpenContract> one,
                                 Objection objection) {
  const Address who = message.source();
  if (one) co_await advance(one);
  const Content content = Content::of(std::move(objection));
  co_await self_.tell(who, content);
}

void Client::Impl::decide(OpenContract& one) {
  self_.decide(one.tender);
  if (one.tender.phase() == TenderPhase::choosing) {
    one.tender.end(false, "the client has not chosen any bid", self_.now());
  }
}

namespace {

Content content_of(decltype(Outgoing::what)&& what) {
  return std::visit([](auto& each) { return Content::of(std::move(each)); }, what);
}

}  // namespace

// Makes the decisions that are due, and sends the messages that are to be sent.
Task<> Client::Impl::advance(std::shared_ptr<OpenContract> one) {
  for (;;) {
    if (one->tender.phase() == TenderPhase::choosing) decide(*one);
    std::vector<Outgoing> outgoing = one->tender.take_outgoing();
    if (outgoing.empty()) break;
    for (Outgoing& each : outgoing) {
      if (std::holds_alternative<Award>(each.what)) attend(*one, each.to.front());
      const Content content = content_of(std::move(each.what));
      for (const std::uint32_t to : each.to) {
        const std::string why = co_await self_.tell(one->bidders[to], content);
        if (!why.empty()) one->tender.give_up(to, why, self_.now());
      }
    }
  }
  if (one->tender.phase() == TenderPhase::over && !one->is_closed) co_await close(*one);
  if (one->tender.deadline() < due_) {
    due_ = one->tender.deadline();
    self_.hurry();
  }
}

Task<> Client::Impl::close(OpenContract& one) {
  one.is_closed = true;
  const ContractId id = one.tender.contract().id;
  open_.erase(std::find(open_.begin(), open_.end(), id));
  closed_.push_back(id);
  attend_no_more(one);
  self_.on_record(one.tender.record());
  if (one.waiter != 0) {
    const Content content = Content::of(Awake{});
    co_await self_.send(self_.self(), content, one.waiter);
  }
  while (closed_.size() > kept) {
    cases_.erase(closed_.front());
    closed_.pop_front();
  }
}

Task<> Client::Impl::on_time() {
  due_ = Time::max();
  for (const auto& each : std::exchange(touched_, {})) co_await advance(each);
  const std::vector<ContractId> open = open_;
  for (const ContractId id : open) {
    const std::shared_ptr<OpenContract> one = find(id);
    if (!one) continue;
    const Time present = self_.now();
    if (one->tender.deadline() <= present) one->tender.on_time(present);
    co_await advance(one);
  }
}

Task<> Client::Impl::on_registration(const Message& message, const Registration& said) {
  const Name who = message.source().name();
  const auto known = std::find_if(registered_.begin(), registered_.end(),
                                  [&](const auto& each) { return each.first == who; });
  std::string fault;
  if (said.leaves) {
    if (known != registered_.end()) registered_.erase(known);
    // The bidder's open bids are withdrawn, too.
    const std::vector<ContractId> open = open_;
    for (const ContractId id : open) {
      const std::shared_ptr<OpenContract> one = find(id);
      const auto number = one ? one->find(message.source()) : std::nullopt;
      if (!number) continue;
      const Decline decline{id, one->tender.contract().round, "it has left"};
      (void)one->tender.hear(*number, decline, self_.now());
      co_await advance(one);
    }
  } else {
    Properties properties;
    for (const auto& [key, value] : said.properties) properties.set(key, value);
    if (registered_.size() >= registered_limit) fault = "too many bidders have registered";
    else if (!self_.admits(who, properties)) fault = "this client takes no such bidder";
    else if (known != registered_.end()) known->second = std::move(properties);
    else registered_.emplace_back(who, std::move(properties));
  }
  if (!message.is_request()) co_return;
  if (!fault.empty()) {
    co_await self_.refuse(message, fault);
  } else {
    const Content content("from the next contract on");
    co_await self_.reply(message, content);
  }
}

}  // namespace coracle::caf
