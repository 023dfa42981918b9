#include "coracle/mcp/stdio.hpp"

#include "lines/lines.hpp"
#include "model/request.hpp"
#include "model/results.hpp"
#include "server/outlet.hpp"
#include "server/state.hpp"

#include "coracle/detail/outside.hpp"
#include "coracle/web/callers.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace coracle::mcp {

namespace {

// The time for requests that are under way when the client has closed its side.
constexpr std::chrono::seconds time_for_rest(2);

// The client at the other end, with the lines that the gateway has not dealt with yet. Everything
// that serves the client owns it, as a tool's work may last longer than serve_stdio().
class LineClient {
 public:
  LineClient(GatewayState& to, int out) : gateway(to), writer(out) {}

  // Waits until there is room for a line.
  void add(std::size_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return lines_ < most_lines && bytes_ < most_bytes; });
    ++lines_;
    bytes_ += bytes;
  }
  // The text of a line has been read; the line has been dealt with.
  void free(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ -= bytes;
    changed_.notify_one();
  }
  void remove() {
    const std::lock_guard lock(mutex_);
    --lines_;
    changed_.notify_one();
  }
  // Waits until all lines have been dealt with, but no longer than that.
  void wait_for_rest(std::chrono::seconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] { return lines_ == 0; });
  }

  GatewayState& gateway;
  LineWriter writer;
  bool is_earlier = false;  // it has begun with initialize; used by the gateway's agent only

 private:
  static constexpr std::size_t most_lines = 1000, most_bytes = std::size_t{16} << 20;

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::size_t lines_ = 0, bytes_ = 0;
};

class LineOutlet final : public Outlet {
 public:
  // A subscriber misses nothing; notices of progress are lost if many bytes wait for the client.
  LineOutlet(std::shared_ptr<LineClient> client, bool may_lose)
      : client_(std::move(client)), may_lose_(may_lose) {}
  void notify(const std::string& message) override {
    if (!may_lose_ || client_->writer.waiting() < most_before_notices)
      client_->writer.write(message);
  }
  void respond(std::string message, int) override { client_->writer.write(std::move(message)); }
  void keep_open() override {}
  bool is_wanted() const override { return !client_->writer.has_failed(); }

 private:
  static constexpr std::size_t most_before_notices = std::size_t{1} << 20;

  const std::shared_ptr<LineClient> client_;
  const bool may_lose_;
};

// One line in the hands of the gateway's agent.
class LineTask final : public coracle::detail::Undertaking {
 public:
  LineTask(std::shared_ptr<LineClient> client, std::string line)
      : Undertaking(false),
        client_(std::move(client)),
        line_(std::move(line)),
        bytes_(line_.size()) {
    client_->add(bytes_);
  }
  ~LineTask() override {
    client_->free(bytes_);
    client_->remove();
  }

 private:
  Task<> run(Agent* agent) override {
    Incoming incoming = read_message(line_, client_->is_earlier);
    line_ = {};
    client_->free(std::exchange(bytes_, 0));
    if (auto* const request = std::get_if<Request>(&incoming)) {
      if (request->method == Method::initialize) client_->is_earlier = true;
      auto out = std::make_shared<LineOutlet>(client_, request->method != Method::listen);
      Task<> serving = client_->gateway.serve(*agent, std::move(*request),
                                              std::string(web::Callers::anyone), std::move(out),
                                              client_.get());
      co_await serving;
    } else if (auto* const cancelled = std::get_if<Cancelled>(&incoming)) {
      client_->gateway.call_off(client_.get(), cancelled->id);
    } else if (auto* const bad = std::get_if<web::BadRpc>(&incoming)) {
      client_->writer.write(web::write_rpc_error(bad->id, bad->error));
    }
  }
  void on_end(std::exception_ptr) noexcept override {}

  const std::shared_ptr<LineClient> client_;
  std::string line_;
  std::size_t bytes_;
};

// Gives the lines of the client to the gateway's agent until they end.
void take_lines(const std::shared_ptr<LineClient>& client, int in) {
  LineReader reader(in, message_limits.bytes);
  std::string line;
  while (!client->writer.has_failed() && reader.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    coracle::detail::FromOutside::begin(client->gateway.port(),
                                        std::make_shared<LineTask>(client, std::move(line)));
    line = {};
  }
}

// Lets requests end; calls off those that do not, and leaves what goes on all the same.
void leave(const std::shared_ptr<LineClient>& client) {
  if (!client->writer.has_failed()) client->wait_for_rest(time_for_rest);
  client->gateway.port().act<bool>([&](Agent&) -> Task<bool> {
    client->gateway.call_off_all(client.get());
    co_return true;
  });
  client->wait_for_rest(time_for_rest);
}

}  // namespace

void serve_stdio(Gateway& gateway, int in, int out) {
  const auto client = std::make_shared<LineClient>(gateway.state(), out);
  std::exception_ptr failure;
  try {
    take_lines(client, in);
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    leave(client);
  } catch (...) {
    if (failure == nullptr) failure = std::current_exception();
  }
  client->writer.finish();
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace coracle::mcp
