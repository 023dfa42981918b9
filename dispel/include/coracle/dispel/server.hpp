// Answers questions of any number of clients (the paper's Server, section 2.2): derive, and say
// what the answer is. Contract: dispel/tests/desk_test.cpp, tests/control/service_test.cpp.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/dispel/detail/question.hpp"
#include "coracle/dispel/reqresp_agent.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::dispel {

// How a server works.
struct ServerOptions {
  // What clients may ask for instead of its name; empty: by name only.
  std::string service;
  // How many questions it considers at the same time.
  std::uint32_t at_once = 1;
  // How many may wait at its desk in each lane; further ones wait in its mailbox. Of one client:
  // further ones are refused.
  std::uint32_t waiting = 4096;
  std::uint32_t each = 1024;
  // Lanes: a question of a higher one is always served before one of a lower.
  std::uint32_t lanes = 8;
};

// What all servers have in common.
class ServerAgent : public ReqRespAgent {
 public:
  explicit ServerAgent(ServerOptions options = {});
  ~ServerAgent() override;

  // Serves until retire(), or until its node stops. When it crashes, whoever waits for an answer to
  // a question that it has taken is told; what it has not taken waits for the next holder.
  Task<> run() override { return work_as_server(); }
  // Its settings.
  const ServerOptions& options() const noexcept { return options_; }

 protected:
  // What run() does, for an agent that has other roles beside this one.
  Task<> work_as_server();
  // It takes no more questions, and ends when those that it has taken are answered.
  void retire();

 private:
  template <class, class>
  friend class Server;
  struct Desk;

  // Whether a content is a question for this server, and what it says about itself.
  virtual bool understands(const Content& content, detail::QuestionHead& head) const = 0;
  // Its answer; without a type when it is one that must be considered.
  virtual Content answer_now(const Content& question) = 0;
  virtual Task<Content> answer_later(const Content& question) = 0;

  Match wanted() const;
  bool take(Message& question);
  Task<> take_in();
  Task<> turn_down(const Message& question);
  Task<> serve_all();
  Task<> serve(std::uint32_t ticket);
  // Has the main task look around.
  Task<> wake();
  Task<> say(const Message& question, Content answer);
  Task<> say_no(const Message& question, std::string why);

  ServerOptions options_;
  std::unique_ptr<Desk> desk_;
  Conversation wake_ = 0;
  std::uint32_t wakes_ = 0;  // that were not read yet
  bool rests_ = false;
  Time looked_;  // into the mailbox, the last time
  bool slow_ = false;
  bool retired_ = false;
};

// Answers questions of type Q by answers of type A.
template <class Q, class A>
class Server : public ServerAgent {
 public:
  using ServerAgent::ServerAgent;

 protected:
  // The answer. Throw a Refusal where there is none; another exception ends the server.
  virtual A answer(const Q&) {
    slow_ = true;
    return A{};
  }
  // The same for a server that must wait for something; then leave answer() alone. Several run at
  // the same time, as many as ServerOptions::at_once says.
  virtual Task<A> consider(const Q&) { co_return A{}; }

 private:
  static const Q* question_in(const Content& content) {
    if (const auto* more = content.try_as<detail::Question<Q>>()) return &more->what;
    return content.try_as<Q>();
  }
  bool understands(const Content& content, detail::QuestionHead& head) const final {
    if (const auto* more = content.try_as<detail::Question<Q>>()) {
      head = {more->lane};
      return true;
    }
    return content.try_as<Q>() != nullptr;
  }
  Content answer_now(const Content& question) final {
    A said = answer(*question_in(question));
    return slow_ ? Content() : Content::of(std::move(said));
  }
  Task<Content> answer_later(const Content& question) final {
    const Content kept = question;
    A said = co_await consider(*question_in(kept));
    co_return Content::of(std::move(said));
  }
};

}  // namespace coracle::dispel
