// Feeds any text to the bindings of A2A: as a body of JSON-RPC, as a path, as a query, and as a
// body of HTTP+JSON. There must be no crash, and no error but a Fault.
#include "bindings/call.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace coracle::a2a;

void try_rest(const RestPath& path, const coracle::http::Request& request) {
  try {
    check_version(request);
    const Call call = call_in(path, request);
    (void)call_in(rpc_request_of(call, Json(1)));
  } catch (const Fault& fault) {
    (void)coracle::web::to_text(http_error_of(fault));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = coracle::web::read_rpc_request(text);
  if (const auto* const rpc = std::get_if<coracle::web::RpcRequest>(&read)) {
    try {
      const Call call = call_in(*rpc);
      (void)call_in(rpc_request_of(call, Json(1)));
    } catch (const Fault& fault) {
      if (fault.sentence().empty()) std::abort();
    }
  }
  coracle::http::Request request;
  request.headers.add("A2A-Version", "1.0");
  request.url.query = text;
  for (const char* method : {"GET", "POST", "DELETE"}) {
    const auto path = rest_path_in(method, text);
    request.method = method;
    if (path) try_rest(*path, request);
    request.body = text;
    if (request.method == "POST") try_rest({RestPath::Operation::send, "ann"}, request);
    if (request.method == "GET") try_rest({RestPath::Operation::list, "ann"}, request);
  }
  return 0;
}
