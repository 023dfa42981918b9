// Where nodes of two processes meet.
#pragma once

#include "harness/options.hpp"

#include <coracle/realizations/central.hpp>
#include <coracle/realizations/distributed.hpp>
#include <optional>
#include <string>

namespace coracle::bench {

// Whether nodes of that realization find each other by a service, even when there is only one.
bool has_service(const Options& options);

// A society of its own for one repeat: nobody else's nodes are in it.
class MeetingPlace {
 public:
  MeetingPlace();
  ~MeetingPlace();
  MeetingPlace(const MeetingPlace&) = delete;
  MeetingPlace& operator=(const MeetingPlace&) = delete;

  // The same options, with a realization that leads there: by a Unix socket, or by TCP on loopback
  // where the text says so ("central://", "distributed:listen=127.0.0.1:0"), or by TCP between the
  // two hosts that they name.
  Options here(Options options);
  // Begins to serve its directory, or as its clearinghouse, in a thread; to be called when there
  // are all Partners, on the first host if there are two. Says in `here` where, if that is known
  // only now.
  void serve(Options& here);
  // What a Partner does first: goes to the second host if there are two, and returns when the place
  // is served. Says in `here` where.
  void enter(Options& here);
  // Of this place alone, and gone with it.
  const std::string& folder() const noexcept { return folder_; }
  // What is said of a clearinghouse beside where it listens, before it serves.
  central::ServerOptions& server() noexcept { return server_; }

 private:
  void complete(Options& here, unsigned host) const;

  std::string folder_;
  std::string more_;           // what the text says of the server beside where it is
  int opening_[2] = {-1, -1};  // a pipe, whose writing end nobody has any more when it is served
  central::ServerOptions server_;
  bool is_central_ = false;
  bool is_tcp_ = false;
  std::optional<distributed::DirectoryServer> directory_;
  std::optional<central::Server> clearinghouse_;
};

}  // namespace coracle::bench
