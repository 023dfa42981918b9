#include "crowd.hpp"

#include "output.hpp"

#include "coracle/agent.hpp"
#include "coracle/agent_spec.hpp"
#include "coracle/typed.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace coracle::player {

namespace {

struct Count {
  Count(std::int64_t id, std::int64_t agents) : command(id), open(agents) {}

  const std::int64_t command;
  std::atomic<std::int64_t> open, right = 0, wrong = 0;
};

class Pinger final : public Agent {
 public:
  Pinger(acl::AgentId target, std::int64_t rounds, std::shared_ptr<Count> count)
      : target_(std::move(target)), rounds_(rounds), count_(std::move(count)) {}

  Task<> run() override {
    const std::string own = name().str();
    for (std::int64_t round = 1; round <= rounds_; ++round) {
      acl::Message request;
      request.performative = acl::Performative::request;
      request.receivers = {target_};
      request.content = own + " " + std::to_string(round);
      request.conversation_id = own;
      request.reply_with = own + "-" + std::to_string(round);
      const Content content = Content::of(request);
      co_await send("fipa", content);
      const Message message = co_await receive();
      const auto* const reply = message.content().try_as<acl::Message>();
      const bool is_right = reply != nullptr && reply->performative == acl::Performative::inform &&
                            reply->content == request.content && reply->conversation_id == own &&
                            reply->in_reply_to == request.reply_with;
      ++(is_right ? count_->right : count_->wrong);
    }
    if (--count_->open == 0)
      print_answer(count_->command,
                   {{"right", count_->right.load()}, {"wrong", count_->wrong.load()}});
  }

 private:
  const acl::AgentId target_;
  const std::int64_t rounds_;
  const std::shared_ptr<Count> count_;
};

}  // namespace

void begin_crowd(Node& node, const json::object& command) {
  const std::int64_t agents = command.at("count").as_int64();
  const auto count = std::make_shared<Count>(command.at("id").as_int64(), agents);
  const json::array& targets = list_in(command, "targets");
  for (std::int64_t i = 0; i < agents; ++i) {
    const std::size_t target = static_cast<std::size_t>(i) % targets.size();
    node.create<Pinger>(text_in(command, "name") + std::to_string(i),
                        agent_id_from(targets[target].as_object()), command.at("rounds").as_int64(),
                        count);
  }
}

}  // namespace coracle::player
