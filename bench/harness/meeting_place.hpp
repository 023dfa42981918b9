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
  // Begins to serve its directory, or as its clearinghouse, in a thread; to be called when there
  // are all Partners.
  void serve();
  // What a Partner does first: returns when the place is served.
  void enter();

 private:
  std::string folder_;
  int opening_[2] = {-1, -1};  // a pipe, whose writing end nobody has any more when it is served
  bool is_central_ = false;
  std::optional<distributed::DirectoryServer> directory_;
  std::optional<central::Server> clearinghouse_;
};

}  // namespace coracle::bench
