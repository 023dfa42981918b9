// Calls as requests of HTTP+JSON.
#include "bindings/call.hpp"

#include "coracle/a2a/model_json.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace coracle::a2a {

namespace {

using Operation = RestPath::Operation;
using Segments = std::vector<std::string_view>;

constexpr std::string_view configs = "pushNotificationConfigs";

Segments cut(std::string_view path) {
  Segments all;
  for (;;) {
    const std::size_t slash = path.find('/');
    all.push_back(path.substr(0, slash));
    if (slash == path.npos) return all;
    path.remove_prefix(slash + 1);
  }
}

// The path without its last `count` segments.
std::string without(const Segments& segments, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i + count < segments.size(); ++i)
    text.append(i == 0 ? "" : "/").append(segments[i]);
  return text;
}

// Cuts "7:cancel" into the task and the operation behind it.
std::optional<RestPath> task_with_verb(std::string_view method, std::string_view last,
                                       std::string agent) {
  constexpr std::string_view cancel = ":cancel", subscribe = ":subscribe";
  const auto task = [&](std::string_view verb) {
    return std::string(last.substr(0, last.size() - verb.size()));
  };
  if (method == "POST" && last.ends_with(cancel))
    return RestPath{Operation::cancel, std::move(agent), task(cancel)};
  if ((method == "POST" || method == "GET") && last.ends_with(subscribe))
    return RestPath{Operation::subscribe, std::move(agent), task(subscribe)};
  if (method == "GET") return RestPath{Operation::get, std::move(agent), std::string(last)};
  return std::nullopt;
}

// The fields of a query as the members of a request: numbers and truth values are no texts there.
Json members_in(const http::Request& request) {
  Json object{Json::Object()};
  const auto fields = http::query_fields(request.url.query, 64);
  if (!fields) throw Fault(FaultKind::invalid_request, "the query of the address is not readable");
  for (const auto& [name, value] : *fields) {
    int number = 0;
    const char* const end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, number);
    const bool is_number = !value.empty() && read.ec == std::errc() && read.ptr == end;
    if (is_number && (name == "pageSize" || name == "historyLength")) object.set(name, number);
    else if (name == "includeArtifacts") object.set(name, value == "true");
    else if (!value.empty()) object.set(name, value);
  }
  // The specification shows status=working, too.
  if (const Json* const status = object.find("status"); status != nullptr) {
    std::string text = *status->if_text();
    if (!text.starts_with("TASK_STATE_")) {
      std::transform(text.begin(), text.end(), text.begin(), [](char each) {
        return each == '-'
                   ? '_'
                   : static_cast<char>(each >= 'a' && each <= 'z' ? each - 'a' + 'A' : each);
      });
      object.set("status", "TASK_STATE_" + text);
    }
  }
  return object;
}

Json body_of(const http::Request& request) {
  if (request.body.empty()) return Json(Json::Object());
  auto parsed = web::parse_json(request.body);
  if (parsed) return *std::move(parsed);
  const bool is_large = parsed.error().errc() == Errc::too_large;
  throw Fault(is_large ? FaultKind::invalid_request : FaultKind::parse_error,
              parsed.error().sentence());
}

Call rest_call(const RestPath& path, Json members) {
  const auto with = [&](const char* name, const std::string& value) -> const Json& {
    return members.set(name, value);
  };
  // The path's agent is the tenant, and what the path names counts.
  const web::JsonReader in(members);
  in.object();
  switch (path.operation) {
    case Operation::send:
    case Operation::stream:
      return SendCall{read<SendMessageRequest>(in), path.operation == Operation::stream};
    case Operation::get:
      with("id", path.task);
      return read<GetTaskRequest>(in);
    case Operation::list:
      return read<ListTasksRequest>(in);
    case Operation::cancel:
      with("id", path.task);
      return read<CancelTaskRequest>(in);
    case Operation::subscribe:
      with("id", path.task);
      return read<SubscribeRequest>(in);
    case Operation::create_push:
      with("taskId", path.task);
      return CreatePushCall{read<PushConfig>(in)};
    case Operation::get_push:
    case Operation::delete_push: {
      with("taskId", path.task);
      with("id", path.config);
      auto request = read<PushConfigRequest>(in);
      if (path.operation == Operation::get_push) return GetPushCall{std::move(request)};
      return DeletePushCall{std::move(request)};
    }
    case Operation::list_push:
      with("taskId", path.task);
      return read<ListPushConfigsRequest>(in);
    case Operation::get_card:
      break;
  }
  return read<GetCardRequest>(in);
}

}  // namespace

std::optional<RestPath> rest_path_in(std::string_view method, std::string_view path) {
  const Segments segments = cut(path);
  const std::string_view last = segments.back();
  const auto from_end = [&](std::size_t place) {
    return segments.size() > place ? segments[segments.size() - 1 - place] : std::string_view();
  };
  const bool posts = method == "POST", gets = method == "GET";
  if (posts && last == "message:send") return RestPath{Operation::send, without(segments, 1)};
  if (posts && last == "message:stream") return RestPath{Operation::stream, without(segments, 1)};
  if (gets && last == "extendedAgentCard")
    return RestPath{Operation::get_card, without(segments, 1)};
  if (last == configs && from_end(2) == "tasks" && (posts || gets))
    return RestPath{posts ? Operation::create_push : Operation::list_push, without(segments, 3),
                    std::string(from_end(1))};
  if (from_end(1) == configs && from_end(3) == "tasks" && (gets || method == "DELETE"))
    return RestPath{gets ? Operation::get_push : Operation::delete_push, without(segments, 4),
                    std::string(from_end(2)), std::string(last)};
  if (from_end(1) == "tasks" && !last.empty())
    return task_with_verb(method, last, without(segments, 2));
  if (gets && last == "tasks") return RestPath{Operation::list, without(segments, 1)};
  return std::nullopt;
}

Call call_in(const RestPath& path, const http::Request& request) {
  try {
    return rest_call(path, request.method == "POST" ? body_of(request) : members_in(request));
  } catch (const web::JsonError& error) {
    throw Fault::at(error.place().empty() ? "the body" : error.place(), error.problem());
  }
}

void check_version(const http::Request& request) {
  std::string version(request.headers.find("A2A-Version").value_or(""));
  if (version.empty()) {
    if (const auto fields = http::query_fields(request.url.query, 64))
      for (const auto& [name, value] : *fields)
        if (name == "A2A-Version") version = value;
  }
  if (version == "1.0" || version.starts_with("1.0.")) return;
  constexpr std::size_t longest = 20;
  throw Fault(FaultKind::version_not_supported,
              version.empty() ? "the request states no version, which means 0.3; send the header "
                                "A2A-Version: 1.0"
                              : "this version of A2A is not supported; send A2A-Version: 1.0",
              {{"supported", "1.0"}, {"requested", version.substr(0, longest)}});
}

}  // namespace coracle::a2a
