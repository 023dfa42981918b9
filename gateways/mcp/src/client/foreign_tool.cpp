#include "client/foreign_tool.hpp"

#include "coracle/codec.hpp"
#include "coracle/receipt.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/typed.hpp"
#include "coracle/web/json_codec.hpp"
#include "coracle/web/json_reader.hpp"
#include "coracle/web/talk.hpp"

#include <span>
#include <utility>

namespace coracle::mcp {

namespace {

constexpr int most_rounds = 20;

// The notices of progress that are passed on for one use, and the text of one.
constexpr std::size_t most_notes = 10'000, longest_note = 4000;

Content json_content(const Json& value) {
  const std::string text = web::to_text(value);
  return Content::bytes(std::as_bytes(std::span(text)), "application/json");
}

web::Progress progress_in(const Json& params) {
  const Json* const text = params.find("message");
  const Json* const done = params.find("progress");
  const Json* const total = params.find("total");
  web::Progress progress;
  if (text != nullptr && text->if_text() != nullptr)
    progress.text = coracle::detail::shown(text->if_text()->substr(0, longest_note));
  if (done != nullptr) progress.done = done->if_number().value_or(0);
  if (total != nullptr) progress.total = total->if_number().value_or(0);
  return progress;
}

// Counts a use while it goes on.
class Counted {
 public:
  explicit Counted(std::size_t& count) : count_(count) { ++count_; }
  Counted(const Counted&) = delete;
  ~Counted() { --count_; }

 private:
  std::size_t& count_;
};

// Sends without a wait; a message that finds no room is lost.
Task<> send_at_once(Agent& me, Post post) {
  post.patience(Duration::zero());
  try {
    Task<Receipt> tracking = me.track(std::move(post));
    const Receipt receipt = co_await tracking;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped) throw;
  }
}

// The argument that a text is: the only one that has to be given, the only one, or the one of the
// name "text"; empty if that is not a text.
std::string text_argument(const Json& schema) {
  const Json* const properties = schema.find("properties");
  const Json::Object* const all = properties == nullptr ? nullptr : properties->if_object();
  if (all == nullptr) return {};
  const Json* const required = schema.find("required");
  const Json::Array* const needed = required == nullptr ? nullptr : required->if_array();
  std::string name;
  if (needed != nullptr && needed->size() == 1 && needed->front().if_text() != nullptr)
    name = *needed->front().if_text();
  else if (all->size() == 1) name = all->front().name;
  else if (needed == nullptr || needed->empty()) name = "text";
  const Json* const property = name.empty() ? nullptr : properties->find(name);
  const Json* const type = property == nullptr ? nullptr : property->find("type");
  return type != nullptr && *type == Json("string") ? name : std::string();
}

}  // namespace

ForeignTool::ForeignTool(std::shared_ptr<ServerLink> link, ServerTool tool,
                         const ForeignServer& server, Name manager)
    : link_(std::move(link)),
      tool_(std::move(tool)),
      use_time_(server.use_time),
      most_uses_(server.uses),
      manager_(std::move(manager)) {}

Task<> ForeignTool::run() {
  Properties properties;
  properties.set("service", "mcp tool").set("tool", tool_.name);
  if (!tool_.title.empty()) properties.set("title", tool_.title);
  if (!tool_.description.empty()) properties.set("description", tool_.description);
  const std::string schema = web::to_text(tool_.input);
  if (schema.size() <= 16 * 1024) properties.set("mcp-input", schema);
  Task<> describing = describe(std::move(properties));
  co_await describing;
  for (;;) {
    Message message = co_await receive();
    if (message.content().type() == EndTool::content_type && message.source().name() == manager_)
      co_return;
    if (message.is_request()) spawn(serve(std::move(message)));
  }
}

Task<> ForeignTool::serve(Message request) {
  Finished result;
  try {
    if (uses_ >= most_uses_)
      throw Error(Errc::limit_reached, "the tool is used as often as is permitted at a time");
    const Counted counted(uses_);
    Json arguments = arguments_in(request.content());
    Task<Finished> using_it = use(request, std::move(arguments));
    result = co_await using_it;
    if (result.is_error && result.text.empty()) result.text = "the tool has failed";
  } catch (const Error& error) {
    result = {true, error.sentence(), {}};
  }
  try {
    Task<> giving = give(request, std::move(result));
    co_await giving;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped) throw;  // else the asker is gone
  }
}

Task<> ForeignTool::give(const Message& request, Finished result) {
  if (result.is_error) {
    const std::string why = coracle::detail::shown(result.text);
    auto refusing = refuse(request, why);
    co_await refusing;
    co_return;
  }
  const Content content = result.value ? json_content(*result.value) : Content(result.text);
  auto replying = reply(request, content);
  co_await replying;
}

Json ForeignTool::arguments_in(const Content& content) const {
  const std::string text_member = text_argument(tool_.input);
  if (content.type() == "text/plain" && !text_member.empty())
    return Json().set(text_member, content.text());
  std::optional<Json> value;
  if (content.empty()) {
    value = Json(Json::Object());
  } else if (content.type() == "text/plain" || content.type() == "application/json") {
    if (auto parsed = web::parse_json(content.text())) value = *std::move(parsed);
  } else {
    value = web::decoded_json(content.bytes());
  }
  if (!value || value->if_object() == nullptr)
    throw web::JsonError("the arguments",
                         "have to be an object of JSON, as the tool's property "
                         "mcp-input describes it");
  return *std::move(value);
}

Task<Json> ForeignTool::call(const Message& request, std::string_view method, Json params,
                             Time until) {
  OwnRequest own{method, std::move(params)};
  if (method == "tools/call") own.name = tool_.name;
  else if (const Json* const task = own.params.find("taskId")) own.name = *task->if_text();
  if (const TraceContext trace = request.trace(); trace.span != 0) own.trace = trace;
  own.wants_progress = method == "tools/call" && web::can_talk(request);
  std::size_t shown = 0;
  const auto note = [this, &request, &shown,
                     wants = own.wants_progress](const FromServer& message) {
    if (!wants || message.method != "notifications/progress" || ++shown > most_notes) return;
    Post post(request.reply_to(), Content::of(progress_in(message.params)));
    post.conversation(request.conversation());
    spawn(send_at_once(*this, std::move(post)));
  };
  Task<Json> calling = link_->call(*this, std::move(own), until, note);
  Json result = co_await calling;
  co_return result;
}

Task<std::optional<std::string>> ForeignTool::answer_to(const Message& request, const Asked& asked,
                                                        Time until) {
  if (!web::can_talk(request)) co_return std::nullopt;
  web::Question question{asked.question};
  question.conversation = request.conversation();
  const Content content = Content::of(std::move(question));
  auto asking = ask_result(request.reply_to(), content, until);
  const Result<Message> answer = co_await asking;
  if (!answer && answer.error().errc() == Errc::stopped) throw answer.error();
  if (!answer) co_return std::nullopt;
  co_return std::string(answer->text());
}

Task<Finished> ForeignTool::use(const Message& request, Json arguments) {
  const Time until = std::min(now() + use_time_, request.deadline());
  Json params;
  params.set("name", tool_.name).set("arguments", std::move(arguments));
  Task<Json> first = call(request, "tools/call", params, until);
  Json result = co_await first;
  std::string task;
  for (int round = 0; round < most_rounds;) {
    Step step = read_step(result, task);
    if (auto* const finished = std::get_if<Finished>(&step)) co_return std::move(*finished);
    if (const auto* const waiting = std::get_if<Waiting>(&step)) {
      task = waiting->task;
      co_await pause(waiting->pause);
      if (now() >= until) {
        Task<Json> ending =
            call(request, "tasks/cancel", Json().set("taskId", task), now() + use_time_);
        (void)co_await ending;
        throw Error(Errc::expired, "the tool has not finished in time");
      }
      Task<Json> looking = call(request, "tasks/get", Json().set("taskId", task), until);
      result = co_await looking;
      continue;
    }
    ++round;
    const Asked& asked = std::get<Asked>(step);
    std::optional<std::string> answer;
    if (!asked.key.empty()) {
      Task<std::optional<std::string>> answering = answer_to(request, asked, until);
      answer = co_await answering;
    }
    Json responses = responses_to(asked, answer), again = params;
    if (!asked.task.empty()) {
      Json update;
      update.set("taskId", asked.task).set("inputResponses", std::move(responses));
      Task<Json> updating = call(request, "tasks/update", std::move(update), until);
      (void)co_await updating;
      Task<Json> looking = call(request, "tasks/get", Json().set("taskId", asked.task), until);
      result = co_await looking;
      continue;
    }
    if (!responses.is_null()) again.set("inputResponses", std::move(responses));
    if (!asked.state.empty()) again.set("requestState", asked.state);
    Task<Json> repeating = call(request, "tools/call", std::move(again), until);
    result = co_await repeating;
  }
  throw Error(Errc::refused, "the tool asks again and again");
}

}  // namespace coracle::mcp
