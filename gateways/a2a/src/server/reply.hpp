// The form of the answer to one call: that of JSON-RPC, or that of HTTP+JSON.
#pragma once

#include "coracle/a2a/fault.hpp"
#include "coracle/http/message.hpp"
#include "coracle/web/json.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coracle::a2a {

class ReplyForm {
 public:
  // HTTP+JSON.
  ReplyForm() = default;
  // JSON-RPC, with the id of the request.
  explicit ReplyForm(web::Json id) : id_(std::move(id)) {}

  // The response with a result or an error; `result` is JSON.
  http::Response result(std::string_view result) const;
  http::Response error(const Fault& fault) const;
  // The data of an event in a stream.
  std::string item(std::string_view item) const;

 private:
  std::optional<web::Json> id_;
};

}  // namespace coracle::a2a
