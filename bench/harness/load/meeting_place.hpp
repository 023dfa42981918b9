// The place where nodes of two processes meet.
#pragma once

#include "harness/run/options.hpp"

#include <coracle/realizations/central.hpp>
#include <coracle/realizations/distributed.hpp>
#include <optional>
#include <string>

namespace coracle::bench {

// Returns whether nodes of that realization find each other through a service, even when there is
// only one node.
bool has_service(const Options& options);

// A society of its own for one repeat: it has no other nodes.
class MeetingPlace {
 public:
  MeetingPlace();
  ~MeetingPlace();
  MeetingPlace(const MeetingPlace&) = delete;
  MeetingPlace& operator=(const MeetingPlace&) = delete;

  // The same options, with a realization that leads there: by a Unix socket, or by TCP on loopback
  // where the text asks for it ("central://", "distributed:listen=127.0.0.1:0"), or by TCP between
  // the two hosts that the options name.
  Options here(Options options);
  // Begins to serve the place's directory or clearinghouse, in a thread. Call it when all Partners
  // exist, on the first host if there are two. Puts the place into `here`, if the place is known
  // only now.
  void serve(Options& here);
  // The first step of a Partner: goes to the second host if there are two, and returns when the
  // place is served. Puts the place into `here`.
  void enter(Options& here);
  // Used by this place alone, and removed with it.
  const std::string& folder() const noexcept { return folder_; }
  // The options of a clearinghouse besides the place where it listens, before it serves.
  central::ServerOptions& server() noexcept { return server_; }

 private:
  void complete(Options& here, unsigned host) const;

  std::string folder_;
  std::string more_;           // the options of the server in the text, besides its place
  int opening_[2] = {-1, -1};  // a pipe: its writing end closes once the place is served
  central::ServerOptions server_;
  bool is_central_ = false;
  bool is_tcp_ = false;
  std::optional<distributed::DirectoryServer> directory_;
  std::optional<central::Server> clearinghouse_;
};

}  // namespace coracle::bench
