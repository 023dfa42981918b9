// The work of a foreign agent. Its card is in foreign_agent.cpp, the course of one request in
// foreign_work.cpp, and its streams in foreign_streams.cpp.
#pragma once

#include "client/foreign_task.hpp"
#include "client/remote.hpp"
#include "coracle/a2a/foreign_agent.hpp"
#include "coracle/a2a/talk.hpp"
#include "coracle/errors.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace coracle::a2a {

inline bool ends_agent(const Error& error) noexcept {
  return error.errc() == Errc::stopped || error.errc() == Errc::fenced;
}

class ForeignAgent::Impl {
 public:
  // `session` makes the ids of messages unlike those of an earlier life.
  Impl(ForeignAgent& me, http::Client& client, ForeignOptions options, std::string session)
      : me_(me), client_(client), options_(std::move(options)), session_(std::move(session)) {}

  coracle::Task<> run();

 private:
  // A request of an agent, and what is known of its task.
  struct Errand {
    coracle::Message request;
    std::uint64_t number;  // no other request of this life has it
    bool talks;
    Time until;
    std::shared_ptr<const Remote> remote = nullptr;
    ForeignTask task;
    bool takes_news = true;       // the agent has had room for all of them
    std::string last_event = {};  // the number of the last change, if the server numbers them
  };

  // The first item of a stream.
  enum class Begins : std::uint8_t {
    with_news,   // as any other one
    with_task,   // the task as it is
    where_lost,  // the task as it is, and the missed changes behind it
  };
  // The end of a further stream.
  enum class Further : std::uint8_t { none, empty, news };

  coracle::Task<> follow_card();
  coracle::Task<> learn();
  coracle::Task<> need_card();
  coracle::Task<> describe(Properties properties);
  coracle::Task<AgentCard> read_card();
  ForeignProofs proofs() const { return {options_.token, options_.api_key}; }
  coracle::Task<> serve(coracle::Message request);
  coracle::Task<Content> work(Errand& errand);
  coracle::Task<> exchange(Errand& errand, SendMessageRequest message);
  coracle::Task<> listen(Errand& errand, SendMessageRequest message);
  coracle::Task<> begin(Errand& errand, SendMessageRequest message);
  coracle::Task<Further> subscribe(Errand& errand);
  coracle::Task<bool> read_stream(Errand& errand, http::EventSource events, Begins begins);
  coracle::Task<> look(Errand& errand);
  coracle::Task<> tell(Errand& errand, ForeignTask::News news);
  coracle::Task<bool> tell_one(const Errand& errand, Content content);
  coracle::Task<Content> ask_back(Errand& errand);
  coracle::Task<> end(coracle::Message request, Result<Content> outcome);
  coracle::Task<> cancel(std::shared_ptr<const Remote> remote, std::string task);
  SendMessageRequest message_of(const Errand& errand, const Content& content, unsigned turn) const;
  Duration left(const Errand& errand) const;
  bool has_room(const std::string& asker) const;
  void leave(const std::string& asker);
  Content params_of(const ExtensionRequest& wanted) const;

  ForeignAgent& me_;
  http::Client& client_;
  const ForeignOptions options_;
  const std::string session_;
  std::shared_ptr<const Remote> remote_;
  Properties properties_;
  std::size_t under_way_ = 0;
  std::map<std::string, std::size_t> askers_;  // the requests of each that are under way
  std::uint64_t last_errand_ = 0;
};

}  // namespace coracle::a2a
