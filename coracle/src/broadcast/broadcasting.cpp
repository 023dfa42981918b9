// The side of those who send to whoever is interested: each worker knows all patterns, so the
// sender's decides whom a broadcast goes to.
#include "broadcast/inquiring.hpp"
#include "broadcast/words.hpp"
#include "coracle/broadcast.hpp"
#include "coracle/typed.hpp"
#include "runtime/errors_said.hpp"
#include "runtime/interested.hpp"
#include "runtime/node_core.hpp"
#include "runtime/several.hpp"
#include "slips.hpp"

#include <algorithm>

namespace coracle {

using detail::AskingOne;
using detail::BroadcastFailure;
using detail::BroadcastWords;
using detail::extras_of;
using detail::here;
using detail::Interested;
using detail::Parcel;
using detail::Party;
using detail::Slip;
using detail::Worker;

namespace {

struct FreeParcel {
  void operator()(Parcel* parcel) const noexcept { detail::free_parcel(parcel); }
};
using OwnParcel = std::unique_ptr<Parcel, FreeParcel>;

// Whether another handler may be asked after one ended so.
bool may_ask_another(Errc errc) noexcept {
  switch (errc) {
    case Errc::refused:
    case Errc::peer_down:
    case Errc::agent_failed:
    case Errc::unanswered:
    case Errc::undeliverable:
    case Errc::dropped:
    case Errc::custodian_lost:
    case Errc::mailbox_full:
    case Errc::absent_full:
    case Errc::not_permitted:
    case Errc::expired:
      return true;
    default:
      return false;
  }
}

// Whether it is the sender's own, whomever it asks.
bool is_ones_own(Errc errc) noexcept { return !may_ask_another(errc) && errc != Errc::deadlock; }

}  // namespace

const Name& whoever() {
  static const Name name("coracle/whoever");
  return name;
}

// One broadcast, under way.
class Broadcasting {
 public:
  Broadcasting(Agent& agent, Broadcast what)
      : agent_(agent), patience_(what.patience_), model_(detail::new_parcel()) {
    model_->source = model_->target = agent.party();
    model_->content = what.content_.release();
    detail::Extras& extras = extras_of(*model_);
    extras.target_name = whoever();
    extras.headers = std::move(what.headers_);
    extras.heard = std::make_shared<std::vector<std::uint64_t>>();
  }

  // Tells all observers.
  Task<Reached> tell(std::string_view role) {
    Worker& worker = here(agent_);
    const std::vector<Interested> observers = worker.registered.who(*model_, detail::observes);
    std::vector<Parcel*> parcels;
    parcels.reserve(observers.size());
    for (const Interested& one : observers) parcels.push_back(parcel_for(one, role));
    auto sending = detail::send_parcels(agent_, std::move(parcels), patience_);
    const std::vector<Result<void>> results = co_await sending;
    for (const Result<void>& result : results) {
      if (!result && !may_ask_another(result.error().errc()))
        throw detail::said(result.error().errc(), "send a broadcast as", agent_.name());
    }
    Reached reached;
    reached.interested = observers.size();
    reached.reached = static_cast<std::size_t>(
        std::count_if(results.begin(), results.end(), [](const auto& each) { return bool(each); }));
    co_return reached;
  }

  // Asks one handler after the other.
  Task<Handled> ask(Time until) {
    Handled handled;
    for (;;) {
      const std::optional<Interested> one = next_handler();
      if (!one) co_return handled;
      const auto entry = co_await here(agent_).node().directory().look_up(one->who->name);
      if (!entry) continue;  // it has ended, and its node has not said so yet
      const bool is_first = handled.lost == 0 || detail::slips(Slip::again_not_said);
      Parcel* const parcel =
          question_for(*one, is_first ? detail::to_handle : detail::to_handle_again, until);
      AskingOne asking(agent_, parcel, deadline_of(until));
      AskingOne::End end = co_await asking;
      if (end.reply) {
        conclude(handled, std::move(*end.reply), one->who->name);
        co_return handled;
      }
      const bool over = end.errc == Errc::expired && agent_.now() >= until;
      if (over || !may_ask_another(end.errc)) throw asking.said();
      if (end.errc == Errc::refused) ++handled.rejections;
      if (end.errc == Errc::refused && detail::slips(Slip::rejection_is_final)) co_return handled;
      const bool is_lost = end.errc == Errc::peer_down || end.errc == Errc::agent_failed ||
                           end.errc == Errc::unanswered;
      if (is_lost) ++handled.lost;
      handled.reason = end.text.empty() ? asking.said().sentence() : end.text;
      handled.by = one->who->name;
    }
  }

  // Asks all handlers at once.
  Task<Replies> inquire(rpc::Collect rule, Time until) {
    std::vector<Interested> handlers;
    std::optional<Interested> one = next_handler();
    while (one) {
      const auto entry = co_await here(agent_).node().directory().look_up(one->who->name);
      if (entry) handlers.push_back(std::move(*one));
      one = next_handler();
    }
    detail::Inquiring inquiring(agent_, rule, handlers.size());
    for (const Interested& each : handlers) {
      if (inquiring.over()) break;
      inquiring.ask(question_for(each, detail::to_handle, until), deadline_of(until));
    }
    bool over = inquiring.over();
    while (!over) {
      co_await inquiring.something();
      over = inquiring.over();
    }
    Replies replies = inquiring.finish();
    for (const Reply& each : replies.all) {
      if (!each.answer && is_ones_own(each.answer.error().errc())) throw each.answer.error();
    }
    co_return replies;
  }

  // Eavesdroppers hear what nobody was interested in.
  void nobody_has_it() { here(agent_).let_overhear(*agent_.party(), *model_); }

 private:
  static void conclude(Handled& handled, Message reply, const Name& by) {
    handled.by = by;
    handled.reason.clear();
    handled.state = Handled::State::replied;
    handled.answer = reply.consume();
    if (handled.answer.type() != BroadcastFailure::content_type) return;
    handled.state = Handled::State::failed;
    handled.reason = handled.answer.as<BroadcastFailure>().why;
    handled.answer = Content();
  }

  std::optional<Interested> next_handler() {
    for (Interested& one : here(agent_).registered.who(*model_, detail::handles)) {
      if (one.who == agent_.party()) continue;
      if (std::find(asked_.begin(), asked_.end(), one.who) != asked_.end()) continue;
      asked_.push_back(one.who);
      return std::move(one);
    }
    return std::nullopt;
  }

  Parcel* parcel_for(const Interested& one, std::string_view role) {
    Parcel* const parcel = detail::clone_parcel(*model_);
    parcel->target = one.who;
    BroadcastWords words;
    words.role = role;
    words.ids = one.ids;
    parcel->extras->headers.emplace_back(detail::broadcast_header, detail::written(words));
    return parcel;
  }

  Parcel* question_for(const Interested& one, std::string_view role, Time until) {
    Parcel* const parcel = parcel_for(one, role);
    parcel->flags = detail::request_flag;
    parcel->extras->deadline = until;
    return parcel;
  }
  static Deadline deadline_of(Time until) {
    return until == Time::max() ? Deadline::never() : Deadline(until);
  }

  Agent& agent_;
  const Deadline patience_;
  const OwnParcel model_;
  std::vector<Party*> asked_;
};

Task<Reached> send_notice(Agent& agent, Broadcast what) {
  Broadcasting broadcasting(agent, std::move(what));
  Task<Reached> telling = broadcasting.tell(detail::of_notice);
  const Reached reached = co_await telling;
  if (reached.interested == 0) broadcasting.nobody_has_it();
  co_return reached;
}

Task<Handled> send_request(Agent& agent, Broadcast what, Deadline deadline) {
  const Time until = deadline.at(agent.now());
  Broadcasting broadcasting(agent, std::move(what));
  Task<Reached> telling = broadcasting.tell(detail::of_request);
  const Reached reached = co_await telling;
  Task<Handled> asking = broadcasting.ask(until);
  Handled handled = co_await asking;
  handled.observers = reached.reached;
  const bool was_sent = reached.reached + handled.rejections + handled.lost > 0 ||
                        handled.state != Handled::State::rejected;
  if (!was_sent) broadcasting.nobody_has_it();
  co_return handled;
}

Task<Replies> send_inquiry(Agent& agent, Broadcast what, rpc::Collect rule, Deadline deadline) {
  const Time until = deadline.at(agent.now());
  Broadcasting broadcasting(agent, std::move(what));
  Task<Reached> telling = broadcasting.tell(detail::of_request);
  const Reached reached = co_await telling;
  Task<Replies> inquiring = broadcasting.inquire(rule, until);
  Replies replies = co_await inquiring;
  replies.observers = reached.reached;
  if (replies.observers + replies.asked == 0) broadcasting.nobody_has_it();
  co_return replies;
}

}  // namespace coracle
