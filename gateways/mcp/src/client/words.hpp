// The messages of a client to a server, and those of the server, as texts.
// Tests: gateways/mcp/tests/client_words_test.cpp, tests/fuzz/mcp_fuzz.cpp
#pragma once

#include "model/protocol.hpp"

#include "coracle/envelope.hpp"
#include "coracle/errors.hpp"
#include "coracle/http/headers.hpp"
#include "coracle/web/json.hpp"
#include "coracle/web/json_rpc.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coracle::mcp {

using web::Json;

// A request of ours.
struct OwnRequest {
  std::string_view method;
  Json params = Json(Json::Object());
  // The tool, for the header.
  std::string name = {};
  std::optional<TraceContext> trace = {};
  bool wants_progress = false;
};

// The text of a request. An earlier revision has no statements in `_meta`.
std::string request_text(std::int64_t id, const OwnRequest& request, bool is_earlier);
// The text of a notification.
std::string notification_text(std::string_view method, Json params);
// The headers of HTTP for a request.
http::Headers request_headers(const OwnRequest& request, std::string_view version);
// A value as a header may have it: =?base64?...?= if necessary.
std::string encoded_header(std::string_view value);

// The error in a response of the server.
class ServerFault final : public Error {
 public:
  explicit ServerFault(web::RpcError error);
  const web::RpcError& error() const noexcept { return error_; }

 private:
  web::RpcError error_;
};

// A message of the server: the response to a request, a notification, or a request, which only
// earlier revisions have.
struct FromServer {
  std::optional<web::RpcResponse> response = {};
  std::string method = {};
  Json params = {};
  Json id = {};  // of a request; null for a notification
};
// Reads one. Fails with Errc::bad_encoding and Errc::too_large.
Result<FromServer> read_from_server(std::string_view text, std::size_t most_bytes);

// A tool of the server.
struct ServerTool {
  std::string name, title, description;
  Json input = {};
};
// The tools on a page, and the cursor of the next one. Tools that nobody could use are left out.
// Fails with web::JsonError.
struct ToolPage {
  std::vector<ServerTool> tools = {};
  std::string next = {};
};
ToolPage read_tool_page(const Json& result);

// The next step of a use of a tool.
struct Finished {
  bool is_error = false;
  std::string text = {};           // all texts of the content
  std::optional<Json> value = {};  // the structured content; or the content, if it is not only text
};
struct Asked {
  std::string key, question;
  // The member that the answer is; empty: the answer is an object of JSON.
  std::string member = {};
  std::string state = {};  // that goes back with the answer
  std::string task = {};   // to which the answer goes; empty: to the tool
};
struct Waiting {
  std::string task;
  Duration pause;
};
using Step = std::variant<Finished, Asked, Waiting>;
// Reads the result of tools/call or of tasks/get. Fails with web::JsonError, also for a question
// that agents cannot answer, and with ServerFault for a task that has failed.
Step read_step(const Json& result, const std::string& task = {});

// The parameters by which a question is answered; nothing declines it.
Json responses_to(const Asked& asked, const std::optional<std::string>& answer);

}  // namespace coracle::mcp
