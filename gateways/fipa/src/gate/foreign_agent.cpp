#include "gate/foreign_agent.hpp"

#include "coracle/errors.hpp"

#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace coracle::fipa {

namespace {

// The requests of our agents that wait for an answer of one foreign agent. Beyond it, the oldest
// one ends without an answer.
constexpr std::size_t most_asked = 1000;

// The messages that wait for room in mailboxes, and the bytes of their contents. Beyond it, they
// come back as failures.
constexpr std::size_t most_waiting = 1024;
constexpr std::size_t most_waiting_bytes = std::size_t{16} << 20;

std::size_t size_of(const acl::Message& message) noexcept { return bytes_of(message).size(); }

// The reason why a message was not delivered, for another platform: it names nobody here.
const char* reason_of(Errc problem) noexcept {
  switch (problem) {
    case Errc::mailbox_full:
    case Errc::absent_full:
    case Errc::deadlock:
      return no_room;
    case Errc::not_permitted:
      return "Not authorized: the society does not permit this message";
    case Errc::too_large:
      return "Service error: the message is larger than agents accept here";
    default:
      return "Service error: the message could not be delivered";
  }
}

// The message of FIPA that a content is: text and bytes are informed.
acl::Message message_in(const Content& content) {
  if (const auto* message = content.try_as<acl::Message>()) return *message;
  acl::Message made;
  made.performative = acl::Performative::inform;
  if (content.type() == "text/plain") {
    made.content = std::string(content.text());
    return made;
  }
  const auto bytes = content.bytes();
  made.content = Bytes(bytes.begin(), bytes.end());
  made.user.emplace_back("coracle-type", content.type());
  return made;
}

}  // namespace

Task<> ForeignAgent::run() {
  for (;;) {
    Message message = co_await receive();
    if (message.source() != gate_) {
      Task<> passing = pass(std::move(message));
      co_await passing;
      continue;
    }
    const Content content = message.content();
    if (content.try_as<End>() != nullptr) co_return;
    if (const auto* const properties = content.try_as<Describe>()) {
      Properties all;
      for (const auto& [key, value] : properties->properties) all.set(key, value);
      Task<> describing = describe(std::move(all));
      co_await describing;
      continue;
    }
    if (const auto* const what = content.try_as<Deliver>()) {
      Task<> delivering = deliver(*what);
      co_await delivering;
    } else if (const auto* const failed = content.try_as<Failed>()) {
      Task<> failing = fail(*failed);
      co_await failing;
    }
  }
}

std::uint64_t ForeignAgent::request_of(std::string_view id) const noexcept {
  if (!id.starts_with(requests_)) return 0;
  id.remove_prefix(requests_.size());
  std::uint64_t number = 0;
  const auto read = std::from_chars(id.data(), id.data() + id.size(), number);
  return read.ec == std::errc() && read.ptr == id.data() + id.size() ? number : 0;
}

Task<> ForeignAgent::send_to_gate(Content content) {
  for (;;) {
    const Result<void> sent = co_await send_result(gate_.name(), content);
    if (sent) co_return;
    const Errc why = sent.error().errc();
    if (why == Errc::stopped || why == Errc::fenced) throw Error(sent.error());
    if (why != Errc::mailbox_full && why != Errc::deadlock) co_return;
  }
}

Task<> ForeignAgent::pass(Message message) {
  Passed passed{message.source().name().str(), message_in(message.content())};
  if (passed.message.receivers.empty()) passed.message.receivers = {{.name = id_}};
  if (message.is_request()) {
    // The answer repeats reply_with, whatever it is; ours belongs to this request alone.
    Asked asked{std::move(message), std::move(passed.message.reply_with)};
    passed.message.reply_with = requests_ + std::to_string(++last_);
    asked_.emplace(last_, std::move(asked));
    if (asked_.size() > most_asked) asked_.erase(asked_.begin());
  }
  Task<> sending = send_to_gate(Content::of(std::move(passed)));
  co_await sending;
}

Task<> ForeignAgent::deliver(const Deliver& what) {
  const auto asked = asked_.find(request_of(what.message.in_reply_to));
  if (asked == asked_.end() || asked->second.request.source().name().view() != what.to)
    return send_in_order(what);
  return answer(asked, what);
}

// Its answer repeats the identifier that the request had. An agree is no answer yet.
Task<> ForeignAgent::answer(Requests::iterator asked, Deliver what) {
  what.message.in_reply_to = asked->second.reply_with;
  if (what.message.performative == acl::Performative::agree) {
    Task<> sending = send_in_order(what);
    co_await sending;
    co_return;
  }
  const Message request = std::move(asked->second.request);
  asked_.erase(asked);
  std::optional<Error> problem;
  try {
    const Content content = Content::of(what.message);
    co_await reply(request, content);
  } catch (const Error& error) {
    problem = error;
  }
  if (!problem) co_return;
  Task<> reporting = report(std::move(what), *problem);
  co_await reporting;
}

// Another target's full mailbox does not hold it up, nor does its own one hold up others.
Task<> ForeignAgent::send_in_order(const Deliver& what) {
  const auto behind = waiting_.find(what.to);
  if (behind == waiting_.end()) {
    coracle::detail::Sending::AsResult sending = send_result(what.to, Content::of(what.message));
    if (sending.has_ended()) {
      const Result<void> sent = co_await sending;
      if (sent) co_return;
      Task<> reporting = report(what, sent.error());
      co_await reporting;
      co_return;
    }
    (void)sending.give_up();
  }
  const std::size_t bytes = size_of(what.message);
  if (waiting_messages_ >= most_waiting || waiting_bytes_ + bytes > most_waiting_bytes) {
    const Error full(Errc::mailbox_full, "too many messages wait already");
    Task<> reporting = report(what, full);
    co_await reporting;
    co_return;
  }
  ++waiting_messages_;
  waiting_bytes_ += bytes;
  waiting_[what.to].push_back(what);
  if (behind == waiting_.end()) spawn(send_waiting(what.to));
}

Task<> ForeignAgent::send_waiting(std::string to) {
  std::deque<Deliver>& queue = waiting_.at(to);
  while (!queue.empty()) {
    const Content content = Content::of(queue.front().message);
    const Result<void> sent = co_await send_result(to, content);
    --waiting_messages_;
    waiting_bytes_ -= size_of(queue.front().message);
    Deliver what = std::move(queue.front());
    queue.pop_front();
    if (sent) continue;
    Task<> reporting = report(std::move(what), sent.error());
    co_await reporting;
  }
  waiting_.erase(to);
}

// Tells the gate that a message was not delivered.
Task<> ForeignAgent::report(Deliver what, Error problem) {
  if (problem.errc() == Errc::stopped || problem.errc() == Errc::fenced) throw problem;
  Task<> sending =
      send_to_gate(Content::of(Undelivered{std::move(what), reason_of(problem.errc())}));
  co_await sending;
}

Task<> ForeignAgent::fail(Failed what) {
  const auto asked = asked_.find(request_of(what.notice.in_reply_to));
  if (asked == asked_.end() || asked->second.request.source().name().view() != what.to) co_return;
  what.notice.in_reply_to = asked->second.reply_with;
  const Message request = std::move(asked->second.request);
  asked_.erase(asked);
  const Content content = Content::of(std::move(what.notice));
  try {
    co_await reply(request, content);
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    // Its agent waits no more.
  }
}

}  // namespace coracle::fipa
