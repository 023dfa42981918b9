#include "tuple_space/space_state.hpp"

#include "coracle/detail/access.hpp"
#include "coracle/typed.hpp"

#include <algorithm>
#include <bit>

namespace coracle {

using detail::TupleAct;
using detail::TupleAnswer;
using detail::TupleRequest;
using detail::TupleVerdict;
using detail::Wish;

namespace {

// An upper limit of the bytes by which an encoding is longer than its content.
constexpr std::size_t encoding_more = 256;
constexpr std::size_t remembered_requests = 65536;

Content verdict(TupleVerdict what, std::uint64_t ticket = 0) {
  TupleAnswer answer;
  answer.verdict = what;
  answer.ticket = ticket;
  return Content::of(std::move(answer));
}

std::size_t bytes_of(const TupleFields& fields) noexcept {
  std::size_t sum = 0;
  for (const TupleField& field : fields) {
    sum += 8;
    if (const auto* text = std::get_if<std::string>(&field)) sum += text->size();
    if (const auto* bytes = std::get_if<std::vector<std::byte>>(&field)) sum += bytes->size();
  }
  return sum;
}

bool is_open(const TupleField& field) noexcept { return std::holds_alternative<OpenField>(field); }

void check_open(const OpenField& open) {
  if (open.kind > FieldKind::bytes || open.width > 8 || !std::has_single_bit(open.width)) {
    throw Error(Errc::bad_encoding,
                "a pattern leaves a field open for a type that does not exist; use a Space");
  }
}

}  // namespace

Content tuple_failure(Errc errc, std::string text) {
  TupleAnswer answer;
  answer.verdict = TupleVerdict::failed;
  answer.errc = static_cast<std::int32_t>(errc);
  answer.text = std::move(text);
  return Content::of(std::move(answer));
}

Time TupleSpace::State::end_of(std::int64_t span) const {
  return span < 0 ? Time::max() : Deadline(Duration(span)).at(space.now());
}

void TupleSpace::State::check(const TupleRequest& what) const {
  if (what.act > TupleAct::end_notify) {
    throw Error(
        Errc::bad_encoding,
        "a tuple space received a request of an unknown kind; build both sides with the same "
        "version");
  }
  if (what.act == TupleAct::renew || what.act == TupleAct::end_notify) return;
  if (what.fields.empty() || what.fields.size() > max_tuple_fields) {
    throw Error(Errc::bad_encoding,
                "a tuple has 1 to 16 fields, not " + std::to_string(what.fields.size()));
  }
  const std::size_t bytes = bytes_of(what.fields);
  if (bytes > options.tuple_bytes) {
    throw Error(Errc::too_large,
                "a tuple of " + std::to_string(bytes) + " bytes is over the limit of " +
                    std::to_string(options.tuple_bytes) + " of '" + space.name().str() +
                    "'; send a large value in a message of its own");
  }
  const bool is_pattern = what.act != TupleAct::out && what.act != TupleAct::eval;
  for (const TupleField& field : what.fields) {
    if (!is_open(field)) continue;
    if (!is_pattern) {
      throw Error(Errc::wrong_type, "a tuple that is stored must have a value in each field: " +
                                        to_string(what.fields));
    }
    check_open(std::get<OpenField>(field));
  }
  if (what.act == TupleAct::eval && !std::holds_alternative<std::string>(what.fields.front())) {
    throw Error(Errc::wrong_type,
                "an evaluation begins with the name of a function: " + to_string(what.fields));
  }
}

SpaceAnswer TupleSpace::State::handle(Message& request) {
  const Content content = request.content();
  const std::string_view type = content.type();
  try {
    if (type != content_type_of<TupleRequest>()) {
      throw Error(Errc::wrong_type, "a tuple space accepts \"" +
                                        std::string(content_type_of<TupleRequest>()) +
                                        "\", not \"" + std::string(type) + "\"; use a Space");
    }
    if (!content.is_typed() && content.size() > options.tuple_bytes + encoding_more) {
      throw Error(Errc::too_large, "a request of " + std::to_string(content.size()) +
                                       " bytes is over the limit of '" + space.name().str() +
                                       "'; send a large value in a message of its own");
    }
    const auto& what = content.as<TupleRequest>();
    check(what);
    if (!came_back.empty() || store.next_end() != Time::max()) advance(space.now());
    return act(request, content, what);
  } catch (const Error& error) {
    ++counts.refused;
    return {true, tuple_failure(error.errc(), error.sentence())};
  }
}

SpaceAnswer TupleSpace::State::act(Message& request, const Content& content,
                                   const TupleRequest& what) {
  switch (what.act) {
    case TupleAct::out:
      if (comes_again(request)) return {};
      return out(request, content, what);
    case TupleAct::eval:
      if (comes_again(request)) return {};
      return eval(request, what);
    case TupleAct::notify:
      return listen(request, content, what);
    case TupleAct::renew:
      return {true, store.renew(what.ticket, end_of(what.span)) ? Content()
                                                                : verdict(TupleVerdict::none)};
    case TupleAct::end_notify:
      // Only a notification can be renewed, so that this request ends no other agent's wait.
      if (store.renew(what.ticket, Time::max())) {
        if (const auto slot = store.forget(what.ticket)) free_asker(*slot);
      }
      return {};
    default:
      return find(request, content, what);
  }
}

SpaceAnswer TupleSpace::State::out(const Message& request, const Content& content,
                                   const TupleRequest& what) {
  if (store.tuples() >= options.tuples || store.lent() >= options.tuples) {
    throw Error(Errc::limit_reached, "'" + space.name().str() + "' is full with " +
                                         std::to_string(store.tuples()) + " tuples; take some");
  }
  put_out(content, end_of(what.span), key_of(request));
  return {};
}

SpaceAnswer TupleSpace::State::find(Message& request, const Content& content,
                                    const TupleRequest& what) {
  const bool takes = what.act == TupleAct::in || what.act == TupleAct::inp;
  if (takes) {
    if (auto grant = store.take(what.fields)) return {true, std::move(grant->tuple), grant->loan};
  } else {
    if (auto tuple = store.read(what.fields)) return {true, std::move(*tuple)};
  }
  const bool waits = what.act == TupleAct::in || what.act == TupleAct::rd;
  if (!waits || what.span == 0) return {true, verdict(TupleVerdict::none)};
  if (store.waiting() >= options.waiting) {
    throw Error(Errc::limit_reached,
                "too many requests wait at '" + space.name().str() + "'; try later");
  }
  const std::uint32_t slot = new_asker();
  Asker& asker = askers[slot];
  asker.until = end_of(what.span);
  const Time until = std::min(asker.until, space.now() + options.ask_again);
  store.wait({content, &what.fields}, takes ? Wish::take : Wish::read, until, slot, what.ticket);
  asker.request = std::move(request);
  return {false, {}};
}

SpaceAnswer TupleSpace::State::listen(Message& request, const Content& content,
                                      const TupleRequest& what) {
  if (store.waiting() >= options.waiting) {
    throw Error(Errc::limit_reached,
                "too many requests wait at '" + space.name().str() + "'; try later");
  }
  const std::uint32_t slot = new_asker();
  askers[slot].listener = request.source();
  askers[slot].conversation = what.ticket;
  askers[slot].missed = 0;
  const detail::Age age =
      store.wait({content, &what.fields}, Wish::notice, end_of(what.span), slot);
  return {true, verdict(TupleVerdict::done, age)};
}

SpaceAnswer TupleSpace::State::eval(Message& request, const TupleRequest& what) {
  const auto& function = std::get<std::string>(what.fields.front());
  if (board.open() + unoffered.size() >= options.evaluations) {
    throw Error(Errc::limit_reached,
                "too many evaluations are open at '" + space.name().str() + "'; wait for some");
  }
  if (!board.offered(function)) {
    const Time until = Deadline(options.offer_within).at(space.now());
    unoffered.emplace_back(std::move(request), until);
    return {false, {}};
  }
  board.add(function, TupleFields(what.fields.begin() + 1, what.fields.end()));
  return {};
}

// Returns whether a request that was done before is redelivered; only requests of other nodes, or
// of a space with a keeper, can be.
bool TupleSpace::State::comes_again(const Message& request) {
  const bool is_foreign = (detail::Access::record(request)->flags & detail::foreign_flag) != 0;
  if (!is_foreign && !options.keeper) return false;
  return !remember(key_of(request)) && request.redelivered();
}

std::uint64_t TupleSpace::State::key_of(const Message& request) noexcept {
  return request.conversation() * 0x9e3779b97f4a7c15U ^ request.source().name().hash();
}

// Returns false when `key` was known.
bool TupleSpace::State::remember(std::uint64_t key) {
  if (!done.insert(key).second) return false;
  done_in_order.push_back(key);
  if (done_in_order.size() > remembered_requests) {
    done.erase(done_in_order.front());
    done_in_order.pop_front();
  }
  return true;
}

std::uint32_t TupleSpace::State::new_asker() {
  if (free_askers.empty()) {
    free_askers.push_back(static_cast<std::uint32_t>(askers.size()));
    askers.emplace_back();
  }
  const std::uint32_t slot = free_askers.back();
  free_askers.pop_back();
  return slot;
}

void TupleSpace::State::free_asker(std::uint32_t slot) { free_askers.push_back(slot); }

Message TupleSpace::State::take_request(std::uint32_t slot) {
  Message request = std::move(askers[slot].request);
  free_asker(slot);
  return request;
}

void TupleSpace::State::advance(Time now) {
  for (const auto& [loan, outcome] : std::exchange(came_back, {})) {
    ++counts.given_back;
    space.on_given_back(store.fields_of(loan));
    store.give_back(loan, now, grants);
  }
  for (const auto& expired : store.advance(now)) {
    if (expired.wish == Wish::notice) {
      free_asker(expired.whose);
      continue;
    }
    const bool over = askers[expired.whose].until <= now;
    SpaceAnswer answer;
    answer.content =
        over ? verdict(TupleVerdict::none) : verdict(TupleVerdict::ask_again, expired.age);
    answers.emplace_back(take_request(expired.whose), std::move(answer));
  }
  if (offers_changed || (!unoffered.empty() && unoffered.front().second <= now)) {
    look_at_unoffered(now);
  }
  counts.expired = store.expired();
}

void TupleSpace::State::look_at_unoffered(Time now) {
  offers_changed = false;
  std::deque<std::pair<Message, Time>> left;
  for (auto& [request, until] : std::exchange(unoffered, {})) {
    const Content content = request.content();
    const auto& fields = content.as<TupleRequest>().fields;
    const auto& function = std::get<std::string>(fields.front());
    SpaceAnswer answer;
    if (board.offered(function)) {
      board.add(function, TupleFields(fields.begin() + 1, fields.end()));
    } else if (until <= now) {
      ++counts.refused;
      answer.content = tuple_failure(Errc::refused, "nobody evaluates '" + function + "' for '" +
                                                        space.name().str() +
                                                        "'; start an Evaluator that offers it");
    } else {
      left.emplace_back(std::move(request), until);
      continue;
    }
    answers.emplace_back(std::move(request), std::move(answer));
  }
  unoffered = std::move(left);
}

Time TupleSpace::State::next_end() const noexcept {
  const Time first = unoffered.empty() ? Time::max() : unoffered.front().second;
  return std::min(first, store.next_end());
}

bool TupleSpace::State::is_settled() const noexcept {
  return grants.empty() && answers.empty() && came_back.empty() && !offers_changed &&
         !board.has_waiting() && next_end() == Time::max();
}

// --- evaluations ---

bool TupleSpace::State::take_in(const Message& message) {
  const Content content = message.content();
  if (const auto* offer = content.try_as<detail::EvalOffer>()) {
    const Name& who = message.source().name();
    if (!board.knows(who, offer->life)) return false;
    board.offer(who, offer->life, offer->at_once, offer->functions);
    offers_changed = true;
    return true;
  }
  const auto* result = content.try_as<detail::EvalDone>();
  if (result == nullptr) return true;
  const auto job = board.done(message.source().name(), result->life, result->job);
  if (!job) return true;  // the job has been given to another evaluator
  if (!result->failure.empty()) return fail_job(job->function, result->failure), true;
  if (result->tuple.empty()) return true;
  TupleRequest brought;
  brought.fields = result->tuple;
  try {
    check(brought);
  } catch (const Error& error) {
    return fail_job(job->function, error.sentence()), true;
  }
  put_out_result(Content::of(std::move(brought)));
  return true;
}

void TupleSpace::State::fail_job(const std::string& function, const std::string& why) {
  TupleRequest failure;
  failure.fields = {std::string("eval failed"), function, why};
  put_out_result(Content::of(std::move(failure)));
}

void TupleSpace::State::lose(const Name& evaluator) {
  for (const auto& job : board.lost(evaluator)) {
    fail_job(job.function,
             "too many evaluators ended while they worked on it; look at their "
             "errors");
  }
  counts.evaluated_again = board.given_again();
}

void TupleSpace::State::on_outcome(void* context, std::uint32_t loan, Outcome outcome) noexcept {
  auto& self = *static_cast<State*>(context);
  if (outcome == Outcome::consumed) {
    self.store.settle(loan);
    if (!self.store.has_gone()) return;
  } else {
    self.came_back.emplace_back(loan, outcome);
  }
  if (!std::exchange(self.woken, true)) self.space.spawn(self.space.wake());
}

}  // namespace coracle
