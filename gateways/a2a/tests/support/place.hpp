// A society with a server of A2A, and what tests do with it.
#pragma once

#include "coracle/a2a/model_json.hpp"
#include "coracle/a2a/server.hpp"
#include "coracle/coracle.hpp"
#include "coracle/http/client.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coracle::a2a::test {

inline constexpr const char* eves_token = "token-of-eve-0123456789";
inline constexpr const char* mals_token = "token-of-mal-0123456789";

// Options with the callers eve and mal.
ServerOptions with_callers();

// Does what the text asks for.
class Helper : public Agent {
  coracle::Task<> run() override;
  coracle::Task<> talk(coracle::Message message, bool is_for_authorization);

  std::vector<coracle::Message> kept_;
};

// A society with two agents, lab/helper and hidden, one of which is exposed.
struct Place {
  explicit Place(ServerOptions options = {});

  http::Response fetch(const char* method, const std::string& path, const std::string& body = {},
                       const std::string& token = {}, bool with_version = true,
                       const http::Headers& more = {});
  // A call of JSON-RPC; returns its response.
  Json call(const std::string& method, const Json& params, const std::string& token = {});
  Json send(const std::string& text, const std::string& token = {}, const Json& more = {});
  // The parameters of SendMessage, with further members of the message.
  Json message(const std::string& text, const Json& more = {});
  // The items of the stream that answers a request. With `last_event`, it is one that goes on.
  std::vector<StreamItem> items_of(const std::string& path, const std::string& body, bool is_rpc,
                                   const std::string& last_event = {});

  http::Loop loop;
  Node node;
  std::optional<Server> server;
  std::optional<http::Client> client;
  int messages = 0;
};

// The task in a response.
Task task_in(const Json& response);
// The texts of the parts, each with | behind it.
std::string text_of(const std::vector<Part>& parts);
// The code of the error; zero if there is none.
std::int64_t code_of(const Json& response);

}  // namespace coracle::a2a::test
