#include "directory_client.hpp"

#include "directory_call.hpp"
#include "realizations/net/src/society/home/advice.hpp"
#include "realizations/net/src/society/home/connectivity.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

namespace {

constexpr std::uint64_t largest_answer = std::uint64_t{4} << 20;
// The time for which an old service may not have announced a node that the service before it knew.
constexpr Duration missing_patience = std::chrono::seconds(10);

// A connection that is gone for longer is not expected to be back at once.
constexpr Duration short_break = std::chrono::seconds(1);

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

DirectoryClient::DirectoryClient(NodeConnectivity& connectivity, NodeEvents& events,
                                 std::vector<std::string> own_endpoints)
    : connectivity_(connectivity),
      events_(events),
      own_endpoints_(std::move(own_endpoints)),
      channel_(connectivity.turn(), largest_answer),
      candidates_(connectivity, *this),
      missing_(connectivity.alarms().make([this] { forget_missing(); })),
      gate_(connectivity.log()) {}

DirectoryClient::~DirectoryClient() = default;

void DirectoryClient::leave() { candidates_.leave(); }

void DirectoryClient::on_search() { connectivity_.before_look(); }

std::optional<NodeInfo> DirectoryClient::node_of(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  const NodeInfo* const info = replica_.node_of(lease);
  if (info == nullptr) return std::nullopt;
  return *info;
}

bool DirectoryClient::has_ended(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  return replica_.has_ended(lease);
}

// The node learns at once that its lease is not known any more, and opens another.
void DirectoryClient::renounce(LeaseId lease) {
  if (lease == 0 || lease != own_) return;
  {
    const std::lock_guard lock(mutex_);
    replica_.end_lease(std::exchange(own_, 0));
  }
  events_.on_nodes();
  tell();
}

// ── asking ──────────────────────────────────────────────────────────────────────────────────────

Task<Answer> DirectoryClient::wait_for(CallPtr call) {
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

void DirectoryClient::submit(CallPtr call) {
  if (call->is_of_group()) {
    if (unanswered_ >= most_unanswered) return held_.push_back(std::move(call));
    ++unanswered_;
  }
  const std::uint64_t number = ++last_call_;
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(call->request));
  out.number(number);
  frame.insert(frame.end(), call->arguments.begin(), call->arguments.end());
  // The lease of a node without a connection ends by itself.
  if (call->request == Request::close_lease && is_cut_off()) return give_up(*call);
  calls_.emplace(number, std::move(call));
  if (is_attached_) channel_.send(frame);  // else all frames are sent when it is
}

// Returns all requests without an answer for which a caller waits.
std::vector<DirectoryClient::CallPtr> DirectoryClient::take_calls() {
  std::vector<CallPtr> calls;
  for (auto& [number, call] : std::exchange(calls_, {})) {
    if (call) calls.push_back(std::move(call));
  }
  for (CallPtr& call : std::exchange(held_, {})) calls.push_back(std::move(call));
  unanswered_ = 0;
  return calls;
}

bool DirectoryClient::is_cut_off() const {
  if (!is_attached_ || channel_.link() == nullptr) return true;
  const net::Session& session = channel_.link()->session();
  return !session.is_open() && connectivity_.clock().now() - session.last_heard() >= short_break;
}

void DirectoryClient::give_up(Call& call) {
  const std::lock_guard lock(call.mutex);
  call.answer.emplace().error = no_answer(connectivity_.service(), Duration::zero(), call.fault);
  call.signal.set();
}

void DirectoryClient::answered(FrameReader& in) {
  const std::uint64_t number = in.number();
  Answer answer = read_answer(in);
  const auto found = calls_.find(number);
  if (!in.ok() || found == calls_.end()) return in.fail();
  const CallPtr call = std::move(found->second);
  calls_.erase(found);
  if (!call) return;  // nobody waits for the answer
  if (call->is_of_group()) {
    --unanswered_;
    submit_held();
  }
  if (call->request == Request::open_lease && !answer.error) own_ = answer.value;
  {
    const std::lock_guard lock(call->mutex);
    if (call->abandoned) return undo(*call, answer);
    call->answer = std::move(answer);
  }
  call->signal.set();
}

// Submits held requests, but skips those whose callers have given up.
void DirectoryClient::submit_held() {
  while (!held_.empty() && unanswered_ < most_unanswered) {
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
void DirectoryClient::undo(const Call& call, const Answer& answer) {
  if (answer.error || (call.request != Request::claim && call.request != Request::take_over))
    return;
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Request::leave));
  out.number(++last_call_);
  out.text(call.name.view());
  write(out, life_of_number(answer.value));
  write(out, Ending());
  calls_.emplace(last_call_, nullptr);
  channel_.send(frame);
}

void DirectoryClient::on_fault(const net::Closing& why, const net::Link* link) {
  // Faults of unknown clients here are no sign of trouble with the directory.
  if (!candidates_.on_fault(link) || is_attached_) return;
  for (auto& [number, call] : calls_) {
    if (!call) continue;
    const std::lock_guard lock(call->mutex);
    call->fault = why.sentence;
  }
  if (!is_final(why.reason) || was_attached_ || !candidates_.have_all_failed()) return;
  Answer refused;
  refused.error.emplace(
      Errc::not_permitted,
      "the " + connectivity_.service() + " of the society refuses this node: " + with_advice(why));
  for (const CallPtr& call : take_calls()) {
    const std::lock_guard lock(call->mutex);
    call->answer = refused;
    call->signal.set();
  }
}

// ── the session ─────────────────────────────────────────────────────────────────────────────────

void DirectoryClient::on_arrived(const net::Arrived& message) {
  if (!read(message)) {
    channel_.link()->session().close(net::Reason::malformed,
                                     "the directory sent a frame that cannot be understood");
    return;
  }
  channel_.release(message.bytes());
}

bool DirectoryClient::read(const net::Arrived& message) {
  if (is_besides(message)) return events_.on_besides(message);
  const FrameChannel::Got got = channel_.take(message);
  if (got != FrameChannel::Got::frame) return got == FrameChannel::Got::part;
  FrameReader in(channel_.head());
  return take(in) && in.ok() && in.at_end();
}

void DirectoryClient::on_credit() {
  if (channel_.on_credit()) events_.on_room();
}

bool DirectoryClient::take(FrameReader& in) {
  using Kind = DirectoryEvent::Kind;
  switch (static_cast<Told>(in.byte())) {
    case Told::answer:
      answered(in);
      return true;
    case Told::lease_opened: {
      NodeInfo info = read_node_info(in);
      if (!in.ok()) return false;
      last_generation_ = std::max(last_generation_, info.lease >> 32);
      gate_.on_lease(info);
      {
        const std::lock_guard lock(mutex_);
        replica_.lease_opened(info);
      }
      events_.on_nodes();
      tell();
      return true;
    }
    case Told::event: {
      std::optional<Entry> entry;
      const DirectoryEvent event = read_event(in, entry);
      if (!in.ok()) return false;
      if (event.kind == Kind::lease_ended && event.lease == all_missing) {
        if (is_told_) forget_missing();
        return true;
      }
      if (entry) gate_.on_name(entry->lease, entry->name);
      if (event.kind == Kind::lease_ended) gate_.on_lease_ended(event.lease);
      {
        const std::lock_guard lock(mutex_);
        replica_.apply(event, std::move(entry));
      }
      if (event.kind == Kind::lease_ended) events_.on_nodes();
      const bool is_of_group = event.kind == Kind::joined || event.kind == Kind::left;
      if (is_of_group && is_told_) say_seen();
      tell();
      return true;
    }
    case Told::all_told:
      missing_->set(was_attached_ ? connectivity_.clock().now() + missing_patience : Time::max());
      is_told_ = was_attached_ = true;
      groups_seen_ = 0;
      return true;
    case Told::older: {
      const HeardOf older = read_heard_of(in);
      if (!in.ok()) return false;
      connectivity_.heard_of(older);
      return true;
    }
    case Told::census:
    case Told::audit:
      return false;  // the answer was not requested
    case Told::policy: {
      const std::uint64_t version = in.number();
      const std::string_view text = in.text();
      has_policy_.store(version != no_policy);
      const std::lock_guard lock(mutex_);
      return in.ok() && gate_.on_policy(text.empty() ? no_policy : version, text, replica_);
    }
  }
  return false;
}

// The service may wait until all nodes know of a change. Changes before `all_told` are not waited
// for, and not counted.
void DirectoryClient::say_seen() {
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Request::seen));
  out.number(0);
  out.number(++groups_seen_);
  channel_.send(frame);
}

// Removes everything that the service has not announced again.
void DirectoryClient::forget_missing() {
  {
    const std::lock_guard lock(mutex_);
    replica_.forget_stale();
  }
  events_.on_nodes();
  tell();
}

void DirectoryClient::tell() {
  std::unique_lock lock(mutex_);
  replica_.watches().tell(lock);
}

void DirectoryClient::on_open(net::Opening how) {
  if (how != net::Opening::resumed || !is_attached_) attach();
}

void DirectoryClient::on_use(net::Link* link) {
  if (link != nullptr && is_attached_) say_moved();
  is_attached_ = false;
  channel_.bind(link);
  if (link != nullptr) return attach();
  events_.on_service();
}

// Sends `moved` to the service that is no longer used.
void DirectoryClient::say_moved() {
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Request::moved));
  out.number(0);
  channel_.send(frame);
  channel_.link()->flush();
}

// Starts anew: unanswered requests are sent to this service. The service refuses those that need a
// lease that it does not know.
void DirectoryClient::attach() {
  is_attached_ = true;
  is_told_ = false;
  channel_.bind(channel_.link());
  events_.on_service();
  if (was_attached_) {
    const std::lock_guard lock(mutex_);
    replica_.begin_again();
  }
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Request::attach));
  out.number(0);
  out.number(last_generation_);
  channel_.send(frame);
  for (CallPtr& call : take_calls()) submit(std::move(call));
  renounce(own_);
}

}  // namespace coracle::society
