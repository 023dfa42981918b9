#include "arbiter_impl.hpp"

#include <algorithm>

namespace coracle::caf {

Arbiter::Arbiter(std::shared_ptr<const Game> game, std::string state, ArbiterOptions options,
                 Random& random)
    : impl_(std::make_unique<Impl>(*this, std::move(game), std::move(state), std::move(options),
                                   random)) {
  add(*impl_);
}
Arbiter::~Arbiter() = default;

Task<std::string> Arbiter::prepare(Plan) { co_return std::string(); }
Task<> Arbiter::release() { co_return; }
Task<> Arbiter::begin(Plan) { co_return; }
Task<std::string> Arbiter::perform(std::string, Game::Step) { co_return std::string(); }
void Arbiter::on_record(const Negotiation&) {}
void Arbiter::on_end(const PlanProgress&) {}
bool Arbiter::admits(const Name&, const PlanRequest&) { return true; }
const std::string& Arbiter::state() const noexcept { return impl_->state(); }
std::int64_t Arbiter::cost() const noexcept { return impl_->cost(); }
const Game& Arbiter::game() const noexcept { return impl_->game(); }

bool Arbiter::Impl::take(Message& message, const Content& content, Task<>& rest) {
  if (const PlanCritique* critique = content.try_as<PlanCritique>()) {
    rest = hear(message, *critique, "critique");
  } else if (const PlanAnswer* answer = content.try_as<PlanAnswer>()) {
    rest = hear(message, *answer, "answer");
  } else if (const PlanRequest* request = content.try_as<PlanRequest>()) {
    rest = on_request(message, *request);
  } else if (const PlanGo* go = content.try_as<PlanGo>()) {
    rest = on_go(message, *go);
  } else {
    return false;
  }
  return true;
}

Time Arbiter::Impl::due() const noexcept {
  if (doing_ == Doing::negotiating) return now_->deadline();
  return doing_ == Doing::gathering || doing_ == Doing::waiting ? due_ : Time::max();
}

Task<> Arbiter::Impl::on_time() {
  if (doing_ == Doing::gathering) {
    co_await start({});
  } else if (doing_ == Doing::waiting) {
    co_await stop("not all clients have confirmed in time that the plan should begin");
  } else if (doing_ == Doing::negotiating) {
    now_->on_time(self_.now());
    co_await advance();
  }
}

std::string Arbiter::Impl::fault_of_request(const Name& who, const PlanRequest& request) const {
  if (std::string fault = caf::fault_of(request); !fault.empty()) return fault;
  if (request.withdraws) return {};
  if (requests_.count(who) == 0 && requests_.size() >= GameTree::max_clients) {
    return "there are 64 clients already";
  }
  for (const std::string& each : request.moves) {
    const std::string fault = game_->apply(state_, each).fault;
    if (!fault.empty()) return "move '" + each.substr(0, 80) + "' is illegal: " + fault;
  }
  return self_.admits(who, request) ? "" : "this arbiter takes no such request";
}

Task<> Arbiter::Impl::object(Address whom, NegotiationId negotiation, std::uint32_t epoch,
                             std::string what, std::string reason) {
  Content content =
      Content::of(PlanObjection{negotiation, epoch, std::move(what), std::move(reason)});
  co_await self_.tell(whom, std::move(content));
}

Task<> Arbiter::Impl::on_request(const Message& message, const PlanRequest& request) {
  const Address who = message.source();
  const std::string fault = fault_of_request(who.name(), request);
  if (!fault.empty()) {
    if (now_) (void)now_->refuse(who.name().view(), "request", fault, self_.now());
    if (message.is_request()) co_await self_.refuse(message, fault);
    else co_await object(who, id_, epoch_, "request", fault);
    co_return;
  }
  if (message.is_request()) {
    const Content taken = Content::of(PlanTaken{id_, epoch_ + 1});
    co_await self_.reply(message, taken);
  }
  const auto known = requests_.find(who.name());
  if (request.withdraws) {
    if (known == requests_.end()) co_return;
    requests_.erase(known);
    attendance_.drop(who.name());
    gone_.erase(who.name());
  } else if (known == requests_.end()) {
    requests_.emplace(who.name(), Client{request, who});
  } else {
    known->second = {request, who};
  }
  if (!request.withdraws) {
    const bool is_here = co_await attendance_.look_for(who.name());
    if (is_here) gone_.erase(who.name());
    else gone_.insert(who.name());
  }
  co_await changed();
}

// Reacts to a change of the requests, depending on the present activity.
Task<> Arbiter::Impl::changed() {
  has_changed_ = true;
  switch (doing_) {
    case Doing::nothing:
    case Doing::gathering:
      if (requests_.empty()) {
        doing_ = Doing::nothing;
      } else if (requests_.size() >= options_.clients || epoch_ > 0) {
        co_await start({});
      } else if (doing_ == Doing::nothing) {
        doing_ = Doing::gathering;
        expect(self_.now() + options_.gather);
      }
      break;
    case Doing::negotiating:
      // Once the arbiter has asked prepare() about a plan, it waits for the result.
      if (now_->stage() != Bargaining::preparing) co_await reopen();
      break;
    case Doing::waiting:
      co_await reopen();
      break;
    case Doing::executing:
      break;  // at the end of the control cycle
  }
}

Beginning Arbiter::Impl::beginning(std::vector<std::string> rest) {
  while (id_ == 0) id_ = random_.next();
  Beginning beginning;
  beginning.id = id_;
  beginning.epoch = ++epoch_;
  beginning.arbiter = self_.name().str();
  beginning.state = state_;
  beginning.cost = cost_;
  beginning.rest = std::move(rest);
  if (now_) {
    const std::vector<Worth> worths = now_->worths_after(moves_done_);
    for (std::size_t i = 0; i < worths.size(); ++i) notes_[names_[i]] = worths[i];
  }
  names_.clear();
  addresses_.clear();
  for (const auto& [name, client] : requests_) {
    names_.push_back(name);
    addresses_.push_back(client.address);
    const PlanRequest& request = client.request;
    beginning.clients.push_back(
        {name.str(), request.threshold, request.otherwise, request.weight, request.priority});
    beginning.moves.push_back(request.moves);
    beginning.before.push_back(notes_[name]);
  }
  return beginning;
}

Task<> Arbiter::Impl::start(std::vector<std::string> rest) {
  Beginning begins = beginning(std::move(rest));
  has_changed_ = false;
  moves_done_ = 0;
  doing_ = Doing::negotiating;
  now_ =
      std::make_shared<Negotiation>(std::move(begins), options_.negotiation, *game_, self_.now());
  give_up_gone();
  co_await advance();
}

// Negotiates again from the present state. The plan that was agreed upon may continue.
Task<> Arbiter::Impl::reopen() {
  std::vector<std::string> rest;
  if (now_->stage() == Bargaining::agreed) {
    const auto& moves = now_->plan().moves;
    rest.assign(moves.begin() + static_cast<std::ptrdiff_t>(moves_done_), moves.end());
  } else if (!now_->is_over()) {
    now_->end("a request has changed", self_.now());
    (void)now_->take_utterings();
    self_.on_record(*now_);
  }
  if (requests_.empty()) {
    doing_ = Doing::nothing;
    run_in_turn(self_.release());
    co_return;
  }
  co_await start(std::move(rest));
}

template <class Said>
Task<> Arbiter::Impl::hear(const Message& message, const Said& said, std::string_view what) {
  const Address who = message.source();
  const auto found = std::find(addresses_.begin(), addresses_.end(), who);
  std::string fault;
  if (!now_ || doing_ != Doing::negotiating) {
    fault = "there is no negotiation now";
    if (now_) (void)now_->refuse(who.name().view(), what, fault, self_.now());
  } else if (found == addresses_.end()) {
    fault = now_->refuse(who.name().view(), what, "you are none of its clients", self_.now());
  } else {
    const auto client = static_cast<std::uint32_t>(found - addresses_.begin());
    fault = now_->hear(client, said, self_.now());
    co_await advance();
  }
  if (!fault.empty()) {
    co_await object(who, said.negotiation, said.epoch, std::string(what), fault);
  }
}

Task<> Arbiter::Impl::tell_all(Content content) {
  const std::vector<Address> all = addresses_;
  for (const Address each : all) co_await self_.tell(each, content);
}

// Sends the messages that are to be sent.
Task<> Arbiter::Impl::advance() {
  const std::shared_ptr<Negotiation> one = now_;
  const std::vector<Address> to = addresses_;
  for (;;) {
    // A client that has received a message may reply while the next client's message is sent.
    std::vector<Uttering> utterings = one->take_utterings();
    if (utterings.empty()) break;
    if (one->is_over() && doing_ == Doing::negotiating && one == now_) conclude();
    for (Uttering& each : utterings) {
      Content content =
          std::visit([](auto& what) { return Content::of(std::move(what)); }, each.what);
      const std::string why = co_await self_.tell(to[each.to], std::move(content));
      if (one != now_) co_return;
      if (!why.empty()) one->give_up(each.to, why, self_.now());
    }
  }
  if (one != now_ || doing_ != Doing::negotiating) co_return;
  if (one->stage() == Bargaining::preparing && prepares_ != std::pair(epoch_, one->offers())) {
    prepares_ = {epoch_, one->offers()};
    run_in_turn(prepare(one));
  }
  self_.hurry();
}

// Handles the end of a negotiation, with a plan, which waits for its clients' go, or without.
void Arbiter::Impl::conclude() {
  self_.on_record(*now_);
  if (now_->stage() != Bargaining::agreed) {
    doing_ = Doing::nothing;
    run_in_turn(self_.release());
    return;
  }
  doing_ = Doing::waiting;
  moves_done_ = 0;
  goes_missing_.clear();
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    if (!now_->is_silent(i)) goes_missing_.insert(names_[i]);
  }
  expect(self_.now() + options_.go_within);
}

Task<> Arbiter::Impl::begin_in_turn(Task<> handler) {
  plans_.run(std::move(handler));
  co_return;
}

Task<> Arbiter::Impl::prepare(std::shared_ptr<Negotiation> one) {
  const std::uint32_t offer = one->offers();
  std::string fault = co_await self_.prepare(one->plan());
  if (one != now_ || one->stage() != Bargaining::preparing || one->offers() != offer) co_return;
  if (has_changed_) {
    co_await reopen();
    co_return;
  }
  one->prepared(std::move(fault), self_.now());
  co_await advance();
}

}  // namespace coracle::caf
