// The society's agents work at tasks.
#include "server/desk.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/a2a/talk.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/log.hpp"
#include "coracle/typed.hpp"
#include "coracle/web/talk.hpp"
#include "model/fipa_words.hpp"
#include "server/contents.hpp"
#include "server/ends.hpp"

#include <array>
#include <coroutine>
#include <cstdio>
#include <set>
#include <utility>

namespace coracle::a2a {

namespace {

constexpr std::size_t longest_metadata = 4096;
constexpr const char* result_id = "result";

// Awaits a request, and tells its conversation as soon as it has one, and whether it was accepted
// at once.
template <class Note>
struct Noted {
  coracle::detail::Asking::AsResult& asking;
  const Note& note;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> awaiting) {
    const bool waits = asking.await_suspend(awaiting);
    if (asking.conversation() != 0) note(asking.conversation(), asking.is_accepted());
    return waits;
  }
  Result<coracle::Message> await_resume() { return asking.await_resume(); }
};

}  // namespace

std::string Desk::new_id() const {
  std::uint64_t high = surroundings_.random->next(), low = surroundings_.random->next();
  high = (high & ~std::uint64_t{0xf000}) | 0x4000U;  // a UUID of version 4
  low = (low & ~(std::uint64_t{3} << 62U)) | std::uint64_t{2} << 62U;
  std::array<char, 40> text;
  const int size = std::snprintf(
      text.data(), text.size(), "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32U),
      static_cast<unsigned>(high >> 16U & 0xffffU), static_cast<unsigned>(high & 0xffffU),
      static_cast<unsigned>(low >> 48U), static_cast<unsigned long long>(low & 0xffff'ffff'ffffU));
  return std::string(text.data(), static_cast<std::size_t>(size));
}

Post Desk::post_for(const Owner& owner, const Task& task, const Message& message, Content content,
                    const TraceContext& trace) const {
  Post post(Name(owner.agent), std::move(content));
  post.header(std::string(header::task), task.id);
  post.header(std::string(header::context), task.context_id);
  post.header(std::string(header::caller), owner.caller).header(web::talk_header, "yes");
  if (!message.metadata.is_null()) {
    std::string metadata = web::to_text(message.metadata);
    if (metadata.size() <= longest_metadata)
      post.header(std::string(header::metadata), std::move(metadata));
  }
  for (auto& [name, word] : fipa_headers(message.metadata))
    post.header(std::move(name), std::move(word));
  if (trace != TraceContext()) post.trace(trace);
  return post;
}

coracle::Task<> Desk::work(Agent& me, std::string task, Post post) {
  const auto found = works_.find(task);
  if (found == works_.end()) co_return;
  {
    coracle::detail::Asking::AsResult asking = me.ask_result(post, options_.task_time);
    found->second.asking = &asking;
    const auto note = [&](Conversation conversation, bool is_accepted) {
      found->second.conversation = conversation;
      by_conversation_.emplace(conversation, task);
      if (is_accepted) store_.note_accepted(task, now(me));
    };
    Noted<decltype(note)> noted{asking, note};
    const Result<coracle::Message> reply = co_await noted;
    found->second.asking = nullptr;
    // A reply overtakes the messages before it, which are in the mailbox, or about to be taken.
    co_await me.yield();
    const Match of_task = in_conversation(found->second.conversation);
    for (;;) {
      std::optional<coracle::Message> message = me.try_receive(of_task);
      if (!message) break;
      take(me, *message);
    }
    on_reply(me, task, reply);
  }
  if (found->second.question)
    me.spawn(refuse_to(me, std::exchange(found->second.question, coracle::Message())));
  by_conversation_.erase(found->second.conversation);
  works_.erase(found);
}

void Desk::answer(Agent& me, const std::string& task, const Message& message) {
  const auto found = works_.find(task);
  if (found == works_.end() || !found->second.question) return;
  coracle::Message question = std::exchange(found->second.question, coracle::Message());
  me.spawn(reply_to(me, std::move(question), content_of(message, options_.types)));
}

// If the reply cannot be sent, the agent does not wait for it any more.
coracle::Task<> Desk::reply_to(Agent& me, coracle::Message question, Content content) {
  try {
    co_await me.reply(question, content);
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
  }
}

coracle::Task<> Desk::refuse_to(Agent& me, coracle::Message question) {
  try {
    co_await me.refuse(question,
                       "no client answers this: the task has ended, has an open question "
                       "already, or is not one of the agent's");
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
  }
}

void Desk::on_reply(Agent& me, const std::string& task, const Result<coracle::Message>& reply) {
  if (!reply) return fail(me, task, reply.error());
  try {
    add_piece(me, task, reply->content(), true);
    set_status(me, task, TaskState::completed, {});
  } catch (const Error& error) {
    set_status(me, task, TaskState::failed, error.sentence());
  }
}

void Desk::fail(Agent& me, const std::string& task, const Error& error) {
  coracle::detail::log_debug(coracle::detail::LogPart::gateway,
                             [&] { return "a task of A2A has ended: " + error.sentence(); });
  auto [state, reason] = end_for(error);
  set_status(me, task, state, std::move(reason));
}

void Desk::add_piece(Agent& me, const std::string& task, const Content& content, bool is_last) {
  const auto found = works_.find(task);
  if (found == works_.end()) return;
  Work& work = found->second;
  Artifact artifact{result_id};
  artifact.name = result_id;
  artifact.parts = parts_of(content);
  const bool appends = std::exchange(work.has_pieces, true);
  publish(me, task, store_.add(task, std::move(artifact), appends, is_last, now(me)));
}

void Desk::set_status(Agent& me, const std::string& task, TaskState state, std::string text) {
  std::optional<Message> message;
  if (!text.empty()) {
    message = Message{new_id()};
    message->role = Role::agent;
    message->parts.push_back({std::move(text)});
  }
  publish(me, task, store_.set_status(task, state, std::move(message), now(me)));
}

void Desk::publish(Agent& me, const std::string& task, const std::optional<TaskEvent>& event) {
  const Task* const changed = store_.find(task);
  if (!event || changed == nullptr) return;
  watchers_.publish(*changed, *event);
  begin_pushes(me, task);
}

// The task that a message of an agent belongs to; empty if there is none. Only the agent that works
// at it can add to a task.
std::string Desk::task_of(const coracle::Message& message, Conversation conversation) const {
  const auto found = by_conversation_.find(conversation);
  if (found == by_conversation_.end()) return {};
  const Owner* const owner = store_.owner_of(found->second);
  if (owner == nullptr || owner->agent != message.source().name().view()) return {};
  return found->second;
}

bool Desk::take_question(Agent& me, coracle::Message& message) {
  const Content content = message.content();
  const auto* const question = content.try_as<Question>();
  if (question == nullptr) return false;
  const std::string task = task_of(message, question->conversation);
  const Task* const asked = store_.find(task);
  if (asked == nullptr || is_final(asked->status.state) || works_.at(task).question) return false;
  works_.at(task).question = std::move(message);
  const auto state =
      question->is_for_authorization ? TaskState::auth_required : TaskState::input_required;
  set_status(me, task, state, question->text.empty() ? "the agent needs more" : question->text);
  return true;
}

void Desk::take(Agent& me, coracle::Message& message) {
  const std::string task = task_of(message, message.conversation());
  if (task.empty()) return;
  const Content content = message.content();
  if (const auto* const progress = content.try_as<Progress>()) {
    set_status(me, task, TaskState::working, progress->text);
  } else {
    try {
      add_piece(me, task, content, false);
    } catch (const Error& error) {
      set_status(me, task, TaskState::failed, error.sentence());
    }
  }
}

void Desk::end(Agent& me) {
  std::set<std::string> tasks;
  for (const auto& each : works_) tasks.insert(each.first);
  for (const std::string& each : tasks)
    set_status(me, each, TaskState::failed, "the gateway stops");
}

}  // namespace coracle::a2a
