// An agent of the player. Its role takes some messages, a conversation that it began takes others;
// it reports all that remain. Its commands are texts that come from the console.
#pragma once

#include "conversations.hpp"
#include "roles.hpp"

#include "coracle/agent.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coracle::player {

// The name of the port that gives commands.
inline constexpr const char* console_name = "console/player";

class PlayerAgent final : public Agent {
 public:
  PlayerAgent(const json::object& command, Place place, acl::Calendar calendar)
      : work_(std::move(place), calendar), role_(make_role(command, work_)) {}

  Task<> run() override;

 private:
  // An answer that follows the messages of the command.
  struct Answer {
    std::int64_t command;
    json::object fields;
  };

  void take(const acl::Message& message);
  void obey(const json::object& command);
  void obey(std::int64_t id, const std::string& verb, const json::object& command);
  void ask_df(std::int64_t id, const std::string& verb, const json::object& command);
  void ask_ams(std::int64_t id, const std::string& verb, const json::object& command);
  void cancel(const std::string& conversation);
  void finish_conversations();
  Time deadline() const noexcept;

  Work work_;
  const std::unique_ptr<Role> role_;
  std::vector<std::unique_ptr<Conversation>> conversations_;
  std::vector<Answer> answers_;
  bool is_ending_ = false;
};

}  // namespace coracle::player
