// Where nodes of two processes meet.
#pragma once

#include "harness/options.hpp"

#include <coracle/realizations/central.hpp>
#include <coracle/realizations/distributed.hpp>
#include <optional>
#include <string>

namespace coracle::bench {

// A society of its own for one repeat: nobody else's nodes are in it.
class MeetingPlace {
 public:
  MeetingPlace();
  ~MeetingPlace();
  MeetingPlace(const MeetingPlace&) = delete;
  MeetingPlace& operator=(const MeetingPlace&) = delete;

  // The same options, with a realization that leads there.
  Options here(Options options);
  // Begins to serve its directory, or as its clearinghouse, in a thread; to be called when there is
  // a Partner.
  void serve();

 private:
  std::string folder_;
  bool is_central_ = false;
  std::optional<distributed::DirectoryServer> directory_;
  std::optional<central::Server> clearinghouse_;
};

}  // namespace coracle::bench
