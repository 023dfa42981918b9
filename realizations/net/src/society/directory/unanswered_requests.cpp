#include "unanswered_requests.hpp"

#include "realizations/net/src/society/home/connectivity.hpp"

#include <utility>

namespace coracle::society {

namespace {

Error no_answer(const std::string& service, Duration patience, const std::string& last_fault) {
  using std::chrono::milliseconds;
  const auto waited = std::chrono::duration_cast<milliseconds>(patience).count();
  const bool is_whole = waited % 1000 == 0;
  return Error(Errc::unreachable,
               "the " + service + " of the society has not answered for " +
                   std::to_string(is_whole ? waited / 1000 : waited) + (is_whole ? " s" : " ms") +
                   (last_fault.empty() ? std::string() : " (" + last_fault + ")") +
                   "; check that it runs and can be reached, then try again");
}

}  // namespace

Task<Answer> UnansweredRequests::answer_to(CallPtr call) {
  connectivity_.run([this, call] { submit(call); });
  bool came = false;
  std::exception_ptr stopped;
  try {
    came = co_await call->signal.wait(Deadline(call->patience));
  } catch (...) {
    stopped = std::current_exception();
  }
  Answer answer;
  {
    const std::lock_guard lock(call->mutex);
    if (call->answer) {
      answer = *std::move(call->answer);
    } else {
      call->abandoned = true;
      if (!came) answer.error = no_answer(connectivity_.service(), call->patience, call->fault);
    }
  }
  if (stopped && !answer.error && call->abandoned) std::rethrow_exception(stopped);
  co_return answer;
}

void UnansweredRequests::submit(CallPtr call) {
  if (call->is_of_group()) {
    if (group_changes_ >= most_unanswered) return held_.push_back(std::move(call));
    ++group_changes_;
  }
  const std::uint64_t number = ++last_number_;
  // The lease of a node without a connection ends by itself.
  if (call->request == Request::close_lease && channel_.is_cut_off(connectivity_.clock().now())) {
    call->settle(refusal(no_answer(connectivity_.service(), Duration::zero(), call->fault)));
    return;
  }
  const DirectoryCall& made = *calls_.emplace(number, std::move(call)).first->second;
  if (channel_.is_attached) channel_.send_request(made.request, number, made.arguments);
  // else send_anew() sends it
}

// Returns all requests for whose answer a caller waits, or has waited.
std::vector<UnansweredRequests::CallPtr> UnansweredRequests::take_all() {
  std::vector<CallPtr> calls;
  for (auto& [number, call] : std::exchange(calls_, {})) {
    if (call) calls.push_back(std::move(call));
  }
  for (CallPtr& call : std::exchange(held_, {})) calls.push_back(std::move(call));
  group_changes_ = 0;
  return calls;
}

void UnansweredRequests::send_anew() {
  for (CallPtr& call : take_all()) submit(std::move(call));
}

void UnansweredRequests::receive_answer(FrameReader& in) {
  const std::uint64_t number = in.number();
  Answer answer = read_answer(in);
  const auto found = calls_.find(number);
  if (!in.ok() || found == calls_.end()) return in.fail();
  const CallPtr call = std::move(found->second);
  calls_.erase(found);
  if (!call) return;  // nobody waits for the answer
  call->note(answer);
  if (call->is_of_group()) {
    --group_changes_;
    submit_held();
  }
  if (call->request == Request::open_lease && !answer.error) own_lease_ = answer.value;
  if (!call->settle(answer)) give_back(*call, answer);
}

// Submits held requests, but skips those whose callers have given up.
void UnansweredRequests::submit_held() {
  while (!held_.empty() && group_changes_ < most_unanswered) {
    const CallPtr call = std::move(held_.front());
    held_.pop_front();
    {
      const std::lock_guard lock(call->mutex);
      if (call->abandoned) continue;
    }
    submit(call);
  }
}

// Gives a name back that came too late, because its caller waits no more.
void UnansweredRequests::give_back(const DirectoryCall& call, const Answer& answer) {
  if (answer.error || (call.request != Request::claim && call.request != Request::take_over))
    return;
  Bytes fields;
  FrameWriter out(fields);
  out.text(call.name.view());
  write(out, life_of_number(answer.value));
  write(out, Ending());
  calls_.emplace(++last_number_, nullptr);
  channel_.send_request(Request::leave, last_number_, fields);
}

void UnansweredRequests::note_fault(const std::string& fault) {
  for (const auto& [number, call] : calls_) {
    if (!call) continue;
    const std::lock_guard lock(call->mutex);
    call->fault = fault;
  }
}

void UnansweredRequests::refuse_all(const Error& why) {
  for (const CallPtr& call : take_all()) call->settle(refusal(why));
}

}  // namespace coracle::society
