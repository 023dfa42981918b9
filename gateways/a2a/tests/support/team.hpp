// A society whose agents are asked together: docs/a2a-groups.md.
#pragma once

#include "coracle/web/json_rpc.hpp"
#include "server/groups.hpp"
#include "support/place.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace coracle::a2a::test {

// A place with the agents lab/helper, lab/ann and lab/bob.
struct Team : Place {
  explicit Team(ServerOptions options = {}) : Place(std::move(options)) {
    node.create<Helper>("lab/ann");
    node.create<Helper>("lab/bob");
  }
  Task ask(const std::string& text, const Json& wish, const std::string& extension) {
    return task_in(answer_to(text, wish, extension));
  }
  Task ask(const std::string& text, const char* wish) {
    return ask(text, web::parse_json(wish).value(), std::string(groups_extension));
  }
  Json answer_to(const std::string& text, const Json& wish, const std::string& extension) {
    const Json params = message(text, Json().set("metadata", Json().set(groups_extension, wish)));
    const std::string body = web::write_rpc({"SendMessage", params, Json(7)});
    const http::Response response = fetch("POST", "/a2a/lab/helper", body, {}, true,
                                          {{"A2A-Extensions", "urn:x, " + extension}});
    active = std::string(response.headers.find("A2A-Extensions").value_or(""));
    return web::parse_json(response.body).value();
  }
  std::int64_t code(const char* wish) {
    return code_of(
        answer_to("hello", web::parse_json(wish).value(), std::string(groups_extension)));
  }

  std::string active;  // of the last answer
};

}  // namespace coracle::a2a::test
