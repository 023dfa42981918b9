#include "meeting_place.hpp"

#include "harness/machines/hosts.hpp"
#include "harness/run/failures.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include <unistd.h>

namespace coracle::bench {

namespace {

// The network between the hosts is measured, and both hosts are on this machine.
constexpr const char* in_the_clear = "insecure=yes";

}  // namespace

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
  is_tcp_ = options.apart_on != nullptr;
  if (is_central_) {
    if (!options.realization.starts_with("central+unix:")) is_tcp_ = true;
    // The other settings of the server are kept.
    const std::size_t query = options.realization.find('?');
    more_ = query == std::string::npos ? "" : '&' + options.realization.substr(query + 1);
    options.realization = fmt::format("central+unix://{}/d?society=bench{}", folder_, more_);
    return options;
  }
  if (!options.realization.ends_with(':')) options.realization += ',';
  options.realization += fmt::format("society=bench,folder={}", folder_);
  if (!is_tcp_) options.realization += fmt::format(",directory=unix://{}/d", folder_);
  return options;
}

// The listening process finds out the number of the port; the others read it from a file.
void MeetingPlace::complete(Options& here, unsigned host) const {
  if (!is_tcp_) return;
  std::string where;
  if (!(std::ifstream(folder_ + "/where") >> where))
    throw NotDone("the server's address was not written");
  where = where.substr(where.rfind('/') + 1);
  if (is_central_) {
    here.realization = fmt::format("central://{}?society=bench{}", where, more_);
    if (here.apart_on) here.realization += fmt::format("&{}", in_the_clear);
  } else {
    here.realization += fmt::format(",{},directory={},listen={}:0", in_the_clear, where,
                                    here.apart_on->address(host));
  }
}

void MeetingPlace::serve(Options& here) {
  const auto begin = [this, &here](auto options, auto& served) {
    options.society = "bench";
    options.insecure = here.apart_on != nullptr;
    const std::string network =
        fmt::format("{}://{}:0", options.tls.empty() ? "tcp" : "tls",
                    here.apart_on ? here.apart_on->address(0) : "127.0.0.1");
    options.listen = {is_tcp_ ? network : fmt::format("unix://{}/d", folder_)};
    served.emplace(options);
    std::ofstream(folder_ + "/where") << served->endpoints().front() << '\n';
  };
  if (is_central_) {
    begin(server_, clearinghouse_);
  } else {
    begin(distributed::DirectoryOptions(), directory_);
  }
  complete(here, 0);
  close(std::exchange(opening_[1], -1));
}

void MeetingPlace::enter(Options& here) {
  close(std::exchange(opening_[1], -1));
  if (here.apart_on) here.apart_on->enter(1);
  char nothing = 0;
  while (read(opening_[0], &nothing, 1) < 0 && errno == EINTR) {
  }
  complete(here, 1);
}

}  // namespace coracle::bench
