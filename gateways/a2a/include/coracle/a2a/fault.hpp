// The errors of A2A, with their codes in both bindings.
// Tests: gateways/a2a/tests/fault_test.cpp
#pragma once

#include "coracle/errors.hpp"
#include "coracle/web/json.hpp"
#include "coracle/web/json_rpc.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::a2a {

// The kinds of errors.
enum class FaultKind : std::uint8_t {
  parse_error,
  invalid_request,
  method_not_found,
  invalid_params,
  internal_error,
  task_not_found,
  task_not_cancelable,
  push_not_supported,
  unsupported_operation,
  content_type_not_supported,
  invalid_agent_response,
  extended_card_not_configured,
  extension_support_required,
  version_not_supported,
  // These have no code of A2A.
  agent_not_found,
  unauthenticated,
  exhausted,  // a limit is reached; later, the same may succeed
};

// An error that a client gets, or that a client has got. The code is Errc::refused.
class Fault final : public Error {
 public:
  using Details = std::vector<std::pair<std::string, std::string>>;

  // `sentence` is for the client, too. `details` go with it, such as {"taskId", "7"}.
  Fault(FaultKind kind, const std::string& sentence, Details details = {});
  // A value of a request is wrong.
  static Fault at(std::string field, const std::string& problem);

  FaultKind kind() const noexcept { return kind_; }
  const Details& details() const noexcept { return details_; }
  // The value of a request that is wrong: "message.parts[0]"; empty if it is another error.
  const std::string& field() const noexcept { return field_; }

 private:
  FaultKind kind_;
  Details details_;
  std::string field_;
};

// The reason of a kind as clients know it: "TASK_NOT_FOUND".
const char* reason_of(FaultKind kind) noexcept;

// The error of a response of JSON-RPC, and back.
web::RpcError rpc_error_of(const Fault& fault);
Fault fault_in(const web::RpcError& error);

// The status and the body of a response of HTTP+JSON, and back.
int http_status_of(FaultKind kind) noexcept;
web::Json http_error_of(const Fault& fault);
Fault fault_in(int status, std::string_view body);

}  // namespace coracle::a2a
