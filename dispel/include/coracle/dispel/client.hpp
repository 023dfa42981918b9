// Asks servers (the paper's Client, section 2.2), by their names or by what they offer. Derive, and
// call; or trigger something, and go on. Contract: tests/control/service_test.cpp.
#pragma once

#include "coracle/dispel/detail/question.hpp"
#include "coracle/dispel/reqresp_agent.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::dispel {

namespace detail {
class Roster;
}

// Whom a question is for: a server, or anyone who offers a service.
class Whom {
 public:
  Whom(Name server) noexcept : server_(std::move(server)) {}
  Whom(const char* server) : server_(server) {}
  Whom(const std::string& server) : server_(server) {}
  // Anyone who offers that.
  static Whom service(std::string what) {
    Whom whom{Name()};
    whom.service_ = std::move(what);
    return whom;
  }

  // The one, or else the other.
  const Name& server() const noexcept { return server_; }
  const std::string& offers() const noexcept { return service_; }

 private:
  Name server_;
  std::string service_;
};

// What may be said about a question.
struct CallOptions {
  // A higher lane is served first.
  std::uint32_t lane = 0;
  // How long the answer is of use, from now on and whoever is asked; zero: for ever.
  Duration within{};
  // How often it is asked at most, where one server after the other fails. One that has failed may
  // have done what it was asked for.
  std::uint32_t attempts = 3;
  // How long one server may take before the next one is asked; zero: as long as it likes when it
  // was named, 10 s when it was found by its service.
  Duration each{};
};

// An agent that asks. Several of its questions may be open at once.
class Client : public ReqRespAgent {
 public:
  Client();
  ~Client() override;

 protected:
  // Names one of this client's questions.
  using Ticket = std::uint64_t;

  // Asks, and waits for the answer. Fails as Agent::ask() does, and with Errc::no_such_agent when
  // nobody offers the service.
  template <class A, class Q>
  Task<A> call(Whom whom, Q question, CallOptions options = {}) {
    const Content asked = content_of(std::move(question), options);
    Result<Message> answer = co_await call_result(std::move(whom), asked, options);
    if (!answer) throw answer.error();
    co_return answer->template as<A>();
  }
  // Asks, and does not wait: on_answer() is told.
  template <class Q>
  Ticket trigger(Whom whom, Q question, CallOptions options = {}) {
    return trigger_content(std::move(whom), content_of(std::move(question), options), options);
  }
  // What became of a question that was triggered.
  virtual void on_answer(Ticket ticket, const Result<Message>& answer);
  // The same as call(), with the content of a question and the error as a value.
  Task<Result<Message>> call_result(Whom whom, Content question, CallOptions options = {});
  // How many questions that were triggered have no answer yet.
  std::uint64_t open() const noexcept { return open_; }

 private:
  template <class Q>
  static Content content_of(Q question, const CallOptions& options) {
    if (options.lane == 0) return Content::of(std::move(question));
    detail::Question<Q> more;
    more.lane = options.lane;
    more.what = std::move(question);
    return Content::of(std::move(more));
  }
  Ticket trigger_content(Whom whom, Content question, CallOptions options);
  Task<> ask_for(Ticket ticket, Whom whom, Content question, CallOptions options);
  Task<> look_up(const std::string& service);

  std::map<std::string, std::unique_ptr<detail::Roster>, std::less<>> rosters_;
  std::vector<Name> asked_;         // servers
  std::vector<Address> addresses_;  // of these
  Ticket last_ = 0;
  std::uint64_t open_ = 0;
};

}  // namespace coracle::dispel
