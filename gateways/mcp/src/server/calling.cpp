// The use of tools.
#include "model/tool_names.hpp"
#include "server/contents.hpp"
#include "server/looking.hpp"
#include "server/state.hpp"

#include "coracle/codec.hpp"
#include "coracle/errors.hpp"
#include "coracle/rpc.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/json_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle::mcp {

namespace {

using coracle::detail::CallFailure;
using coracle::detail::CallFault;
using coracle::detail::quoted;

constexpr std::size_t most_parked = 1000;

// The bytes of a call: a list with the list of the arguments. Fails with web::JsonError.
Content call_content(const RemoteFunction& function, const Json& arguments) {
  const Json none = Json(Json::Object());
  web::Schema schema = function.arguments;
  schema.name_fields(function.argument_names);
  std::vector<std::byte> bytes;
  const auto out = cbor_encoder(bytes);
  out->begin_array(1);
  if (function.argument_names.empty()) {
    if (!arguments.is_null() && !arguments.if_object()->empty())
      web::JsonReader(arguments, "arguments").fail("have to be none");
    out->begin_array(0);
    out->end_array();
  } else {
    schema.encode(*out, web::JsonReader(arguments.is_null() ? none : arguments, "arguments"));
  }
  out->end_array();
  return Content::bytes(bytes, function.call_type);
}

// The sentence for a reply that says why there is no result.
std::string failure_text(const CallFailure& failure) {
  const char* why = "it has refused";
  switch (failure.fault) {
    case CallFault::no_function:
      why = "it does not offer the function";
      break;
    case CallFault::bad_arguments:
      why = "it cannot read the arguments";
      break;
    case CallFault::too_late:
      why = "it has begun too late";
      break;
    case CallFault::begun_before:
      why = "the agent that had the call first has ended";
      break;
    default:
      break;
  }
  return std::string(why) + (failure.text.empty() ? "" : ": ") + failure.text;
}

ToolResult called(const RemoteFunction& function, const Content& content) {
  if (content.type() == CallFailure::content_type) {
    const auto* const failure = content.try_as<CallFailure>();
    return ToolResult::failure(failure == nullptr ? "its answer cannot be read"
                                                  : failure_text(*failure));
  }
  if (content.type() != function.answer_type)
    return ToolResult::failure("it has answered with another type, " + quoted(content.type()));
  const auto in = cbor_decoder(content.bytes(), {.bytes_per_input_byte = sizeof(Json::Member)});
  in->begin_array();
  Json value = function.result.decode(*in);
  if (function.result.root().kind == web::TypeKind::nothing) return ToolResult::text("done");
  return ToolResult::value(std::move(value));
}

// The reason why there is no answer, for assistants.
ToolResult ended(const Name& agent, const Error& error) {
  const std::string name = quoted(agent.view());
  std::string why;
  switch (error.errc()) {
    case Errc::expired:
      why = name + " has not answered in time";
      break;
    case Errc::refused:
      why = name + " has refused";
      break;
    case Errc::peer_down:
      why = name + " has ended before it answered";
      break;
    case Errc::agent_failed:
      // The text of its exception may be about agents that clients may not know.
      return ToolResult::failure(name + " has failed before it answered");
    case Errc::unanswered:
      why = name + " has not answered, and will not";
      break;
    default:
      why = "there is no answer of " + name;
      break;
  }
  return ToolResult::failure(why + ": " + error.sentence());
}

}  // namespace

ClientAnswer answer_in(const Json& responses, std::string_view key) {
  if (responses.is_null()) return {};
  const auto answer = web::JsonReader(responses, "params.inputResponses").find(key);
  if (!answer) return {};
  if (answer->at("action").text() != "accept") return {true};
  return {true, answer->at("content").at("answer").text()};
}

ToolResult result_of(const Result<Message>& end, const Name& agent, const AddedTool* tool) {
  try {
    if (!end) return ended(agent, end.error());
    if (tool == nullptr) return answered(end->content());
    return called(std::get<CallTool>(tool->does).function, end->content());
  } catch (const Error& error) {
    return ToolResult::failure("its answer cannot be read: " + error.sentence());
  }
}

Task<std::string> GatewayState::call_tool(Agent& me, Call& call) {
  const Request& request = call.request;
  const auto added = find_added(request.name);
  const Roster::Agent* const asked = roster_.find_tool(request.name);
  const bool is_own =
      std::ranges::any_of(society_tools(has_transcripts()),
                          [&](const ToolInfo& each) { return each.name == request.name; });
  if (!is_own && added == nullptr && asked == nullptr)
    refuse_params("there is no tool " + quoted(request.name));
  ToolResult result;
  try {
    const auto* const own_work = added == nullptr ? nullptr : std::get_if<ToolWork>(&added->does);
    if (is_own || own_work != nullptr) {
      Task<ToolResult> using_it = is_own ? look(me, call) : work(me, call, *own_work);
      result = co_await using_it;
    } else {
      const auto* const function = added == nullptr ? nullptr : &std::get<CallTool>(added->does);
      const Name agent = function != nullptr ? function->agent : asked->name;
      Content content = function != nullptr ? call_content(function->function, request.arguments)
                                            : asked_content(request.arguments, options_.types);
      Task<std::string> asking = ask(me, call, agent, std::move(content), added);
      std::string text = co_await asking;
      co_return text;
    }
  } catch (const web::JsonError& error) {
    // Assistants read this, and use the tool again.
    result = ToolResult::failure(error.sentence());
  }
  co_return respond(request, info_, to_json(result, request.is_earlier));
}

Task<ToolResult> GatewayState::work(Agent& me, Call& call, const ToolWork& work) {
  ToolUse use{call.request.arguments, call.caller,
              [this, &call](const web::Progress& progress) { show_progress(call, progress); }};
  if (use.arguments.is_null()) use.arguments = Json(Json::Object());
  ToolResult result;
  try {
    Task<ToolResult> working = work(me, std::move(use));
    result = co_await working;
  } catch (const Error& error) {
    result = ToolResult::failure(error.sentence());
  }
  co_return result;
}

Task<std::string> GatewayState::ask(Agent& me, Call& call, Name agent, Content content,
                                    std::shared_ptr<const AddedTool> tool) {
  std::shared_ptr<Errand> errand;
  if (!call.request.state.empty()) {
    // The answer is read first: if it cannot be, the client may repeat it.
    ClientAnswer given = answer_in(call.request.input_responses, "question");
    errand = resume(call);
    if (!given.is_there) co_return park(call, std::move(errand));
    call.errand = errand;
    Task<> answering = errand->answer(me, std::move(given.text));
    co_await answering;
  } else {
    errand =
        std::make_shared<Errand>(agent, call.request.name, call.caller, call.request.arguments);
    call.errand = errand;
    Post post(agent, std::move(content));
    post.header(caller_header, call.caller).header(web::talk_header, "yes");
    if (call.request.trace) post.trace(*call.request.trace);
    if (has_transcripts())
      errand->noted = [this, caller = call.caller](Conversation number) {
        transcripts_.set_owner(number, caller);
      };
    errands_.add(errand);
    me.spawn(Errand::run(me, errand, std::move(post), me.now() + options_.call_time));
  }
  Task<std::string> following = follow(me, call, std::move(errand), std::move(tool));
  std::string text = co_await following;
  co_return text;
}

Task<std::string> GatewayState::follow(Agent& me, Call& call, std::shared_ptr<Errand> errand,
                                       std::shared_ptr<const AddedTool> tool) {
  const Request& request = call.request;
  Deadline patience = Deadline::never();
  if (request.can_take_tasks) patience = me.now() + options_.task_after;
  if (!request.progress_token.is_null())
    errand->show = [this, &call](const web::Progress& progress) { show_progress(call, progress); };
  for (;;) {
    Task<> waiting = errand->wait(patience);
    co_await waiting;
    auto end = errand->take_end();
    if (!end && errand->question() == nullptr) {  // it takes long
      patience = Deadline::never();
      if (!call.is_called_off && tasks_.make_room(call.caller))
        co_return make_task(call, std::move(errand), std::move(tool));
      continue;
    }
    if (!end && !call.is_called_off && request.can_be_asked && may_park(call.caller)) {
      errand->show = nullptr;
      co_return park(call, std::move(errand));
    }
    if (!end) {
      Task<> answering = errand->answer(me, std::nullopt);
      co_await answering;
      continue;
    }
    errand->show = nullptr;
    errands_.remove(errand.get());
    const ToolResult result = result_of(*end, errand->agent(), tool.get());
    co_return respond(request, info_, to_json(result, request.is_earlier));
  }
}

bool GatewayState::may_park(const std::string& caller) const {
  std::size_t own = 0;
  for (const auto& each : parked_) own += each.second->caller() == caller ? 1 : 0;
  return parked_.size() < most_parked && own < options_.calls_per_caller;
}

// The state that the client gives back is a number that nobody can guess; the errand that it stands
// for belongs to this caller, this tool and these arguments.
std::string GatewayState::park(Call& call, std::shared_ptr<Errand> errand) {
  std::string state = secret_number();
  const std::string* const question = errand->question();
  std::string text = respond_with_question(call.request, info_,
                                           question == nullptr ? std::string() : *question, state);
  parked_.emplace(std::move(state), std::move(errand));
  return text;
}

std::shared_ptr<Errand> GatewayState::resume(const Call& call) {
  const auto found = parked_.find(call.request.state);
  if (found == parked_.end() ||
      !found->second->is_of(call.request.name, call.caller, call.request.arguments))
    refuse_params("'params.requestState' is unknown, or has expired; use the tool anew");
  std::shared_ptr<Errand> errand = std::move(found->second);
  parked_.erase(found);
  return errand;
}

void GatewayState::show_progress(Call& call, const web::Progress& progress) {
  if (call.is_called_off || call.request.progress_token.is_null()) return;
  if (++call.notes > most_notes) return;
  // The numbers have to grow.
  const bool is_given = progress.done > 0 || progress.total > 0;
  if (is_given && progress.done > call.progress) call.progress = progress.done;
  else call.progress = std::max(call.progress, 0.0) + 1;
  call.out->notify(progress_note(call.request.progress_token, call.progress, progress.total,
                                 coracle::detail::shown(begin_of(progress.text))));
}

}  // namespace coracle::mcp
