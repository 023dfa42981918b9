// Serves calls. The mailbox is the only queue: a call stays there until it may begin.
#include "coracle/detail/serving.hpp"

#include "coracle/detail/access.hpp"
#include "coracle/support/mutations.hpp"
#include "runtime/sending/fast_path.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

bool is_the_end(const Error& error) noexcept {
  return error.errc() == Errc::stopped || error.errc() == Errc::fenced;
}

// Returns whether the caller is known to wait no longer. A call that failed because it closed a
// circle of waiting agents must not begin the same circle again. Only callers of the same worker
// can be seen.
[[gnu::noinline]] bool has_given_up(const Message& call, Worker& worker) noexcept {
  const bool is_foreign = (Access::record(call)->flags & foreign_flag) != 0;
  if (!call.is_request() || is_foreign || Access::mailbox(call.source())->home.load() != &worker) {
    return false;
  }
  return worker.requests.find(call.conversation()) == nullptr;
}

bool is_given_up(const Message& call, Worker& worker) noexcept {
  return worker.requests.gave_up && has_given_up(call, worker);
}

}  // namespace

ServiceCore::ServiceCore(Agent& me, void* object, rpc::ServiceOptions options)
    : me_(me),
      object_(object),
      options_(options),
      calls_(that([this](const MessageView& message) { return wants(message); })) {
  if (options.at_once == 0)
    throw Error(Errc::bad_options, "ServiceOptions::at_once is 0; give at least 1");
}

bool ServiceCore::wants(const MessageView& message) const noexcept {
  const ContentBlock* const block = Access::record(message)->content;
  if (message.overheard() || block == nullptr) return false;
  const bool is_known = function_of(*block) != nullptr;
  if (is_known && busy_.empty()) [[likely]]
    return true;
  if (!is_known && !block->type().starts_with(rpc_prefix)) return false;
  return std::find(busy_.begin(), busy_.end(), message.source()) == busy_.end();
}

const Offered* ServiceCore::function_of(const ContentBlock& call) const noexcept {
  for (const Offered& each : functions_) {
    if (each.kind == call.kind) return &each;
  }
  return nullptr;
}

Task<> ServiceCore::run() {
  if (options_.at_once == 1) return serve_one_by_one();
  return serve_several();
}

Task<> ServiceCore::serve_one_by_one() {
  Receiving next(&me_, calls_);  // one object for all calls
  while (!retired_) {
    Message call = co_await next;
    const rpc::Incoming about(me_, call);
    Content answer;
    const AtOnce done = work_at_once(call, about, answer);
    if (done == AtOnce::answered) continue;
    if (done == AtOnce::no) {
      Handled handled = begin(call, about);
      if (handled.later) {
        // From here on, the caller is notified when this agent ends; no other agent begins the call
        // again.
        call.acknowledge();
        std::exception_ptr error;
        try {
          handled.answer = co_await handled.later;
          ++served_.answered;
        } catch (...) {
          error = std::current_exception();
        }
        if (error) handled.answer = outcome_of(error);
      }
      answer = std::move(handled.answer);
    }
    if (!call.is_request()) continue;
    try {  // not in a function of its own: every call pays for this
      co_await me_.reply(call, std::move(answer));
    } catch (const Error& failure) {
      if (is_the_end(failure)) throw;  // otherwise the caller is gone
    }
  }
}

// Takes one call after the other, so that calls begin in their order. A call that takes longer
// continues beside this loop; it wakes the loop when there is room, or when another call may be
// taken.
Task<> ServiceCore::serve_several() {
  wake_ = me_.new_conversation();
  const Match woken = in_conversation(wake_);
  const Match any = calls_ || woken;
  while (!retired_) {
    const Match which = working_ < options_.at_once ? any : woken;
    Message call = co_await me_.receive(which);
    if (call.conversation() == wake_ && call.source() == me_.self()) {
      is_woken_ = false;
      continue;
    }
    auto work = std::make_unique<Work>(me_, std::move(call));
    work->handled = begin(work->call, work->about);
    if (work->handled.later) {
      work->call.acknowledge();
      if (options_.turns == rpc::Turns::one_per_caller) busy_.push_back(work->call.source());
      ++working_;
      me_.spawn(finish(std::move(work)));
    } else if (work->call.is_request()) {
      co_await answer(work->call, std::move(work->handled.answer));
    }
  }
  while (working_ > 0 || is_woken_) {
    const Message finished = co_await me_.receive(woken);
    is_woken_ = false;
  }
}

Task<> ServiceCore::finish(std::unique_ptr<Work> work) {
  std::exception_ptr error;
  try {
    work->handled.answer = co_await work->handled.later;
    ++served_.answered;
  } catch (...) {
    error = std::current_exception();
  }
  if (error) work->handled.answer = outcome_of(error);
  if (work->call.is_request()) co_await answer(work->call, std::move(work->handled.answer));
  const auto mine = std::find(busy_.begin(), busy_.end(), work->call.source());
  if (mine != busy_.end()) busy_.erase(mine);
  const bool was_full = working_-- == options_.at_once;
  const bool frees_caller = options_.turns == rpc::Turns::one_per_caller;
  if (is_woken_ || (!was_full && !frees_caller && !retired_)) co_return;
  is_woken_ = true;
  // The send fails only when the mailbox is full and nobody waits: then the loop reads the mailbox
  // anyway.
  const Result<void> sent = co_await me_.send_result(me_.self(), Content(), wake_);
  if (!sent) is_woken_ = false;
}

Task<> ServiceCore::answer(const Message& call, Content content) {
  try {
    co_await me_.reply(call, std::move(content));
  } catch (const Error& error) {
    if (is_the_end(error)) throw;  // otherwise the caller is gone
  }
}

Content ServiceCore::failed(CallFault fault, std::string text) {
  if (fault == CallFault::refused) ++served_.refused;
  else if (fault == CallFault::too_late) ++served_.too_late;
  else ++served_.strange;
  return Content::of(CallFailure{fault, std::move(text)});
}

// An exception from a function goes to the caller; only the end of this agent is rethrown here.
Content ServiceCore::outcome_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    if (is_the_end(known)) throw;
    return failed(CallFault::refused, known.sentence());
  } catch (const std::exception& known) {
    return failed(CallFault::refused, known.what());
  } catch (...) {
    return failed(CallFault::refused, "an exception of an unknown type");
  }
}

// Handles most calls: nothing needs to be checked, and the function does not wait. Mostly the reply
// does not wait either.
ServiceCore::AtOnce ServiceCore::work_at_once(const Message& call, const rpc::Incoming& about,
                                              Content& answer) {
  Worker* const worker = Worker::current();
  if (worker == nullptr || call.redelivered() || about.expired() || is_given_up(call, *worker)) {
    return AtOnce::no;
  }
  ContentBlock* const block = Access::record(call)->content;
  const Offered* const function = function_of(*block);
  if (function == nullptr || function->answer == nullptr) return AtOnce::no;
  try {
    answer = function->answer(function->offer, object_, about, function->read(block));
    ++served_.answered;
  } catch (...) {
    answer = outcome_of(std::current_exception());
  }
  return reply_plain(*worker, me_, call, answer) ? AtOnce::answered : AtOnce::worked;
}

Handled ServiceCore::begin(const Message& call, const rpc::Incoming& about) {
  const auto no = [this](CallFault fault, std::string text) {
    return Handled{failed(fault, std::move(text)), {}, {}};
  };
  Worker* const worker = Worker::current();
  if (about.expired() || (worker != nullptr && is_given_up(call, *worker))) {
    return no(CallFault::too_late, "its caller no longer waited for it when its turn came");
  }
  // A redelivered call may have been done already; no call is done twice.
  if (call.redelivered() && !mutated(Mutation::call_begun_again))
    return no(CallFault::begun_before,
              "it was begun before, and may have been done; it is not done a second time");
  ContentBlock* const block = Access::record(call)->content;
  const Offered* function = function_of(*block);
  if (function == nullptr) {
    const std::string_view type = block->type();
    if (type == More::content_type) return go_on(call);
    if (type == Enough::content_type) return leave(call), Handled();
    for (const Offered& each : functions_) {
      if (each.content_type == type) function = &each;
    }
    if (function == nullptr) return no(CallFault::no_function, "'" + std::string(type) + "'");
  }
  const void* arguments = nullptr;
  try {
    arguments = function->read(block);
  } catch (const std::exception& error) {
    return no(CallFault::bad_arguments, error.what());
  }
  try {
    Handled handled = function->serve(function->offer, object_, about, call, arguments);
    if (handled.stream) {
      return open(call, std::move(handled.stream), handled.count);
    }
    if (!handled.later) ++served_.answered;
    return handled;
  } catch (...) {
    return {outcome_of(std::current_exception()), {}, {}};
  }
}

// --- streams ---

bool ServiceCore::has_room_for_stream() {
  if (streams_.size() < options_.streams) return true;
  const Time before = me_.now() - options_.stream_patience;
  std::erase_if(streams_, [&](const auto& each) {
    return !each.second.is_busy && each.second.since <= before;
  });
  return streams_.size() < options_.streams;
}

Handled ServiceCore::open(const Message& call, std::unique_ptr<OpenStream> stream,
                          std::uint32_t count) {
  if (!call.is_request()) return {};
  if (!has_room_for_stream()) {
    return {failed(CallFault::too_many, "it has as many streams open as it allows"), {}, {}};
  }
  const std::uint64_t number = ++last_stream_;
  streams_[number] = {call.source(), me_.now(), false, false, std::move(stream)};
  return {{}, pull(number, count), {}};
}

Handled ServiceCore::go_on(const Message& call) {
  const Content content = call.content();
  const auto* more = content.try_as<More>();
  if (more == nullptr)
    return {
        failed(CallFault::bad_arguments, "the request for more items cannot be decoded"), {}, {}};
  const auto found = streams_.find(more->stream);
  if (found == streams_.end() || found->second.caller != call.source() || found->second.is_busy) {
    return {failed(CallFault::no_stream,
                   "the stream was not read for too long, or has ended; call again"),
            {},
            {}};
  }
  return {{}, pull(more->stream, more->count), {}};
}

void ServiceCore::leave(const Message& call) {
  const Content content = call.content();
  const auto* enough = content.try_as<Enough>();
  const auto found = enough == nullptr ? streams_.end() : streams_.find(enough->stream);
  if (found == streams_.end() || found->second.caller != call.source()) return;
  if (found->second.is_busy) found->second.is_left = true;
  else streams_.erase(found);
}

Task<Content> ServiceCore::pull(std::uint64_t number, std::uint32_t count) {
  Kept& kept = streams_.at(number);
  kept.is_busy = true;
  bool ended = false;
  Content items;
  std::exception_ptr error;
  try {
    items = co_await kept.stream->pull(number, count, ended);
  } catch (...) {
    error = std::current_exception();
  }
  kept.is_busy = false;
  kept.since = me_.now();
  if (ended || error || kept.is_left) streams_.erase(number);
  if (error) std::rethrow_exception(error);
  co_return items;
}

}  // namespace coracle::detail
