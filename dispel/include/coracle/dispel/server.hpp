// Serves the requests of any number of clients (the paper's Server, section 2.2): derive, and
// define the reply. Tests: dispel/tests/service/desk_test.cpp, tests/control/service_test.cpp.
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

// The options of a server.
struct ServerOptions {
  // The service that clients may ask for instead of the server's name; empty: by name only.
  std::string service;
  // The number of requests that the server considers at the same time.
  std::uint32_t at_once = 1;
  // `waiting`: the number of requests that may wait at the desk in each lane; further ones wait in
  // the mailbox. `each`: the same for one client; its further requests are refused.
  std::uint32_t waiting = 4096;
  std::uint32_t each = 1024;
  // The number of lanes. A request of a higher lane is always served before one of a lower lane.
  std::uint32_t lanes = 8;
};

// The common part of all servers.
class ServerAgent : public ReqRespAgent {
 public:
  explicit ServerAgent(ServerOptions options = {});
  ~ServerAgent() override;

  // Serves until retire(), or until its node stops. When the server crashes, the clients of the
  // requests that it has taken are notified; requests that it has not taken wait for the next
  // holder.
  Task<> run() override { return work_as_server(); }
  // The options of this server.
  const ServerOptions& options() const noexcept { return options_; }

 protected:
  // The body of run(), for an agent that has other roles beside this one.
  Task<> work_as_server();
  // Makes the server take no more requests, and end when all taken requests have replies.
  void retire();

 private:
  template <class, class>
  friend class Server;
  struct Desk;

  // Returns whether a content is a request for this server, and reads its head.
  virtual bool understands(const Content& content, detail::QuestionHead& head) const = 0;
  // The reply; without a type when the request must be considered.
  virtual Content answer_now(const Content& question) = 0;
  virtual Task<Content> answer_later(const Content& question) = 0;

  Match wanted() const;
  bool take(Message& question);
  Task<> take_in();
  Task<> turn_down(const Message& question);
  Task<> serve_all();
  Task<> serve(std::uint32_t ticket);
  // Makes the main task look again.
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

// Replies to requests of type Q with content of type A.
template <class Q, class A>
class Server : public ServerAgent {
 public:
  using ServerAgent::ServerAgent;

 protected:
  // Returns the reply. Throw a Refusal where there is none; another exception ends the server.
  virtual A answer(const Q&) {
    slow_ = true;
    return A{};
  }
  // The same for a server that must wait for something; then do not override answer(). Several run
  // at the same time, as many as ServerOptions::at_once allows.
  virtual Task<A> consider(const Q&) { co_return A{}; }

 private:
  static const Q* question_in(const Content& content) {
    if (const auto* more = content.try_as<detail::Question<Q>>()) return &more->what;
    return content.try_as<Q>();
  }
  bool understands(const Content& content, detail::QuestionHead& head) const override {
    if (const auto* more = content.try_as<detail::Question<Q>>()) {
      head = {more->lane};
      return true;
    }
    return content.try_as<Q>() != nullptr;
  }
  Content answer_now(const Content& question) override {
    A said = answer(*question_in(question));
    return slow_ ? Content() : Content::of(std::move(said));
  }
  Task<Content> answer_later(const Content& question) override {
    const Content kept = question;
    A said = co_await consider(*question_in(kept));
    co_return Content::of(std::move(said));
  }
};

}  // namespace coracle::dispel
