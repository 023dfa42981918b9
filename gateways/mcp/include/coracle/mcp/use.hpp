// The use of a foreign tool as a typed call:
//
//   const double sum = co_await mcp::use<double>(*this, "mcp/calc/add", Numbers{1, 2});
//
// The arguments are an aggregate that names its fields (web/schema.hpp), or a map with texts as
// keys. Tests: gateways/mcp/tests/foreign_tools_test.cpp
#pragma once

#include "coracle/agent.hpp"
#include "coracle/codec.hpp"
#include "coracle/content.hpp"
#include "coracle/task.hpp"
#include "coracle/web/schema.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace coracle::mcp {

// The content for a tool with these arguments, and the encoded value in its reply. Fail with
// Errc::wrong_type.
Content use_content(const web::Schema& schema, const std::vector<std::byte>& arguments);
std::vector<std::byte> used_value(const web::Schema& schema, const Content& reply);

// Uses a tool. Fails as Agent::ask() does, with Errc::refused and the tool's text if it has failed,
// and with Errc::wrong_type if the arguments are no object, or the result is no R.
template <class R, class Arguments>
Task<R> use(Agent& me, Name tool, Arguments arguments, Deadline deadline = Deadline::never()) {
  std::vector<std::byte> bytes;
  coracle::detail::Codec<Arguments>::encode(*cbor_encoder(bytes), arguments);
  const Content content = use_content(web::schema_of<Arguments>(), bytes);
  const Message reply = co_await me.ask(tool, content, deadline);
  const std::vector<std::byte> encoded = used_value(web::schema_of<R>(), reply.content());
  R value{};
  const auto in = cbor_decoder(encoded, {.bytes_per_input_byte = 64});
  coracle::detail::Codec<R>::decode(*in, value);
  co_return value;
}

}  // namespace coracle::mcp
