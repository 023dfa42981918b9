#include "view/replay_child.hpp"

#include "coracle/formats/story_of.hpp"

#include "coracle/clock.hpp"
#include "coracle/errors.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

extern char** environ;

namespace coracle::command {

namespace {

using namespace std::chrono_literals;

constexpr Duration longest_run = 60s;
constexpr std::size_t kept_output = 2000;  // bytes of the end of its errors
constexpr std::uint64_t largest_recording = std::uint64_t{512} << 20;

// A folder that is removed with all that is in it.
class Scratch {
 public:
  Scratch() : path_((std::filesystem::temp_directory_path() / "coracle-replay-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw Error(Errc::disk_failed,
                  "cannot make a folder for the replay: " + std::string(std::strerror(errno)) +
                      "; look at the folder for temporary files");
  }
  Scratch(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// The text of the realization that replays; its files have names without commas.
std::string realization_of(const Scratch& folder, const view::ReplayChange& change) {
  using How = view::ReplayChange::How;
  std::string text = "sim:replay=" + folder.file("before.db");
  if (change.how == How::drop) text += fmt::format(",drop={}", change.message);
  if (change.how == How::delay)
    text +=
        fmt::format(",delay={}:{}", change.message,
                    std::chrono::duration_cast<std::chrono::milliseconds>(change.longer).count());
  if (change.how == How::text)
    text += fmt::format(",change={}:{}", change.message, folder.file("text"));
  return text + ",record=" + folder.file("after.db");
}

// A process with its errors on a pipe, in a group of its own, so that its children end with it.
class Child {
 public:
  Child(const std::string& program, const std::string& realization) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail(program, errno);
    errors_ = ends[0];
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], 2);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    constexpr std::string_view key = "CORACLE_REALIZATION=";
    std::string setting = std::string(key) + realization, name = program;
    std::vector<char*> environment = {setting.data()};
    for (char** each = environ; *each != nullptr; ++each)
      if (!std::string_view(*each).starts_with(key)) environment.push_back(*each);
    environment.push_back(nullptr);
    char* const arguments[] = {name.data(), nullptr};
    const int code =
        ::posix_spawn(&pid_, program.c_str(), &files, &how, arguments, environment.data());
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    ::close(ends[1]);
    if (code != 0) ::close(errors_), fail(program, code);
  }
  Child(const Child&) = delete;
  ~Child() {
    ::kill(-pid_, SIGKILL);
    if (!has_ended_) ::waitpid(pid_, nullptr, 0);
    ::close(errors_);
  }

  // Waits for its end, and returns a sentence about it unless it was an ordinary one.
  std::string wait() {
    const Time end = steady_clock().now() + longest_run;
    while (steady_clock().now() < end) {
      read_errors();
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) != pid_) continue;
      has_ended_ = true;
      read_errors();
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
      const std::string how = WIFEXITED(status)
                                  ? fmt::format("with the code {}", WEXITSTATUS(status))
                                  : fmt::format("by the signal {}", ::strsignal(WTERMSIG(status)));
      return "the program ended " + how + (said_.empty() ? "" : ": " + said_);
    }
    return "the program was ended after 60 seconds";
  }

 private:
  [[noreturn]] static void fail(const std::string& program, int code) {
    throw Error(Errc::unsupported, "cannot start '" + program + "' for the replay: " +
                                       std::strerror(code) + "; give its path with --program");
  }

  // Waits a moment for errors, and keeps their end.
  void read_errors() {
    constexpr int moment = 20;  // milliseconds
    pollfd wanted{errors_, POLLIN, 0};
    if (::poll(&wanted, 1, moment) <= 0) return;
    char part[4096];
    const ::ssize_t count = ::read(errors_, part, sizeof part);
    if (count <= 0) return (void)::poll(nullptr, 0, moment);  // it has closed them
    said_.append(part, static_cast<std::size_t>(count));
    if (said_.size() > kept_output) said_.erase(0, said_.size() - kept_output);
  }

  ::pid_t pid_ = 0;
  int errors_ = -1;
  bool has_ended_ = false;
  std::string said_;
};

// A story with the recording that its texts are in.
struct Kept {
  explicit Kept(const std::string& file)
      : recording(recording::Recording::load(file, largest_recording)),
        story(formats::story_of(recording)) {}
  recording::Recording recording;
  formats::Story story;
};

}  // namespace

std::string no_replay(const recording::Recording& recording, const std::string& program) {
  if (!recording.is_simulated())
    return "the recording was made on '" + recording.realization() +
           "', and only recordings of the simulator can be replayed; record the program with "
           "CORACLE_REALIZATION=sim:record=FILE";
  if (!recording.complete())
    return "the recording is incomplete, so it cannot be replayed; record the program again";
  if (program.empty())
    return "the view needs the program that was recorded to replay it; start coracle view with "
           "--program FILE";
  return {};
}

view::ReplayedRun run_again(const std::string& program, const std::string& file,
                            const view::ReplayChange& change) {
  const Scratch folder;
  std::filesystem::create_symlink(std::filesystem::absolute(file), folder.file("before.db"));
  if (change.how == view::ReplayChange::How::text)
    std::ofstream(folder.file("text"), std::ios::binary) << change.text;
  view::ReplayedRun run;
  {
    Child child(program, realization_of(folder, change));
    run.note = child.wait();
  }
  if (!std::filesystem::exists(folder.file("after.db")))
    throw Error(Errc::unsupported,
                "the program has replayed nothing; it has to open its realization by name, as "
                "open(\"\") does, and play(...) for several hosts" +
                    (run.note.empty() ? std::string() : "; " + run.note));
  const auto kept = std::make_shared<const Kept>(folder.file("after.db"));
  run.story = std::shared_ptr<const formats::Story>(kept, &kept->story);
  return run;
}

}  // namespace coracle::command
