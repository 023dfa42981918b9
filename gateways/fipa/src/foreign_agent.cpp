#include "foreign_agent.hpp"

#include "coracle/errors.hpp"

#include <charconv>
#include <utility>

namespace coracle::fipa {

namespace {

// The requests of our agents that wait for an answer of one foreign agent. Beyond it, the oldest
// one ends without an answer.
constexpr std::size_t most_asked = 1000;

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
    const auto* const what = content.try_as<Deliver>();
    if (what == nullptr) continue;
    Task<> delivering = deliver(*what);
    co_await delivering;
  }
}

std::string ForeignAgent::id_of(std::uint64_t request) const {
  return name().str() + "-" + std::to_string(request);
}

// The number in such an identifier; zero for another text.
std::uint64_t ForeignAgent::request_of(std::string_view id) const noexcept {
  const std::size_t prefix = name().view().size() + 1;
  std::uint64_t number = 0;
  if (id.size() > prefix && id.starts_with(name().view()))
    std::from_chars(id.data() + prefix, id.data() + id.size(), number);
  return number;
}

Task<> ForeignAgent::pass(Message message) {
  Passed passed{message.source().name().str(), message_in(message.content())};
  if (passed.message.receivers.empty()) passed.message.receivers = {id_};
  if (message.is_request()) {
    // The answer repeats reply_with, whatever it is; ours belongs to this request alone.
    passed.message.reply_with = id_of(++last_);
    asked_.emplace(last_, std::move(message));
    if (asked_.size() > most_asked) asked_.erase(asked_.begin());
  }
  const Content content = Content::of(std::move(passed));
  co_await send(gate_, content);
}

Task<> ForeignAgent::deliver(const Deliver& what) {
  const auto asked = asked_.find(request_of(what.message.in_reply_to));
  std::string reason;
  try {
    const Content content = Content::of(what.message);
    if (asked != asked_.end() && asked->second.source().name().view() == what.to &&
        what.message.performative != acl::Performative::agree) {
      Message request = std::move(asked->second);
      asked_.erase(asked);
      co_await reply(request, content);
      co_return;
    }
    const Name to(what.to);
    co_await send(to, content);
    co_return;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    reason = error.sentence();
  }
  const Content undelivered = Content::of(Undelivered{what, reason});
  co_await send(gate_, undelivered);
}

}  // namespace coracle::fipa
