// The agent that stands for a tool of a server.
#pragma once

#include "client/link.hpp"

#include "coracle/agent.hpp"
#include "coracle/message.hpp"

#include <memory>
#include <string>

namespace coracle::mcp {

// Ends an agent, from the agent mcp/NAME.
struct EndTool {
  static constexpr std::string_view content_type = "mcp/end";
};

class ForeignTool final : public Agent {
 public:
  // `manager` may end it.
  ForeignTool(std::shared_ptr<ServerLink> link, ServerTool tool, const ForeignServer& server,
              Name manager);

  Task<> run() override;

 private:
  Task<> serve(Message request);
  Task<> give(const Message& request, Finished result);
  // Uses the tool, and answers its questions by those of the agent that has asked.
  Task<Finished> use(const Message& request, Json arguments);
  Task<std::optional<std::string>> answer_to(const Message& request, const Asked& asked,
                                             Time until);
  // The arguments in a request: an object of JSON, or a text for the only argument that is one.
  // Fails with web::JsonError.
  Json arguments_in(const Content& content) const;
  Task<Json> call(const Message& request, std::string_view method, Json params, Time until);

  const std::shared_ptr<ServerLink> link_;
  const ServerTool tool_;
  const Duration use_time_;
  const std::size_t most_uses_;
  const Name manager_;
  std::size_t uses_ = 0;
};

}  // namespace coracle::mcp
