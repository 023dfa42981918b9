#include "coracle/a2a/fault.hpp"

#include "coracle/support/quote.hpp"

#include <array>

namespace coracle::a2a {

using web::Json;

namespace {

struct FaultRow {
  FaultKind kind;
  int rpc;
  int http;
  const char* status;
  const char* reason;
};

constexpr std::array<FaultRow, 17> fault_rows = {{
    {FaultKind::parse_error, -32700, 400, "INVALID_ARGUMENT", "PARSE_ERROR"},
    {FaultKind::invalid_request, -32600, 400, "INVALID_ARGUMENT", "INVALID_REQUEST"},
    {FaultKind::method_not_found, -32601, 404, "NOT_FOUND", "METHOD_NOT_FOUND"},
    {FaultKind::invalid_params, -32602, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"},
    {FaultKind::internal_error, -32603, 500, "INTERNAL", "INTERNAL_ERROR"},
    {FaultKind::task_not_found, -32001, 404, "NOT_FOUND", "TASK_NOT_FOUND"},
    {FaultKind::task_not_cancelable, -32002, 400, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"},
    {FaultKind::push_not_supported, -32003, 400, "FAILED_PRECONDITION",
     "PUSH_NOTIFICATION_NOT_SUPPORTED"},
    {FaultKind::unsupported_operation, -32004, 400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION"},
    {FaultKind::content_type_not_supported, -32005, 400, "INVALID_ARGUMENT",
     "CONTENT_TYPE_NOT_SUPPORTED"},
    {FaultKind::invalid_agent_response, -32006, 500, "INTERNAL", "INVALID_AGENT_RESPONSE"},
    {FaultKind::extended_card_not_configured, -32007, 400, "FAILED_PRECONDITION",
     "EXTENDED_AGENT_CARD_NOT_CONFIGURED"},
    {FaultKind::extension_support_required, -32008, 400, "FAILED_PRECONDITION",
     "EXTENSION_SUPPORT_REQUIRED"},
    {FaultKind::version_not_supported, -32009, 400, "FAILED_PRECONDITION", "VERSION_NOT_SUPPORTED"},
    {FaultKind::agent_not_found, -32602, 404, "NOT_FOUND", "AGENT_NOT_FOUND"},
    {FaultKind::unauthenticated, -32600, 401, "UNAUTHENTICATED", "UNAUTHENTICATED"},
    {FaultKind::exhausted, -32603, 429, "RESOURCE_EXHAUSTED", "RESOURCE_EXHAUSTED"},
}};

const FaultRow& row_of(FaultKind kind) noexcept {
  return fault_rows[static_cast<std::size_t>(kind)];
}

// The objects that explain an error, in the form of google.rpc.
Json details_of(const Fault& fault) {
  Json info;
  info.set("@type", "type.googleapis.com/google.rpc.ErrorInfo");
  info.set("reason", reason_of(fault.kind()));
  info.set("domain", "a2a-protocol.org");
  if (!fault.details().empty()) {
    Json metadata;
    for (const auto& [name, value] : fault.details()) metadata.set(name, value);
    info.set("metadata", std::move(metadata));
  }
  Json details = Json().push(std::move(info));
  if (!fault.field().empty()) {
    Json violation;
    violation.set("field", fault.field()).set("description", fault.sentence());
    details.push(Json()
                     .set("@type", "type.googleapis.com/google.rpc.BadRequest")
                     .set("fieldViolations", Json().push(std::move(violation))));
  }
  return details;
}

std::string text_or_empty(const Json* value) {
  return value != nullptr && value->if_text() != nullptr ? *value->if_text() : std::string();
}

// The kind that the reason in the details says; nothing if there is none that is known.
std::optional<FaultKind> kind_in(const Json* details) noexcept {
  if (details == nullptr || details->if_array() == nullptr) return std::nullopt;
  for (const Json& each : *details->if_array()) {
    const Json* const reason = each.find("reason");
    if (reason == nullptr || reason->if_text() == nullptr) continue;
    for (const FaultRow& row : fault_rows)
      if (*reason->if_text() == row.reason) return row.kind;
  }
  return std::nullopt;
}

}  // namespace

Fault::Fault(FaultKind kind, const std::string& sentence, Details details)
    : Error(Errc::refused, sentence), kind_(kind), details_(std::move(details)) {}

Fault Fault::at(std::string field, const std::string& problem) {
  Fault fault(FaultKind::invalid_params, detail::quoted(field, 200) + " " + problem);
  fault.field_ = std::move(field);
  return fault;
}

const char* reason_of(FaultKind kind) noexcept { return row_of(kind).reason; }

web::RpcError rpc_error_of(const Fault& fault) {
  return {row_of(fault.kind()).rpc, fault.sentence(), details_of(fault)};
}

Fault fault_in(const web::RpcError& error) {
  std::optional<FaultKind> kind = kind_in(&error.data);
  for (const FaultRow& row : fault_rows)
    if (!kind && row.rpc == error.code) kind = row.kind;
  return Fault(kind.value_or(FaultKind::internal_error),
               error.message.empty() ? "the agent gives no reason" : error.message);
}

int http_status_of(FaultKind kind) noexcept { return row_of(kind).http; }

Json http_error_of(const Fault& fault) {
  const FaultRow& row = row_of(fault.kind());
  Json error;
  error.set("code", row.http).set("status", row.status).set("message", fault.sentence());
  error.set("details", details_of(fault));
  return Json().set("error", std::move(error));
}

Fault fault_in(int status, std::string_view body) {
  const auto parsed = web::parse_json(body);
  const Json* const error = parsed ? parsed->find("error") : nullptr;
  std::optional<FaultKind> kind;
  std::string sentence;
  if (error != nullptr) {
    kind = kind_in(error->find("details"));
    sentence = text_or_empty(error->find("message"));
  }
  for (const FaultRow& row : fault_rows)
    if (!kind && status != 400 && row.http == status) kind = row.kind;
  if (sentence.empty()) sentence = "the server answers with the status " + std::to_string(status);
  const FaultKind other = status >= 500 ? FaultKind::internal_error : FaultKind::invalid_request;
  return Fault(kind.value_or(other), sentence);
}

}  // namespace coracle::a2a
