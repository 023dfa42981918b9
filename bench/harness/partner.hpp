// Measurements in which two processes take part.
#pragma once

#include "harness/options.hpp"

#include <coracle/realizations/distributed.hpp>
#include <functional>
#include <optional>
#include <string>

#include <sys/types.h>

namespace coracle::bench {

// A society of its own for one repeat: nobody else's nodes are in it.
class MeetingPlace {
 public:
  MeetingPlace();
  ~MeetingPlace();
  MeetingPlace(const MeetingPlace&) = delete;
  MeetingPlace& operator=(const MeetingPlace&) = delete;

  // The same options, with a realization that leads there.
  Options here(Options options) const;
  // Begins to serve its directory, in a thread; to be called when there is a Partner.
  void serve();

 private:
  std::string folder_;
  std::optional<distributed::DirectoryServer> directory_;
};

// A process beside this one that does its part of the work.
class Partner {
 public:
  // Requires that this process has no other thread. The part has failed if it throws.
  explicit Partner(const std::function<void()>& part);
  // Ends it if it still goes on.
  ~Partner();
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;

  // Waits for its end. Fails with NotDone if it has failed.
  void wait();

 private:
  pid_t process_ = -1;
};

}  // namespace coracle::bench
