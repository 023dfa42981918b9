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
#include <mutex>
#include <string>
#include <utility>

namespace coracle::mcp {

namespace {

// The time for requests that are under way when the client has closed its side.
constexpr std::chrono::seconds time_for_rest(2);

// The client at the other end, with the lines that the gateway has not dealt with yet.
class LineClient {
 public:
  LineClient(GatewayState& to, LineWriter& back) : gateway(to), writer(back) {}

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
  // Waits until all lines have been dealt with; returns false if that takes longer.
  bool wait_for_rest(std::chrono::seconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return lines_ == 0; });
  }
  void wait_for_rest() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return lines_ == 0; });
  }

  GatewayState& gateway;
  LineWriter& writer;
  bool is_earlier = false;  // it has begun with initialize; used by the gateway's agent only

 private:
  static constexpr std::size_t most_lines = 1000, most_bytes = std::size_t{16} << 20;

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::size_t lines_ = 0, bytes_ = 0;
};

class LineOutlet final : public Outlet {
 public:
  explicit LineOutlet(LineWriter& writer) : writer_(writer) {}
  void notify(const std::string& message) override { writer_.write(message); }
  void respond(std::string message, int) override { writer_.write(std::move(message)); }
  void keep_open() override {}
  bool is_wanted() const override { return !writer_.has_failed(); }

 private:
  LineWriter& writer_;
};

// One line in the hands of the gateway's agent.
class LineTask final : public coracle::detail::Undertaking {
 public:
  LineTask(LineClient& client, std::string line)
      : Undertaking(false), client_(client), line_(std::move(line)), bytes_(line_.size()) {
    client_.add(bytes_);
  }
  ~LineTask() override {
    client_.free(bytes_);
    client_.remove();
  }

 private:
  Task<> run(Agent* agent) override {
    Incoming incoming = read_message(line_, client_.is_earlier);
    line_ = {};
    client_.free(std::exchange(bytes_, 0));
    if (auto* const request = std::get_if<Request>(&incoming)) {
      if (request->method == Method::initialize) client_.is_earlier = true;
      auto out = std::make_shared<LineOutlet>(client_.writer);
      Task<> serving = client_.gateway.serve(
          *agent, std::move(*request), std::string(web::Callers::anyone), std::move(out), &client_);
      co_await serving;
    } else if (auto* const cancelled = std::get_if<Cancelled>(&incoming)) {
      client_.gateway.call_off(&client_, cancelled->id);
    } else if (auto* const bad = std::get_if<web::BadRpc>(&incoming)) {
      client_.writer.write(web::write_rpc_error(bad->id, bad->error));
    }
  }
  void on_end(std::exception_ptr) noexcept override {}

  LineClient& client_;
  std::string line_;
  std::size_t bytes_;
};

}  // namespace

void serve_stdio(Gateway& gateway, int in, int out) {
  GatewayState& state = gateway.state();
  LineWriter writer(out);
  LineReader reader(in, message_limits.bytes);
  LineClient client(state, writer);
  std::string line;
  while (!writer.has_failed() && reader.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    coracle::detail::FromOutside::begin(state.port(),
                                        std::make_shared<LineTask>(client, std::move(line)));
    line = {};
  }
  // A client that only writes gets the answers that come soon.
  if (!writer.has_failed()) (void)client.wait_for_rest(time_for_rest);
  state.port().act<bool>([&](Agent&) -> Task<bool> {
    state.call_off_all(&client);
    co_return true;
  });
  client.wait_for_rest();
}

}  // namespace coracle::mcp
