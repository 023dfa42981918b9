// The agent of a tuple space: it reads requests, lets its state decide, and sends the replies.
#include "coracle/tuple_space.hpp"

#include "coracle/typed.hpp"
#include "runtime/node/name_watch.hpp"
#include "runtime/node/node_core.hpp"
#include "tuple_space/space_state.hpp"

#include <algorithm>

namespace coracle {

using detail::EvalJob;
using detail::EvalOffer;
using detail::TupleNotice;
using detail::TupleRequest;
using detail::Wish;

TupleSpace::TupleSpace(TupleSpaceOptions options)
    : options_(options), state_(std::make_unique<State>(*this, options_)) {}

TupleSpace::~TupleSpace() {
  if (state_->outcomes) state_->outcomes->close();
}

void TupleSpace::on_given_back(const TupleFields&) {}

TupleSpaceCounts TupleSpace::counts() const noexcept {
  TupleSpaceCounts counts = state_->counts;
  counts.tuples = state_->store.tuples();
  counts.lent = state_->store.lent();
  counts.waiting = state_->store.waiting();
  counts.evaluations = state_->board.open();
  return counts;
}

namespace {

constexpr std::size_t written_together = 256;  // requests
constexpr Duration full_disk_pause = std::chrono::milliseconds(200);

bool is_the_end(const Error& error) noexcept {
  return error.errc() == Errc::stopped || error.errc() == Errc::fenced;
}

}  // namespace

// A tuple in a reply that cannot be sent comes back by the reply's outcome; other replies concern
// nobody then.
Task<> TupleSpace::say(const Message& request, Content answer, std::uint32_t loan) {
  try {
    if (loan == no_loan) {
      co_await reply(request, std::move(answer));
    } else {
      const Time until = now() + options_.answer_within;
      co_await detail::reply_tracked(*this, request, std::move(answer), state_->outcomes, loan,
                                     until);
    }
  } catch (const Error& error) {
    if (is_the_end(error)) throw;
  }
}

// Makes the main task look again.
Task<> TupleSpace::wake() {
  try {
    co_await send(self(), Content(), state_->wake);
  } catch (const Error& error) {
    if (is_the_end(error)) throw;  // otherwise its mailbox is full: it looks anyway
  }
}

// Handles messages that are no requests: an evaluator's offer or result, or a wake-up from this
// agent.
void TupleSpace::take_in(const Message& message) {
  State& state = *state_;
  if (message.conversation() == state.wake || state.take_in(message)) return;
  const Content content = message.content();
  EvalOffer offer = content.as<EvalOffer>();
  const Name who = message.source().name();
  if (state.board.evaluators() + state.joining.size() >= options_.evaluators) return;
  if (!state.joining.emplace(who, offer.life).second) return;
  spawn(keep_evaluator(who, std::move(offer)));
}

// Keeps an evaluator on the board until it ends: only an evaluator that is watched gets jobs.
Task<> TupleSpace::keep_evaluator(Name who, EvalOffer offer) {
  detail::NameWatch watch(*detail::Worker::current(), who);
  co_await watch.begin();
  (void)co_await watch.seen(Deadline(options_.offer_within));  // news may be slower than the offer
  state_->joining.erase({who, offer.life});
  if (!watch.here()) co_return;
  state_->lose(who);  // an earlier incarnation
  state_->board.offer(who, offer.life, std::max<std::uint32_t>(offer.at_once, 1), offer.functions);
  state_->offers_changed = true;
  co_await wake();
  co_await watch.ending();
  if (!state_->board.knows(who, offer.life)) co_return;
  state_->lose(who);
  co_await wake();
}

Task<> TupleSpace::give_out_jobs() {
  while (auto turn = state_->board.next()) {
    EvalJob job;
    job.life = turn->life;
    job.job = turn->job.id;
    job.function = std::move(turn->job.function);
    job.arguments = std::move(turn->job.arguments);
    const Content content = Content::of(std::move(job));
    try {
      detail::Sending sending = send(turn->evaluator, content);
      sending.patience(Duration::zero());
      co_await sending;
    } catch (const Error& error) {
      if (is_the_end(error)) throw;
      state_->lose(turn->evaluator);  // the evaluator offers again when it has read its mailbox
    }
  }
}

// Sends the replies and notices that are due to waiters.
Task<> TupleSpace::give(std::uint32_t first) {
  State& state = *state_;
  for (std::size_t i = first; i < state.grants.size(); ++i) {
    detail::Grant grant = std::move(state.grants[i]);
    if (grant.wish != Wish::notice) {
      Message request = std::move(state.askers[grant.whose].request);
      state.free_askers.push_back(grant.whose);
      co_await say(request, std::move(grant.tuple), grant.loan);
      continue;
    }
    State::Asker& asker = state.askers[grant.whose];
    const Address listener = asker.listener;
    TupleNotice notice;
    notice.missed = std::exchange(asker.missed, 0);
    notice.fields = grant.tuple.as<TupleRequest>().fields;
    const std::uint64_t missed = notice.missed;
    const Content content = Content::of(std::move(notice));
    bool is_missed = false;
    try {
      detail::Sending sending = send(listener, content, asker.conversation);
      sending.patience(Duration::zero());
      co_await sending;
    } catch (const Error& error) {
      if (is_the_end(error)) throw;
      is_missed = true;
    }
    if (is_missed) state.askers[grant.whose].missed += missed + 1;
  }
  state.grants.clear();
}

Task<> TupleSpace::settle_all() {
  State& state = *state_;
  state.woken = false;
  const bool is_time = state.next_end() != Time::max() && state.next_end() <= now();
  if (is_time || state.offers_changed || !state.came_back.empty()) state.advance(now());
  if (!state.grants.empty()) co_await give(0);
  while (!state.answers.empty()) {
    auto all = std::exchange(state.answers, {});
    for (auto& [request, answer] : all) {
      co_await say(request, std::move(answer.content), answer.loan);
    }
  }
  co_await give_out_jobs();
}

// Makes the keeper, if there is one, write the changes.
Task<> TupleSpace::save() {
  for (;;) {
    const Result<void> saved = state_->save();
    if (saved) co_return;
    if (saved.error().errc() != Errc::disk_full) throw saved.error();
    co_await pause(full_disk_pause);
  }
}

// With a keeper: handles the messages that wait meanwhile together, so that one write serves all.
// The replies come after the write.
void TupleSpace::take_in_all(Message message) {
  std::optional<Message> next(std::move(message));
  for (std::size_t count = 0; next; ++count) {
    if (next->is_request()) {
      SpaceAnswer answer = state_->handle(*next);
      if (answer.now) state_->answers.emplace_back(std::move(*next), std::move(answer));
    } else {
      take_in(*next);
    }
    next.reset();
    if (count + 1 < written_together) next = try_receive();
  }
}

Task<> TupleSpace::work_as_space() {
  State& state = *state_;
  state.recover();
  state.wake = new_conversation();
  state.outcomes = std::make_shared<detail::ReplyOutcomes>(*this, &State::on_outcome, state_.get());
  for (;;) {
    const Time next = state.came_back.empty() ? state.next_end() : now();
    std::optional<Message> message;
    if (next == Time::max()) message = co_await receive();
    else message = co_await receive(Deadline(next));
    if (message && options_.keeper) {
      take_in_all(std::move(*message));
    } else if (message && message->is_request()) {
      SpaceAnswer answer = state.handle(*message);
      if (answer.now && answer.loan != no_loan) {
        co_await say(*message, std::move(answer.content), answer.loan);
      } else if (answer.now) {
        try {  // not in a function of its own: every tuple pays for this
          co_await reply(*message, std::move(answer.content));
        } catch (const Error& error) {
          if (is_the_end(error)) throw;
        }
      }
    } else if (message) {
      take_in(*message);
    }
    message.reset();
    if (options_.keeper) co_await save();
    if (!state.is_settled()) co_await settle_all();
    if (options_.keeper) co_await save();
  }
}

}  // namespace coracle
