#include "harness/meeting_place.hpp"

#include "harness/failures.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

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

}  // namespace coracle::bench
