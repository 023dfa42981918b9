#include "harness/partner.hpp"

#include "harness/failures.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace coracle::bench {

MeetingPlace::MeetingPlace()
    : folder_((std::filesystem::temp_directory_path() / "coracle-bench-XXXXXX").string()) {
  if (mkdtemp(folder_.data()) == nullptr) {
    throw NotDone(fmt::format("the folder {} cannot be made; is there room?", folder_));
  }
}

MeetingPlace::~MeetingPlace() {
  directory_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Options MeetingPlace::here(Options options) const {
  if (!options.realization.ends_with(':')) options.realization += ',';
  options.realization += fmt::format("society=bench,folder={0},directory=unix://{0}/d", folder_);
  return options;
}

void MeetingPlace::serve() {
  distributed::DirectoryOptions options;
  options.society = "bench";
  options.listen = {fmt::format("unix://{}/d", folder_)};
  directory_.emplace(options);
}

Partner::Partner(const std::function<void()>& part) {
  std::fflush(nullptr);  // or the child would write it again
  process_ = fork();
  if (process_ > 0) return;
  if (process_ < 0) throw NotDone("a second process could not be made");
  int code = 0;
  try {
    part();
  } catch (const std::exception& error) {
    fmt::print(stderr, "coracle-bench: no number, because the second process failed: {}\n",
               error.what());
    code = 1;
  }
  std::fflush(nullptr);
  _exit(code);
}

Partner::~Partner() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Partner::wait() {
  int status = 0;
  waitpid(std::exchange(process_, -1), &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw NotDone("the second process did not do its part");
  }
}

}  // namespace coracle::bench
