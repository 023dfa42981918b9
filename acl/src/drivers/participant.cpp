#include "coracle/acl/participant.hpp"

#include "drivers/correspondence.hpp"

#include "coracle/acl/ontology/management_error.hpp"
#include "coracle/acl/sl/level.hpp"
#include "coracle/acl/sl/text.hpp"
#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace coracle::acl {

namespace {

using Act = Performative;

constexpr Duration longest_wait = std::chrono::hours(24);

// From a participant to itself: look again whether to end.
struct Nudge {
  static constexpr std::string_view content_type = "coracle/acl/nudge/v1";

  bool again = true;
};

// The reason as content, if the conversation's language is SL.
Body body_of(const management::Reason& reason, const Message& message) {
  if (!sl::level_of_language(message.language)) return {};
  return to_text(std::vector<sl::Term>{to_term(reason)});
}

// The messages for the loop: those of FIPA, but not those of conversations that the agent itself
// has begun.
Match for_loop(OwnConversations own) {
  return addressed() && that([own = std::move(own)](const MessageView& message) {
           const Content content = message.content();
           if (content.type() == Nudge::content_type) return true;
           if (content.type() != Message::content_type) return false;
           // One that cannot be decoded is read, so that it does not stay in the mailbox.
           const auto* found = content.try_as<Message>();
           return found == nullptr || own->count(found->conversation_id) == 0;
         });
}

}  // namespace

class Participant::Impl {
 public:
  Impl(Settings chosen, Participations::Limits most) : settings(std::move(chosen)), limits(most) {}

  Settings settings;
  Participations::Limits limits;
  OwnConversations own = std::make_shared<std::set<std::string>>();
  std::optional<Participations> sessions;  // when the agent has its name
  // A task that waits in a talk may be destroyed after this object.
  std::unordered_map<const Session*, std::shared_ptr<Talk>> talks;
  bool is_retired = false;
  bool is_acting = true;
};

// --- one conversation ---

Talk::Talk(Participant& owner, Session& session) noexcept
    : owner_(owner), session_(session), timer_(owner) {}

void Talk::take(const Message& message) {
  if (waiting_.size() < waiting_limit) waiting_.push_back(message);
  else session_.end(Outcome::closed);
  timer_.cancel();
}

Task<bool> Talk::pass(Message message) {
  std::vector<Initiation::Outgoing> messages(1);
  messages[0].message = std::move(message);
  Task<std::vector<std::size_t>> sending = send_all(owner_, owner_.settings(), std::move(messages));
  const std::vector<std::size_t> lost = co_await std::move(sending);
  if (!lost.empty()) session_.end(Outcome::lost);
  co_return lost.empty();
}

Task<bool> Talk::say(Speech speech) {
  std::optional<Message> message = session_.say(std::move(speech), owner_.now());
  if (!message) co_return false;
  co_return co_await pass(std::move(*message));
}

Task<bool> Talk::answer_cancel(bool is_cancelled, Body content) {
  std::optional<Message> message =
      session_.answer_cancel(is_cancelled, std::move(content), owner_.now());
  if (!message) co_return false;
  co_return co_await pass(std::move(*message));
}

Task<std::optional<Message>> Talk::next(Deadline until) {
  const Time end = until.at(owner_.now());
  for (;;) {
    if (!waiting_.empty()) {
      std::optional<Message> message = std::move(waiting_.front());
      waiting_.pop_front();
      co_return message;
    }
    session_.on_time(owner_.now());
    if (session_.state() == State::over || owner_.now() >= end) co_return std::nullopt;
    // A timer without a time does not wait.
    timer_.set(std::min({end, session_.deadline(), owner_.now() + longest_wait}));
    const bool rang = co_await timer_.rung();
    const bool is_woken = !waiting_.empty() || session_.state() == State::over;
    // The timers of a node that stops end early; so does this pause, by an error.
    if (!rang && !is_woken) co_await owner_.pause(Duration::zero());
  }
}

Task<> Talk::finish() {
  if (is_cancelling()) {
    (void)co_await answer_cancel(true);
    co_return;
  }
  const management::Reason reason =
      management::reason(management::internal_error, "the agent has ended the conversation");
  Speech failure(Act::failure, body_of(reason, opening()));
  (void)co_await say(std::move(failure));
}

// --- the agent ---

Participant::Participant(Settings settings, Participations::Limits limits)
    : impl_(std::make_unique<Impl>(std::move(settings), limits)) {}
Participant::~Participant() = default;

const Settings& Participant::settings() const noexcept { return impl_->settings; }

const std::shared_ptr<std::set<std::string>>& Participant::own_conversations() const noexcept {
  return impl_->own;
}

AgentId Participant::agent_id() const { return impl_->settings.naming.agent_of(name()); }

bool Participant::serves(const Session&) const { return true; }
Task<> Participant::act() { co_return; }
Task<> Participant::on_other(const Message&) { co_return; }

void Participant::retire() {
  impl_->is_retired = true;
  wake();
}

void Participant::wake() {
  const auto nudge = [](Participant& self) -> Task<> {
    Content content = Content::of(Nudge{});
    // A full mailbox has messages that wake the loop.
    (void)co_await self.send_result(self.name(), std::move(content));
  };
  spawn(nudge(*this));
}

Task<> Participant::run() {
  impl_->sessions.emplace(agent_id(), impl_->settings.ids, impl_->settings.calendar, impl_->limits);
  spawn(act_first());
  while (!impl_->is_retired || impl_->is_acting || !impl_->talks.empty()) {
    Match wanted = for_loop(impl_->own);
    const coracle::Message received = co_await receive(std::move(wanted));
    std::optional<Message> message = honest(received, impl_->settings);
    if (message) co_await handle(std::move(*message));
  }
}

Task<> Participant::act_first() {
  co_await act();
  impl_->is_acting = false;
  if (impl_->is_retired) wake();
}

Task<> Participant::handle(Message message) {
  using Found = Participations::Found;
  const Participations::Hearing heard = impl_->sessions->hear(message, now());
  switch (heard.found) {
    case Found::begun:
      if (!impl_->is_retired && serves(*heard.session)) {
        // It takes messages from now on, even before its task begins.
        auto talk = std::make_shared<Talk>(*this, *heard.session);
        impl_->talks.emplace(heard.session, talk);
        spawn(host(std::move(talk)));
        co_return;
      }
      impl_->sessions->remove(*heard.session);
      co_return co_await refuse(message, !impl_->is_retired);
    case Found::session:
      if (heard.heard == Heard::taken || heard.heard == Heard::cancel_asked) {
        const auto talk = impl_->talks.find(heard.session);
        if (talk != impl_->talks.end()) talk->second->take(message);
        co_return;
      }
      break;
    case Found::no_room:
      co_return co_await refuse(message, false);
    case Found::nothing:
      break;
  }
  co_await on_other(message);
}

Task<> Participant::refuse(const Message& message, bool is_unknown) {
  const Protocol* protocol = protocol_of(message);
  const bool can_refuse = protocol != nullptr && protocol->find(protocol->first, Side::participant,
                                                                Act::refuse) != nullptr;
  const Act act = is_unknown ? Act::not_understood : can_refuse ? Act::refuse : Act::failure;
  const management::Reason reason =
      is_unknown ? management::reason(management::unsupported_act, to_text(message.performative))
                 : management::reason(management::internal_error,
                                      "the agent takes part in no further conversation now");
  std::vector<Initiation::Outgoing> messages(1);
  messages[0].message = acl::reply(message, act);
  messages[0].message.sender = agent_id();
  messages[0].message.content = body_of(reason, message);
  // An agent that has no room for it must not hold up the others.
  Task<std::vector<std::size_t>> sending =
      send_all(*this, impl_->settings, std::move(messages), Duration::zero());
  (void)co_await std::move(sending);
}

Task<> Participant::host(std::shared_ptr<Talk> talk) {
  co_await converse(*talk);
  co_await talk->finish();
  impl_->talks.erase(&talk->session());
  impl_->sessions->remove(talk->session());
  if (impl_->is_retired && impl_->talks.empty()) wake();
}

}  // namespace coracle::acl
