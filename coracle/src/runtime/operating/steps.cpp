#include "steps.hpp"

#include "coracle/support/mutations.hpp"
#include "holds.hpp"
#include "runtime/node/node_core.hpp"

#include <utility>

namespace coracle::detail {

namespace {

constexpr unsigned most_steps = 64;  // by one node in a second

// A reply may show a hundred messages.
bool may_step_now(Peer& from, Time now) {
  if (from.has_no_room()) return false;
  if (now - from.steps_since >= std::chrono::seconds(1)) from.steps_since = now, from.steps = 0;
  return from.steps++ < most_steps || mutated(Mutation::steps_uncounted);
}

std::vector<std::byte> step_frame_of(const StepRequest& request) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(step_frame);
  write_step(out, request);
  return frame;
}

}  // namespace

std::shared_ptr<Steps::Open> Steps::send(LeaseId to, StepRequest request) {
  const auto open = std::make_shared<Open>(Open{to, Signal(), {}});
  open->reply.how = Stepped::silent;
  {
    const std::lock_guard lock(mutex_);
    request.token = open->reply.token = ++tokens_;
    open_.emplace(request.token, open);
  }
  peers_.send(to, step_frame_of(request));
  return open;
}

StepReply Steps::close(const Open& open) {
  const std::lock_guard lock(mutex_);
  open_.erase(open.reply.token);
  return open.reply;
}

void Steps::send_only(LeaseId to, StepRequest request) { peers_.send(to, step_frame_of(request)); }

void Steps::reply(LeaseId to, StepReply reply) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(stepped_frame);
  write_stepped(out, reply);
  peers_.reply(to, frame);
}

Task<> Steps::serve(Worker& at, LeaseId from, StepRequest request) {
  const HoldKey key{from, request.hold};
  StepReply answer;
  try {
    Task<StepReply> beginning =
        node_.holds().begin(at, key, std::move(request.pattern), request.options);
    answer = co_await beginning;
  } catch (const Error&) {
    co_return;  // the node stops
  }
  answer.token = request.token;
  reply(from, std::move(answer));
}

bool Steps::read(Worker& at, Peer& from, FrameReader& in) {
  StepRequest request = read_step(in);
  if (!in.ok()) return false;
  const LeaseId by = mutated(Mutation::any_hold) ? node_.lease().id() : from.lease;
  const HoldKey key{by, request.hold};
  StepReply answer;
  if (request.ask == StepAsk::end) {
    answer = node_.holds().end(key);
  } else if (!may_step_now(from, at.now())) {
    answer.how = Stepped::busy;
  } else if (request.ask == StepAsk::hold) {
    run_detached(at, serve(at, from.lease, std::move(request)));
    return true;
  } else if (request.ask == StepAsk::look) {
    answer = node_.holds().look(key);
  } else {
    answer = node_.holds().release(key, request.numbers, request.to_end);
  }
  answer.token = request.token;
  reply(from.lease, std::move(answer));
  return true;
}

bool Steps::read_reply(Peer& from, FrameReader& in) {
  StepReply answer = read_stepped(in);
  if (!in.ok()) return false;
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(answer.token);
  if (found == open_.end()) return true;
  if (found->second->to != from.lease && !mutated(Mutation::any_stepped)) return true;
  if (found->second->reply.how != Stepped::silent) return true;
  found->second->reply = std::move(answer);
  found->second->done.set();
  return true;
}

}  // namespace coracle::detail
