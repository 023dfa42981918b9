#include "client/link.hpp"
#include "client/pending_call.hpp"
#include "lines/lines.hpp"

#include "coracle/support/log.hpp"
#include "coracle/support/quote.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

extern char** environ;

namespace coracle::mcp {

namespace {

// A program at the other ends of two pipes.
class ChildProgram {
 public:
  explicit ChildProgram(const std::vector<std::string>& command) {
    std::array<int, 2> in{}, out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0) fail_for(command, errno);
    if (::pipe2(out.data(), O_CLOEXEC) != 0) fail_for(command, errno);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    // The program begins with the signals as usual, whatever this thread has blocked.
    sigset_t none, pipe;
    sigemptyset(&none), sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &pipe);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<char*> words;
    for (const std::string& each : command) words.push_back(const_cast<char*>(each.c_str()));
    words.push_back(nullptr);
    const int error =
        ::posix_spawnp(&process_, words.front(), &actions, &attributes, words.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]), ::close(out[1]);
    to_ = in[1], from_ = out[0];
    if (error == 0) return;
    ::close(to_), ::close(from_);
    fail_for(command, error);
  }
  ChildProgram(const ChildProgram&) = delete;
  // Requires that end() was called.
  ~ChildProgram() { ::close(from_); }

  int to() const noexcept { return to_; }
  int from() const noexcept { return from_; }

  // Closes its input; ends it if it does not end itself.
  void end() noexcept {
    ::close(to_);
    for (const int signal : {0, SIGTERM, SIGKILL}) {
      if (signal != 0) ::kill(process_, signal);
      for (int i = 0; i < 200; ++i) {
        int status = 0;
        const ::pid_t found = ::waitpid(process_, &status, signal == SIGKILL ? 0 : WNOHANG);
        if (found == process_ || (found < 0 && errno != EINTR)) return;
        ::poll(nullptr, 0, 10);
      }
    }
  }

 private:
  [[noreturn]] static void fail_for(const std::vector<std::string>& command, int error) {
    throw Error(Errc::no_such_file,
                "the program " + coracle::detail::quoted(command.front()) +
                    " cannot be begun: " + std::generic_category().message(error));
  }

  ::pid_t process_ = 0;
  int to_ = -1, from_ = -1;
};

class PipeLink final : public ServerLink {
 public:
  explicit PipeLink(const ForeignServer& server)
      : most_bytes_(server.message_bytes), child_(server.command), writer_(child_.to()) {
    reader_ = std::thread([this] { read_all(); });
  }
  // The program may write while it ends, so it is read until then; nothing is answered any more.
  ~PipeLink() override {
    writer_.finish();
    child_.end();
    is_over_ = true;  // a child of the program may still have the pipe
    reader_.join();
  }

  Task<Json> call(Agent& me, OwnRequest request, Time until,
                  std::function<void(const FromServer&)> note) override {
    (void)me;
    const auto [id, pending] = add();
    const Removing removing{*this, id};
    writer_.write(request_text(id, request, revision.is_earlier));
    for (;;) {
      Task<std::optional<FromServer>> waiting = pending->next(until);
      const std::optional<FromServer> message = co_await waiting;
      if (!message) {
        Json params;
        params.set("requestId", id);
        writer_.write(notification_text("notifications/cancelled", std::move(params)));
        throw Error(Errc::expired, "the server of MCP has not answered in time");
      }
      if (!message->response) {
        if (note) note(*message);
        continue;
      }
      if (const auto* const error = std::get_if<web::RpcError>(&message->response->outcome))
        throw ServerFault(*error);
      co_return std::get<Json>(message->response->outcome);
    }
  }

  Task<> tell(Agent& me, std::string_view method, Json params) override {
    (void)me;
    writer_.write(notification_text(method, std::move(params)));
    co_return;
  }

 private:
  using Pending = std::shared_ptr<PendingCall>;
  struct Removing {
    ~Removing() {
      const std::lock_guard lock(link.mutex_);
      link.pending_.erase(id);
    }
    PipeLink& link;
    std::int64_t id;
  };

  std::pair<std::int64_t, Pending> add() {
    auto made = std::make_shared<PendingCall>();
    const std::lock_guard lock(mutex_);
    if (has_ended_) throw Error(Errc::disconnected, "the server of MCP has ended; begin it again");
    const std::int64_t id = ++last_id_;
    pending_.emplace(id, made);
    return {id, std::move(made)};
  }

  void read_all() noexcept {
    try {
      LineReader lines(child_.from(), most_bytes_, &is_over_);
      std::string line;
      while (lines.next(line)) take(line);
    } catch (const std::exception& error) {
      log(error.what());
    }
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    for (const auto& each : pending_) each.second->end();
  }

  void take(const std::string& line) {
    auto message = read_from_server(line, most_bytes_);
    if (!message) return log(message.error().sentence());
    if (!message->id.is_null()) {  // earlier revisions: the server asks for something
      writer_.write(web::write_rpc_error(
          message->id, {web::rpc_code::method_not_found, "this client cannot be asked"}));
      return;
    }
    if (const Pending pending = find(*message)) pending->put(*std::move(message));
  }

  // The request to which a message belongs: by its id, the token of a progress, or a subscription.
  Pending find(const FromServer& message) {
    const Json* id = nullptr;
    if (message.response) {
      id = &message.response->id;
    } else {
      id = message.params.find(meta::progress_token);
      const Json* const meta = message.params.find("_meta");
      if (id == nullptr && meta != nullptr) id = meta->find(meta::subscription);
    }
    const auto number = id == nullptr ? std::nullopt : id->if_whole();
    if (!number) return nullptr;
    const std::lock_guard lock(mutex_);
    const auto found = pending_.find(*number);
    return found == pending_.end() ? nullptr : found->second;
  }

  static void log(const std::string& what) {
    coracle::detail::log_debug(coracle::detail::LogPart::gateway,
                               [&] { return "a server of MCP: " + what; });
  }

  const std::size_t most_bytes_;
  ChildProgram child_;
  LineWriter writer_;
  std::mutex mutex_;  // guards the members below
  std::map<std::int64_t, Pending> pending_;
  std::int64_t last_id_ = 0;
  std::atomic<bool> is_over_ = false;
  bool has_ended_ = false;
  std::thread reader_;
};

}  // namespace

std::unique_ptr<ServerLink> pipe_link(const ForeignServer& server) {
  return std::make_unique<PipeLink>(server);
}

}  // namespace coracle::mcp
