// Feeds any text to the reader of a client's messages, in both revisions, and to the readers of
// cursors, headers, names of tools and addresses of resources; and to the reader of a server's
// messages, which the client has. There must be no crash; every refusal must be a response that can
// be read.
#include "client/words.hpp"
#include "model/request.hpp"
#include "model/results.hpp"
#include "model/tool_names.hpp"
#include "server/contents.hpp"
#include "server/looking.hpp"

#include "coracle/web/json_codec.hpp"
#include "coracle/web/json_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace {

using namespace coracle;
using namespace coracle::mcp;

void play_message(std::string_view text, bool may_be_earlier) {
  Incoming incoming = read_message(text, may_be_earlier);
  if (const auto* const bad = std::get_if<web::BadRpc>(&incoming)) {
    if (!web::read_rpc_response(web::write_rpc_error(bad->id, bad->error))) std::abort();
    return;
  }
  const auto* const request = std::get_if<Request>(&incoming);
  if (request == nullptr) return;
  if (request->id.is_null()) std::abort();
  (void)header_error({}, *request);
  const std::string response = respond(*request, {}, Json(Json::Object()));
  if (!web::read_rpc_response(response)) std::abort();
  try {
    const Content content = asked_content(request->arguments, {"**"});
    (void)to_json(answered(content), request->is_earlier);
  } catch (const web::JsonError&) {
    // The arguments are wrong.
  }
}

void play_text(std::string_view text) {
  const std::string written = to_tool_text(text);
  if (from_tool_text(written) != text) std::abort();
  if (const auto read = from_tool_text(text); read && to_tool_text(*read) != text) std::abort();
  (void)decoded_header(text);
  (void)name_of_resource(text);
  try {
    (void)name_in_cursor(std::string(text));
  } catch (const web::JsonError&) {
    // It is none.
  }
}

void play_server(std::string_view text) {
  const auto message = read_from_server(text, std::size_t{1} << 20);
  if (!message || !message->response) return;
  const auto* const result = std::get_if<Json>(&message->response->outcome);
  if (result == nullptr) return;
  for (const char* const task : {"", "t"}) {
    try {
      const Step step = read_step(*result, task);
      if (const auto* const asked = std::get_if<Asked>(&step))
        (void)web::to_text(responses_to(*asked, "{}"));
    } catch (const Error&) {
      // The result is none.
    }
  }
  try {
    (void)read_tool_page(*result);
  } catch (const web::JsonError&) {
    // It is no page.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  play_message(text, false);
  play_message(text, true);
  play_server(text);
  play_text(text.substr(0, 2000));
  if (const auto value = web::decoded_json(std::as_bytes(std::span(data, size))))
    (void)web::to_text(*value);
  return 0;
}
