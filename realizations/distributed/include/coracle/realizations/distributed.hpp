// The Distributed realization: every two nodes have a link of their own, and nothing is in the
// middle. Nodes find each other by a directory, of which each keeps a replica.
#pragma once

#include "coracle/realization.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::distributed {

// Settings of a node of a Distributed society.
struct Options {
  // Which society: nodes of others are not let in.
  std::string society = "default";
  // The society's key, as `coracle keys --society-key` makes it: what all its nodes have and nobody
  // else does. Beyond Unix sockets all is said over TLS 1.3 then, which proves the key and hides
  // what is said. Keys with commas between them, or the path of a file with one on each line: the
  // first is used to connect, all are accepted, and a file that changes is read again. Whatever
  // leaves this host needs this, a certificate, or `insecure`.
  // **A key does not protect a society from its own members: each may call its node what it likes,
  // and answer in another's place. Certificates do.**
  std::string key;
  // The folder with this node's certificate, as `coracle keys` makes it. It proves who the node is;
  // a key beside it is for the beacon alone. What changes there is read again. Empty: none.
  std::string tls;
  // Whether plain text may leave this host, which others can read and change.
  bool insecure = false;
  // Where directories are, as "host:port", "tcp://host:port", "tls://host:port" or
  // "unix:///path"; the first that answers is used. None: the one of this user on this host, which
  // the first node carries.
  std::vector<std::string> directories;
  // How directories are found on a LAN when none are given, as "GROUP:PORT", behind which there may
  // be "@ADDRESS", that of the only interface to be used; or "off". Empty: as usual, if there is a
  // key. If nobody answers, this node carries a directory.
  std::string beacon;
  // Where other nodes may connect, likewise, with port 0 for any free one. None: by a Unix socket,
  // and where the directory is reached by TCP, by that too.
  std::vector<std::string> listen;
  // The folder for Unix sockets; empty: one of this user's own.
  std::string folder;
  // Whether nodes that meet at a Unix socket go on through memory that they share.
  bool shared_memory = true;
  // Whether nodes of other processes that have no certificate, and claim the same
  // NodeOptions::identity, may take over names of this one (AgentSpec::take_over): for a program
  // that is begun again at once when it has died, or is relieved by another. With certificates this
  // is not needed: nodes of one certificate may, others may not.
  bool takeover = false;
  // After how much silence the connection to another node is closed. It is made again when there is
  // something to say.
  Duration idle = std::chrono::minutes(5);
  // The clock of the node's agents; nullptr is the machine's.
  std::shared_ptr<Clock> clock;
};

// Understands "directory=host:port,host:port&society=lab": what follows "distributed:". What is
// not said is taken from CORACLE_DIRECTORY, CORACLE_SOCIETY, CORACLE_KEY and CORACLE_TLS in the
// environment. Fails with Errc::bad_realization.
Options options_from(std::string_view text);

// The folder for the sockets of this user's nodes of that society, if Options::folder says no
// other; made if need be, and nobody else may enter it. Fails with Errc::not_permitted when
// somebody else has it.
std::string folder_of(const std::string& society);

// Makes one, for one node. Fails with Errc::bad_options, bad_endpoint, cannot_listen.
Realization realization(Options options = {});

// Settings of a directory.
struct DirectoryOptions {
  // Where nodes may connect, at least one place.
  std::vector<std::string> listen;
  // As in Options.
  std::string society = "default";
  std::string key;
  std::string tls;
  bool insecure = false;
  // As in Options: by which it can be found.
  std::string beacon;
  // The file that says who may register which names and join which groups, as
  // <coracle/grants.hpp> explains; empty: everybody may. Messages do not come by here.
  std::string policy;
  // What it takes.
  DirectoryLimits limits;
  // The folder in which its process keeps what nodes hand over when they stop: it is the custodian
  // of the society then, and joins it as a node of its own. Empty: nobody is.
  std::string data;
  // How much of that it keeps: in bytes, and of messages for one name.
  std::size_t kept_bytes = std::size_t{256} << 20;
  std::uint32_t kept_for_name = 1024;
  // The largest content of one message that it keeps, in bytes; up to 1 GiB.
  std::size_t content_limit = std::size_t{16} << 20;
  // Told what is worth a line in a log; empty: it goes to the log of the library.
  std::function<void(const std::string&)> log;
};

// A directory for other nodes, on a thread of its own until it is destroyed.
class DirectoryServer {
 public:
  // Fails with Errc::bad_options, bad_endpoint, cannot_listen, no_such_file; with a folder, also
  // with what posix_disk() says, disk_full, and unsupported (a later version has written it).
  explicit DirectoryServer(DirectoryOptions options);
  ~DirectoryServer();

  // What was in its folder; nothing without one.
  const Custody::Found& found() const noexcept;
  // Where it listens, with the true ports.
  const std::vector<std::string>& endpoints() const noexcept;

  // Reads its policy again; nobody is disconnected. When that fails, the policy that there was goes
  // on to hold. Fails with Errc::bad_options, no_such_file.
  Result<void> read_policy_again();
  // Looks now at the files of its key, its certificate, and the list of revoked ones, at which it
  // looks every two seconds anyway: whether they have changed. Links that would not be let in any
  // more are closed, and all others go on. When that fails, what there was goes on to hold. Fails
  // with Errc::bad_options, not_permitted.
  Result<bool> read_keys_again();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace coracle::distributed
