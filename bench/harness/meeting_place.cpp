#include "harness/meeting_place.hpp"

#include "harness/failures.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include <unistd.h>

namespace coracle::bench {

bool has_service(const Options& options) {
  return options.realization.starts_with("distributed") ||
         options.realization.starts_with("central");
}

MeetingPlace::MeetingPlace()
    : folder_((std::filesystem::temp_directory_path() / "coracle-bench-XXXXXX").string()) {
  if (mkdtemp(folder_.data()) == nullptr) {
    throw NotDone(fmt::format("the folder {} cannot be made; is there room?", folder_));
  }
  if (pipe(opening_) != 0) throw NotDone("no pipe could be made");
}

MeetingPlace::~MeetingPlace() {
  directory_.reset();
  clearinghouse_.reset();
  for (const int end : opening_) {
    if (end >= 0) close(end);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Options MeetingPlace::here(Options options) {
  is_central_ = options.realization.starts_with("central");
  if (is_central_) {
    is_tcp_ = !options.realization.starts_with("central+unix:");
    // What else is said of the server goes on being said.
    const std::size_t query = options.realization.find('?');
    more_ = query == std::string::npos ? "" : '&' + options.realization.substr(query + 1);
    options.realization = fmt::format("central+unix://{}/d?society=bench{}", folder_, more_);
    return options;
  }
  if (!options.realization.ends_with(':')) options.realization += ',';
  options.realization += fmt::format("society=bench,folder={0},directory=unix://{0}/d", folder_);
  return options;
}

// The number of a port is found out by whoever listens; the others read it from a file.
void MeetingPlace::complete(Options& here) const {
  if (!is_tcp_) return;
  std::string where;
  if (!(std::ifstream(folder_ + "/where") >> where))
    throw NotDone("nobody said where the server is");
  here.realization =
      fmt::format("central://{}?society=bench{}", where.substr(where.rfind('/') + 1), more_);
}

void MeetingPlace::serve(Options& here) {
  const auto begin = [this](auto options, auto& served) {
    options.society = "bench";
    const char* const network = options.tls.empty() ? "tcp://127.0.0.1:0" : "tls://127.0.0.1:0";
    options.listen = {is_tcp_ ? network : fmt::format("unix://{}/d", folder_)};
    served.emplace(options);
    std::ofstream(folder_ + "/where") << served->endpoints().front() << '\n';
  };
  if (is_central_) {
    begin(server_, clearinghouse_);
  } else {
    begin(distributed::DirectoryOptions(), directory_);
  }
  complete(here);
  close(std::exchange(opening_[1], -1));
}

void MeetingPlace::enter(Options& here) {
  close(std::exchange(opening_[1], -1));
  char nothing = 0;
  while (read(opening_[0], &nothing, 1) < 0 && errno == EINTR) {
  }
  complete(here);
}

}  // namespace coracle::bench
