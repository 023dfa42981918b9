// The sender's side of broadcasts. Each worker has all patterns, so the sender's worker decides
// which agents receive a broadcast.
#include "broadcast/inquiring.hpp"
#include "broadcast/words.hpp"
#include "coracle/broadcast.hpp"
#include "coracle/detail/access.hpp"
#include "coracle/support/error_texts.hpp"
#include "coracle/support/mutations.hpp"
#include "coracle/typed.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/sending/fan_out.hpp"

#include <algorithm>

namespace coracle {

using detail::AskingOne;
using detail::BroadcastFailure;
using detail::BroadcastWords;
using detail::fields_of;
using detail::here;
using detail::Interested;
using detail::Mailbox;
using detail::MessageRecord;
using detail::Worker;

namespace {

struct FreeRecord {
  void operator()(MessageRecord* record) const noexcept { detail::free_record(record); }
};
using OwnRecord = std::unique_ptr<MessageRecord, FreeRecord>;

// Returns whether another handler may be asked after one ended with this error.
bool may_ask_another(Errc errc) noexcept {
  switch (errc) {
    case Errc::refused:
    case Errc::peer_down:
    case Errc::agent_failed:
    case Errc::unanswered:
    case Errc::undeliverable:
    case Errc::dropped:
    case Errc::store_lost:
    case Errc::mailbox_full:
    case Errc::absent_full:
    case Errc::not_permitted:
    case Errc::expired:
      return true;
    default:
      return false;
  }
}

// Returns whether the error concerns the sender itself, whichever handler it asks.
bool is_ones_own(Errc errc) noexcept { return !may_ask_another(errc) && errc != Errc::deadlock; }

}  // namespace

const Name& whoever() {
  static const Name name("coracle/whoever");
  return name;
}

// One broadcast that is in progress.
class Broadcasting {
 public:
  Broadcasting(Agent& agent, Broadcast what)
      : agent_(agent), patience_(what.patience_), model_(detail::new_record()) {
    model_->source = model_->target = detail::Access::mailbox(agent);
    model_->content = what.content_.release();
    detail::OptionalFields& fields = fields_of(*model_);
    fields.target_name = whoever();
    fields.headers = std::move(what.headers_);
    fields.heard = std::make_shared<std::vector<detail::MetTap>>();
  }

  // Notifies all observers.
  Task<Reached> tell(std::string_view role) {
    Worker& worker = here(agent_);
    const std::vector<Interested> observers =
        worker.overhearing.registered.who(*model_, detail::observes);
    std::vector<MessageRecord*> records;
    records.reserve(observers.size());
    for (const Interested& one : observers) records.push_back(record_for(one, role));
    auto sending = detail::send_records(agent_, std::move(records), patience_);
    const std::vector<Result<void>> results = co_await sending;
    for (const Result<void>& result : results) {
      if (!result && !may_ask_another(result.error().errc()))
        throw detail::make_error(result.error().errc(), "send a broadcast as", agent_.name());
    }
    Reached reached;
    reached.interested = observers.size();
    reached.reached = static_cast<std::size_t>(
        std::count_if(results.begin(), results.end(), [](const auto& each) { return bool(each); }));
    co_return reached;
  }

  // Sends the request to one handler after the other.
  Task<Handled> ask(Time until) {
    Handled handled;
    for (;;) {
      const std::optional<Interested> one = next_handler();
      if (!one) co_return handled;
      const auto entry = co_await here(agent_).node().directory().look_up(one->who->name);
      if (!entry) continue;  // the handler has ended, and its node has not announced that yet
      const bool is_first = handled.lost == 0 || mutated(Mutation::again_not_said);
      MessageRecord* const record =
          question_for(*one, is_first ? detail::to_handle : detail::to_handle_again, until);
      AskingOne asking(agent_, record, deadline_of(until));
      AskingOne::End end = co_await asking;
      if (end.reply) {
        conclude(handled, std::move(*end.reply), one->who->name);
        co_return handled;
      }
      const bool over = end.errc == Errc::expired && agent_.now() >= until;
      if (over || !may_ask_another(end.errc)) throw asking.as_error();
      if (end.errc == Errc::refused) ++handled.rejections;
      if (end.errc == Errc::refused && mutated(Mutation::rejection_is_final)) co_return handled;
      const bool is_lost = end.errc == Errc::peer_down || end.errc == Errc::agent_failed ||
                           end.errc == Errc::unanswered;
      if (is_lost) ++handled.lost;
      handled.reason = end.text.empty() ? asking.as_error().sentence() : end.text;
      handled.by = one->who->name;
    }
  }

  // Sends the request to all handlers at once.
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

  // Sends eavesdroppers their copies of a broadcast in which no agent was interested.
  void nobody_has_it() {
    here(agent_).overhearing.let_overhear(*detail::Access::mailbox(agent_), *model_);
  }

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
    for (Interested& one : here(agent_).overhearing.registered.who(*model_, detail::handles)) {
      if (one.who == detail::Access::mailbox(agent_)) continue;
      if (std::find(asked_.begin(), asked_.end(), one.who) != asked_.end()) continue;
      asked_.push_back(one.who);
      return std::move(one);
    }
    return std::nullopt;
  }

  MessageRecord* record_for(const Interested& one, std::string_view role) {
    MessageRecord* const record = detail::clone_record(*model_);
    record->target = one.who;
    BroadcastWords words;
    words.role = role;
    words.ids = one.ids;
    record->fields->headers.emplace_back(detail::broadcast_header, detail::written(words));
    return record;
  }

  MessageRecord* question_for(const Interested& one, std::string_view role, Time until) {
    MessageRecord* const record = record_for(one, role);
    record->flags = detail::request_flag;
    record->fields->deadline = until;
    return record;
  }
  static Deadline deadline_of(Time until) {
    return until == Time::max() ? Deadline::never() : Deadline(until);
  }

  Agent& agent_;
  const Deadline patience_;
  const OwnRecord model_;
  std::vector<Mailbox*> asked_;
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
