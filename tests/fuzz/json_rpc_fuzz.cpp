// Feeds any text to the readers of JSON-RPC. There must be no crash; a message that was read must
// be the same once it was written and read again.
#include "coracle/web/json_rpc.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle::web;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = read_rpc_request(text);
  if (const auto* const request = std::get_if<RpcRequest>(&read)) {
    const std::string written = write_rpc(*request);
    const auto again = read_rpc_request(written);
    const auto* const same = std::get_if<RpcRequest>(&again);
    if (same == nullptr || write_rpc(*same) != written) std::abort();
  } else {
    const BadRpc& bad = std::get<BadRpc>(read);
    if (!read_rpc_response(write_rpc_error(bad.id, bad.error))) std::abort();
  }
  if (const auto response = read_rpc_response(text)) {
    if (const auto* const result = std::get_if<Json>(&response->outcome))
      if (!read_rpc_response(write_rpc_result(response->id, to_text(*result)))) std::abort();
  }
  return 0;
}
