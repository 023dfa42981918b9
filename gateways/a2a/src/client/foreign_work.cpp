// A foreign agent works at a request: it is a task of the agent's server.
#include "client/foreign_impl.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/support/log.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/typed.hpp"
#include "model/fipa_words.hpp"
#include "server/contents.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace coracle::a2a {

namespace {

constexpr Duration cancel_within = std::chrono::seconds(10),
                   piece_within = std::chrono::seconds(30);
constexpr std::size_t longest_reason = 500;

Error late_task() {
  return Error(Errc::expired, "the foreign agent has not done the task in time; ask for less");
}

// The result of a task that is over. Fails with Errc::refused if the agent has not done it.
Content outcome_of(const ForeignTask& task, const std::vector<std::string>& types) {
  const TaskState state = task.state();
  if (state == TaskState::unspecified || state == TaskState::completed) {
    Message whole;
    whole.message_id = task.id().empty() ? "reply" : task.id();
    whole.role = Role::agent;
    whole.parts = task.result();
    if (whole.parts.empty()) return Content(std::string());
    if (whole.parts.size() > most_message_parts)
      throw Fault(FaultKind::invalid_agent_response,
                  "the foreign agent has sent a result with more parts than one message may have");
    Content content = content_of(whole, types);
    if (content.type() == message_type && content.text().size() > most_message_bytes)
      throw Fault(FaultKind::invalid_agent_response,
                  "the foreign agent has sent a larger result than one message may have");
    return content;
  }
  std::string why = state == TaskState::rejected ? "the foreign agent has rejected the task"
                    : state == TaskState::failed ? "the foreign agent has failed at the task"
                                                 : "the foreign agent has canceled the task";
  const std::string text = task.text();
  if (!text.empty()) why += ": " + coracle::detail::quoted(text, longest_reason);
  throw Fault(FaultKind::invalid_agent_response, why);
}

}  // namespace

coracle::Task<> ForeignAgent::Impl::serve(coracle::Message request) {
  struct Leaving {
    Impl& impl;
    const std::string asker;
    ~Leaving() { impl.leave(asker); }
  } leaving{*this, request.source().name().str()};
  const bool talks = request.is_request() && request.header(header::talks).has_value();
  Errand errand{std::move(request),
                ++last_errand_,
                talks,
                me_.now() + options_.task_time,
                nullptr,
                ForeignTask(options_.bytes_per_task, options_.changes_per_task)};
  Result<Content> outcome = Content();
  try {
    coracle::Task<Content> working = work(errand);
    outcome = co_await working;
  } catch (const Error& error) {
    if (ends_agent(error)) throw;
    outcome = error.errc() == Errc::expired ? late_task() : error;
  }
  if (!outcome && !errand.task.id().empty() && !errand.task.is_over())
    me_.spawn(cancel(errand.remote, errand.task.id()));
  coracle::Task<> ending = end(std::move(errand.request), std::move(outcome));
  co_await ending;
}

// Works at a request until there is a result. Fails with the reason why there is none.
coracle::Task<Content> ForeignAgent::Impl::work(Errand& errand) {
  coracle::Task<> needing = need_card();
  co_await needing;
  errand.remote = remote_;
  Content content = errand.request.content();
  if (const auto* const wanted = content.try_as<ExtensionRequest>()) co_return params_of(*wanted);
  for (unsigned turn = 1;; ++turn) {
    coracle::Task<> exchanging = exchange(errand, message_of(errand, content, turn));
    co_await exchanging;
    if (errand.task.is_over()) co_return outcome_of(errand.task, options_.types);
    coracle::Task<Content> asking = ask_back(errand);
    content = co_await asking;
    coracle::Task<> needing_again = need_card();
    co_await needing_again;
    errand.task.go_on();
  }
}

Duration ForeignAgent::Impl::left(const Errand& errand) const {
  const Time now = me_.now();
  if (now >= errand.until) throw late_task();
  return errand.until - now;
}

SendMessageRequest ForeignAgent::Impl::message_of(const Errand& errand, const Content& content,
                                                  unsigned turn) const {
  SendMessageRequest send;
  Message& message = send.message;
  message.message_id = session_ + "-" + std::to_string(errand.number) + "-" + std::to_string(turn);
  message.role = Role::user;
  message.task_id = errand.task.id();
  message.context_id = errand.task.context();
  if (message.context_id.empty())
    message.context_id = std::string(errand.request.header(header::context).value_or(""));
  message.parts = parts_of(content);
  if (const auto text = errand.request.header(header::metadata)) {
    auto metadata = web::parse_json(*text);
    if (metadata && metadata->if_object() != nullptr) message.metadata = *std::move(metadata);
  }
  put_fipa_words(message.metadata,
                 [&](std::string_view name) { return errand.request.header(name); });
  return send;
}

// Sends a message, and follows the task until it is over or waits for an answer.
coracle::Task<> ForeignAgent::Impl::exchange(Errand& errand, SendMessageRequest message) {
  if (errand.remote->place().streams) {
    coracle::Task<> listening = listen(errand, std::move(message));
    co_await listening;
  } else {
    coracle::Task<Json> calling = errand.remote->call(SendCall{std::move(message), false},
                                                      errand.request.trace(), left(errand));
    const Json answer = co_await calling;
    coracle::Task<> telling = tell(errand, errand.task.take(item_of(answer)));
    co_await telling;
  }
  coracle::Task<> looking = look(errand);
  co_await looking;
}

// Looks at the task until it is over or waits for an answer.
coracle::Task<> ForeignAgent::Impl::look(Errand& errand) {
  while (!errand.task.rests()) {
    if (errand.task.id().empty())
      throw Fault(FaultKind::invalid_agent_response,
                  "the foreign agent has ended its answer without a task");
    co_await me_.pause(std::min(options_.poll_time, left(errand)));
    coracle::Task<> needing = need_card();
    co_await needing;
    const GetTaskRequest request{{}, errand.task.id(), 0};
    coracle::Task<Json> calling =
        errand.remote->call(request, errand.request.trace(), left(errand));
    const Json json = co_await calling;
    std::optional<Task> task;
    try {
      task = read<Task>(web::JsonReader(json));
    } catch (const web::JsonError& error) {
      throw Fault(FaultKind::invalid_agent_response, error.sentence());
    }
    coracle::Task<> telling = tell(errand, errand.task.take(*std::move(task)));
    co_await telling;
  }
}

// Gives the news to an agent that wants them. If one cannot be sent, the agent gets no more of
// them: its reply has all pieces.
coracle::Task<> ForeignAgent::Impl::tell(Errand& errand, ForeignTask::News news) {
  if (errand.talks && errand.takes_news && !news.progress.empty()) {
    Content progress = Content::of(Progress{std::move(news.progress)});
    coracle::Task<bool> telling = tell_one(errand, std::move(progress));
    errand.takes_news = co_await telling;
  }
  for (Part& each : news.pieces) {
    if (!errand.talks || !errand.takes_news) co_return;
    Message one;
    one.message_id = "piece";
    one.role = Role::agent;
    one.parts.push_back(std::move(each));
    Content piece = content_of(one, options_.types);
    coracle::Task<bool> telling = tell_one(errand, std::move(piece));
    errand.takes_news = co_await telling;
  }
}

// Returns whether the agent has room for it in time.
coracle::Task<bool> ForeignAgent::Impl::tell_one(const Errand& errand, Content content) {
  const Name asker = errand.request.reply_to().name();
  const Conversation conversation = errand.request.conversation();
  auto sending = me_.send_result(asker, std::move(content), conversation);
  sending.patience(std::min(piece_within, left(errand)));
  const Result<void> sent = co_await sending;
  if (!sent && ends_agent(sent.error())) throw Error(sent.error());
  co_return sent.has_value();
}

// Puts the question of the foreign agent to the one that has asked; returns its answer.
coracle::Task<Content> ForeignAgent::Impl::ask_back(Errand& errand) {
  if (!errand.talks)
    throw Fault(FaultKind::invalid_agent_response,
                "the foreign agent asks " +
                    coracle::detail::quoted(errand.task.text(), longest_reason) +
                    ", and the request does not permit questions (a2a-talks)");
  const Content question =
      Content::of(Question{errand.task.text(), errand.task.state() == TaskState::auth_required,
                           errand.request.conversation()});
  const Name asker = errand.request.source().name();
  const Result<coracle::Message> answer = co_await me_.ask_result(asker, question, left(errand));
  if (!answer) throw Error(answer.error());
  co_return answer->content();
}

coracle::Task<> ForeignAgent::Impl::end(coracle::Message request, Result<Content> outcome) {
  if (!outcome) {
    coracle::detail::log_debug(coracle::detail::LogPart::gateway, [&] {
      return "a request to '" + me_.name().str() + "' has failed: " + outcome.error().sentence();
    });
  }
  if (!request.is_request()) co_return;
  try {
    if (outcome) {
      const Content content = *outcome;
      co_await me_.reply(request, content);
    } else {
      const std::string reason = outcome.error().sentence();
      co_await me_.refuse(request, reason);
    }
  } catch (const Error& error) {
    if (ends_agent(error)) throw;
  }
}

// Nobody waits for the task any more. If the server does not hear of it, it finds out by itself.
coracle::Task<> ForeignAgent::Impl::cancel(std::shared_ptr<const Remote> remote, std::string task) {
  try {
    coracle::Task<> needing = need_card();
    co_await needing;
    const CancelTaskRequest request{{}, std::move(task), {}};
    coracle::Task<Json> calling = remote->call(request, {}, cancel_within);
    (void)co_await calling;
  } catch (const Error& error) {
    if (ends_agent(error)) throw;
  }
}

}  // namespace coracle::a2a
