// One connection of a server as a state machine: bytes and the time go in; requests, bytes and
// deadlines come out. Responses leave in the order of the requests.
// Tests: gateways/http/tests/session_test.cpp, tests/fuzz/http_fuzz.cpp
#pragma once

#include "coracle/http/server.hpp"
#include "io/output.hpp"
#include "message/reading.hpp"
#include "server/budget.hpp"
#include "server/target.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::http {

// The settings that all connections of a server share.
struct SessionSettings {
  ServerLimits limits;
  ReadLimits reading;
  Routes routes;
  std::optional<Sites> sites;
  Url own;  // the address of the server, for requests that name no host
};

// A request that was refused by a limit or a rule.
struct Refusal {
  int status;
  std::string reason;
};

class ServerSession {
 public:
  // A request for a handler.
  struct Job {
    const Handler* handler;
    Request request;
    std::uint64_t number;
  };

  // The settings and the budgets outlive the session.
  ServerSession(const SessionSettings& settings, Budget& all, Budget& of_peer, std::string peer,
                Time now);

  // --- events ---
  void on_bytes(std::string_view bytes, Time now);
  void on_end(Time now);  // the peer sends nothing more
  void on_written(Time now);
  void on_time(Time now);
  // From now on no request is read; those that were read are still responded to.
  void finish();

  // --- responses to request `number`; ignored if there was one before ---
  void respond(std::uint64_t number, Response response, Time now);
  // A response without an end; its bytes follow when it is its turn.
  void begin_stream(std::uint64_t number, Response head, Time now);
  // A response after which the connection belongs to another protocol.
  void begin_socket(std::uint64_t number, Response head, Time now);
  bool is_open(std::uint64_t number) const noexcept;  // there was no response

  // The request whose stream has its turn.
  std::optional<std::uint64_t> streaming() const noexcept;
  // The number of the request whose turn it is, or of the next one.
  std::uint64_t next_number() const noexcept { return first_number_; }
  void stream(std::string_view bytes, Time now);
  void end_stream(Time now);

  // --- decisions ---
  std::optional<Job> next_job();
  std::size_t jobs() const noexcept { return jobs_.size(); }
  Output& output() noexcept { return output_; }
  bool wants_bytes() const noexcept;
  Time deadline() const noexcept;
  // Returns whether the connection is to be closed once the output is empty.
  bool is_over() const noexcept { return is_over_ && exchanges_.empty(); }
  // Returns whether it is to be closed at once.
  bool is_broken() const noexcept { return is_broken_; }
  // Returns whether no request is under way, and since when.
  bool is_idle() const noexcept {
    return exchanges_.empty() && !reader_.has_begun() && output_.empty();
  }
  Time idle_since() const noexcept { return idle_since_; }
  // Returns whether nothing has ever come.
  bool is_new() const noexcept { return is_new_; }
  // The request after which the connection belongs to a WebSocket, and the bytes that came behind.
  std::optional<std::uint64_t> switched() const noexcept { return switched_; }
  std::string take_unread() { return std::exchange(unread_, {}); }

  std::vector<Refusal> take_refusals() { return std::exchange(refusals_, {}); }
  std::size_t held() const noexcept { return charge_.bytes(); }

 private:
  // A request that has no response yet, or whose response has not had its turn.
  struct Exchange {
    enum class State : unsigned char { waiting, ready, stream, socket };
    State state = State::waiting;
    bool is_head = false;  // its response has no body
    bool keeps_alive = true;
    bool says_so = false;                    // it has stated that the connection stays
    bool is_old = false;                     // HTTP/1.0
    bool is_upgrade = false;                 // it asks for a WebSocket
    bool is_chunked = false;                 // the stream
    std::string head, body;                  // of the response
    std::optional<std::string> shared_with;  // the origin whose pages may read the response
    std::size_t charged = 0;
  };

  void parse(std::string_view bytes, Time now);
  bool may_parse() const noexcept;
  void on_head(Time now);
  void on_request();
  void route(const Target& target, Time now);
  void respond_to_options(const Routes::Found& found, Time now);
  Exchange& add_exchange();
  void refuse(int status, const std::string& why, Time now, bool is_logged = true);
  void refuse_unread(Response response, Time now);
  void settle(Exchange& exchange, Response response);
  void write_head(Exchange& exchange, const Response& response, bool has_length) const;
  void advance(Time now);
  void expect_writing(Time now);
  void begin_closing();
  void charge();
  Exchange* waiting(std::uint64_t number) noexcept;

  const SessionSettings& settings_;
  const std::string peer_;
  MessageReader reader_;
  Charge charge_;
  std::deque<Exchange> exchanges_;
  std::uint64_t first_number_ = 0;  // of the exchanges
  std::size_t charged_ = 0;         // for all of them
  std::deque<Job> jobs_;
  std::string unread_;  // bytes that must wait
  Output output_;
  std::vector<Refusal> refusals_;
  std::optional<std::uint64_t> switched_;

  // The request that is being read, once its head is complete.
  const Handler* handler_ = nullptr;
  Request request_;
  bool is_upgrade_ = false;
  std::optional<std::string> shared_with_;

  std::size_t ignored_ = 0;  // bytes behind the last request
  bool is_new_ = true;       // nothing has come
  bool reads_ = true;        // further requests are read
  bool has_ended_ = false;   // the peer sends nothing more
  bool is_over_ = false, is_broken_ = false;
  Time head_until_ = Time::max(), body_until_ = Time::max(), write_until_ = Time::max();
  Time idle_since_;
};

}  // namespace coracle::http
