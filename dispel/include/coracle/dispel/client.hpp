// Sends requests to servers (the paper's Client, section 2.2), by their names or by the services
// that they offer. Derive, and use call(); or use trigger(), which does not wait. Tests:
// tests/control/service_test.cpp.
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

// The target of a request: a server, or any agent that offers a service.
class Whom {
 public:
  Whom(Name server) noexcept : server_(std::move(server)) {}
  Whom(const char* server) : server_(server) {}
  Whom(const std::string& server) : server_(server) {}
  // Any agent that offers that service.
  static Whom service(std::string what) {
    Whom whom{Name()};
    whom.service_ = std::move(what);
    return whom;
  }

  // The name of the server, or else the service.
  const Name& server() const noexcept { return server_; }
  const std::string& offers() const noexcept { return service_; }

 private:
  Name server_;
  std::string service_;
};

// The options of a request.
struct CallOptions {
  // A higher lane is served first.
  std::uint32_t lane = 0;
  // The time for which the reply is of use, from now on and whichever server is asked; zero: for
  // ever.
  Duration within{};
  // The largest number of attempts, where one server after the other fails. A server that has
  // failed may have done the work all the same.
  std::uint32_t attempts = 3;
  // The time that one server may take before the next one is asked; zero: no limit for a server
  // that was named, 10 s for a server that was found by its service.
  Duration each{};
};

// An agent that sends requests. Several of its requests may be open at once.
class Client : public ReqRespAgent {
 public:
  Client();
  ~Client() override;

 protected:
  // Identifies one of this client's requests.
  using Ticket = std::uint64_t;

  // Sends a request and waits for the reply. Fails as Agent::ask() does, and with
  // Errc::no_such_agent when no server offers the service.
  template <class A, class Q>
  Task<A> call(Whom whom, Q question, CallOptions options = {}) {
    const Content asked = content_of(std::move(question), options);
    Result<Message> answer = co_await call_result(std::move(whom), asked, options);
    if (!answer) throw answer.error();
    co_return answer->template as<A>();
  }
  // Sends a request and does not wait: on_answer() receives the reply.
  template <class Q>
  Ticket trigger(Whom whom, Q question, CallOptions options = {}) {
    return trigger_content(std::move(whom), content_of(std::move(question), options), options);
  }
  // Called with the reply to a request that was triggered, or with its error.
  virtual void on_answer(Ticket ticket, const Result<Message>& answer);
  // The same as call(), with the content of a request and the error as a value.
  Task<Result<Message>> call_result(Whom whom, Content question, CallOptions options = {});
  // The number of triggered requests that have no reply yet.
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
  std::vector<Address> addresses_;  // of these servers
  Ticket last_ = 0;
  std::uint64_t open_ = 0;
};

}  // namespace coracle::dispel
