#include "coracle/a2a/foreign_agent.hpp"

#include "client/foreign_card.hpp"
#include "client/foreign_task.hpp"
#include "client/remote.hpp"
#include "coracle/a2a/card_signature.hpp"
#include "coracle/a2a/model_json.hpp"
#include "coracle/a2a/talk.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/log.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/typed.hpp"
#include "model/fipa_words.hpp"
#include "server/contents.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace coracle::a2a {

namespace {

constexpr Duration card_within = std::chrono::seconds(10), first_wait = std::chrono::seconds(1),
                   cancel_within = std::chrono::seconds(10);
constexpr std::size_t longest_reason = 500;

bool ends_agent(const Error& error) noexcept {
  return error.errc() == Errc::stopped || error.errc() == Errc::fenced;
}

ForeignOptions checked_foreign(ForeignOptions options) {
  const http::Url url = card_url_of(options.address);
  for (const std::string* each : {&options.token, &options.api_key})
    if (!std::all_of(each->begin(), each->end(), [](char c) { return c > ' ' && c <= '~'; }))
      throw Error(Errc::bad_options,
                  "a proof for a foreign agent has to be visible ASCII; correct it");
  for (std::string& each : options.origins) each = http::Url::parse(each).value().origin();
  options.origins.insert(options.origins.begin(), url.origin());
  return options;
}

std::string hex_of(std::uint64_t number) {
  std::array<char, 20> text;
  const int size =
      std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return std::string(text.data(), static_cast<std::size_t>(size));
}

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

class ForeignAgent::Impl {
 public:
  Impl(ForeignAgent& me, http::Client& client, ForeignOptions options, Random& random)
      : me_(me),
        client_(client),
        options_(checked_foreign(std::move(options))),
        session_(hex_of(random.next())) {}

  coracle::Task<> run();

 private:
  // A request of an agent, and what is known of its task.
  struct Errand {
    coracle::Message request;
    bool talks;
    Time until;
    std::shared_ptr<const Remote> remote = nullptr;
    ForeignTask task;
  };

  coracle::Task<> follow_card();
  coracle::Task<> learn();
  coracle::Task<> serve(coracle::Message request);
  coracle::Task<Content> work(Errand& errand);
  coracle::Task<> exchange(Errand& errand, SendMessageRequest message);
  coracle::Task<> listen(Errand& errand, SendMessageRequest message);
  coracle::Task<> look(Errand& errand);
  coracle::Task<> tell(Errand& errand, ForeignTask::News news);
  coracle::Task<Content> ask_back(Errand& errand);
  coracle::Task<> end(coracle::Message request, Result<Content> outcome);
  coracle::Task<> cancel(std::shared_ptr<const Remote> remote, std::string task);
  SendMessageRequest message_of(const Errand& errand, const Content& content, unsigned turn) const;
  Duration left(const Errand& errand) const;
  Content params_of(const ExtensionRequest& wanted) const;

  ForeignAgent& me_;
  http::Client& client_;
  const ForeignOptions options_;
  const std::string session_;  // makes the ids of messages unlike those of an earlier life
  std::shared_ptr<const Remote> remote_;
  Properties properties_;
  std::size_t under_way_ = 0;
};

ForeignAgent::ForeignAgent(http::Client& client, ForeignOptions options, Random& random)
    : impl_(std::make_unique<Impl>(*this, client, std::move(options), random)) {}

ForeignAgent::~ForeignAgent() = default;

coracle::Task<> ForeignAgent::run() { return impl_->run(); }

coracle::Task<> ForeignAgent::Impl::run() {
  me_.spawn(follow_card());
  for (;;) {
    coracle::Message message = co_await me_.receive();
    if (under_way_ >= options_.requests) {
      const Error full(Errc::refused, "the foreign agent has too many requests; ask again later");
      coracle::Task<> ending = end(std::move(message), full);
      co_await ending;
      continue;
    }
    ++under_way_;
    me_.spawn(serve(std::move(message)));
  }
}

// Reads the card again and again, so that the directory has what it says now.
coracle::Task<> ForeignAgent::Impl::follow_card() {
  Duration wait = first_wait;
  for (;;) {
    try {
      coracle::Task<> learning = learn();
      co_await learning;
      wait = options_.card_time;
    } catch (const Error& error) {
      if (ends_agent(error)) throw;
      coracle::detail::log_debug(coracle::detail::LogPart::gateway, [&] {
        return "the card of '" + me_.name().str() + "' cannot be read: " + error.sentence();
      });
    }
    co_await me_.pause(wait);
    if (remote_ == nullptr) wait = std::min(wait * 2, options_.card_time);
  }
}

coracle::Task<> ForeignAgent::Impl::learn() {
  http::Request request;
  request.url = card_url_of(options_.address);
  request.headers.add("Accept", "application/json");
  request.headers.add("A2A-Version", "1.0");
  const ForeignProofs proofs{options_.token, options_.api_key};
  proofs.add_to(request);
  http::RequestOptions within;
  within.deadline = card_within;
  coracle::Task<http::Response> fetching = client_.fetch(std::move(request), within);
  const http::Response response = co_await fetching;
  if (response.status != 200)
    throw Error(Errc::unreachable, "its card cannot be read: the server answers with the status " +
                                       std::to_string(response.status) + "; check the address");
  const Json json = web::parse_json(response.body).value();
  const AgentCard card = read<AgentCard>(web::JsonReader(json));
  if (options_.trusted && !is_signed(card, options_.trusted))
    throw Error(Errc::not_permitted,
                "its card has no signature by a key that is trusted; check the address, or trust "
                "the key of its server");
  ForeignPlace place = place_in(card, options_.origins);
  const Properties properties = properties_in(card);
  if (properties != properties_) {
    coracle::Task<> describing = me_.describe(properties);
    co_await describing;
    properties_ = properties;
  }
  if (remote_ == nullptr || remote_->place() != place)
    remote_ =
        std::make_shared<const Remote>(client_, std::move(place), proofs, options_.bytes_per_task);
}

coracle::Task<> ForeignAgent::Impl::serve(coracle::Message request) {
  struct Leaving {
    std::size_t& count;
    ~Leaving() { --count; }
  } leaving{under_way_};
  const bool talks = request.is_request() && request.header(header::talks).has_value();
  Errand errand{std::move(request), talks, me_.now() + options_.task_time, nullptr,
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
  if (remote_ == nullptr) {
    coracle::Task<> learning = learn();
    co_await learning;
  }
  errand.remote = remote_;
  Content content = errand.request.content();
  if (const auto* const wanted = content.try_as<ExtensionRequest>()) co_return params_of(*wanted);
  for (unsigned turn = 1;; ++turn) {
    coracle::Task<> exchanging = exchange(errand, message_of(errand, content, turn));
    co_await exchanging;
    if (errand.task.is_over()) co_return outcome_of(errand.task, options_.types);
    coracle::Task<Content> asking = ask_back(errand);
    content = co_await asking;
    errand.task.go_on();
  }
}

Content ForeignAgent::Impl::params_of(const ExtensionRequest& wanted) const {
  const Value* const value = properties_.find("extension/" + wanted.uri);
  const std::string* const text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  if (text == nullptr)
    throw Fault(FaultKind::unsupported_operation,
                "the card of the foreign agent does not have the extension " +
                    coracle::detail::quoted(wanted.uri, 200));
  return Content::bytes(std::as_bytes(std::span(text->data(), text->size())), "application/json");
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
  message.message_id = session_ + "-" + hex_of(errand.request.conversation()) + "-" +
                       hex_of(errand.request.sequence()) + "-" + std::to_string(turn);
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

// Reads the stream of the task. If it is lost, the task is looked at from time to time.
coracle::Task<> ForeignAgent::Impl::listen(Errand& errand, SendMessageRequest message) {
  const http::EventSource events = errand.remote->stream(SendCall{std::move(message), true},
                                                         errand.request.trace(), left(errand));
  coracle::Task<http::Response> beginning = events.head();
  const http::Response head = co_await beginning;
  errand.remote->check_stream(head);
  try {
    while (!errand.task.is_over() && !errand.task.waits_for_client()) {
      coracle::Task<std::optional<http::Event>> reading = events.next(left(errand));
      const std::optional<http::Event> event = co_await reading;
      if (!event) break;
      if (event->data.empty()) continue;
      coracle::Task<> telling = tell(errand, errand.task.take(errand.remote->item_in(event->data)));
      co_await telling;
    }
  } catch (const Error& error) {
    if (error.errc() != Errc::disconnected || errand.task.id().empty()) throw;
  }
}

// Looks at the task until it is over or waits for an answer.
coracle::Task<> ForeignAgent::Impl::look(Errand& errand) {
  while (!errand.task.is_over() && !errand.task.waits_for_client()) {
    if (errand.task.id().empty())
      throw Fault(FaultKind::invalid_agent_response,
                  "the foreign agent has ended its answer without a task");
    co_await me_.pause(std::min(options_.poll_time, left(errand)));
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

// Gives the news to an agent that wants them. If they cannot be sent, its reply has all of them.
coracle::Task<> ForeignAgent::Impl::tell(Errand& errand, ForeignTask::News news) {
  if (!errand.talks) co_return;
  const Name asker = errand.request.reply_to().name();
  const Conversation conversation = errand.request.conversation();
  if (!news.progress.empty()) {
    const Content progress = Content::of(Progress{std::move(news.progress)});
    const Result<void> sent = co_await me_.send_result(asker, progress, conversation);
    if (!sent && ends_agent(sent.error())) throw Error(sent.error());
  }
  for (Part& each : news.pieces) {
    Message one;
    one.message_id = "piece";
    one.role = Role::agent;
    one.parts.push_back(std::move(each));
    const Content piece = content_of(one, options_.types);
    const Result<void> sent = co_await me_.send_result(asker, piece, conversation);
    if (!sent && ends_agent(sent.error())) throw Error(sent.error());
  }
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
    const CancelTaskRequest request{{}, std::move(task), {}};
    coracle::Task<Json> calling = remote->call(request, {}, cancel_within);
    (void)co_await calling;
  } catch (const Error& error) {
    if (ends_agent(error)) throw;
  }
}

}  // namespace coracle::a2a
