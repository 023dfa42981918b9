// The Distributed realization: every two nodes have a link of their own, and no server is in the
// middle. Nodes find each other through a directory, of which each node keeps a replica.
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
  // The name of the society. Nodes of other societies are not let in.
  std::string society = "default";
  // The society's key, as `coracle keys --society-key` makes it: a secret that all nodes of the
  // society have and nobody else has. With a key, every connection except a Unix socket uses TLS
  // 1.3, which proves the key and encrypts what is sent. The value is one or more keys with commas
  // between them, or the path of a file with one key on each line. The first key is used to
  // connect, all are accepted, and a file that changes is read again. A connection that leaves this
  // host needs a key, a certificate, or `insecure`.
  // **A key does not protect a society from its own members: each member may give its node any
  // name, and may answer in the place of another member. Certificates do protect from that.**
  std::string key;
  // The folder with this node's certificate, as `coracle keys` makes it. The certificate proves the
  // identity of the node; a key beside it is used for the beacon alone. A file that changes there
  // is read again. Empty: no certificate.
  std::string tls;
  // Permits plain text to leave this host, where others can read and change it.
  bool insecure = false;
  // The places of directories, as "host:port", "tcp://host:port", "tls://host:port" or
  // "unix:///path"; the first directory that answers is used. None: the directory of this user on
  // this host, which the first node carries.
  std::vector<std::string> directories;
  // The way to find directories on a LAN when no directories are given, as "GROUP:PORT", behind
  // which there may be "@ADDRESS", the address of the only interface to use; or "off". Empty: the
  // usual beacon, if there is a key. If nobody answers, this node carries a directory.
  std::string beacon;
  // The places where other nodes may connect, in the same form, with port 0 for any free port.
  // None: a Unix socket, and also TCP where the directory is reached by TCP.
  std::vector<std::string> listen;
  // The folder for Unix sockets; empty: a folder of this user's own.
  std::string folder;
  // Permits nodes that connect at a Unix socket to go on through memory that they share.
  bool shared_memory = true;
  // Permits a node of another process to take over names of this node (AgentSpec::take_over) if it
  // has no certificate and gives the same NodeOptions::identity. This is for a program that is
  // started again at once after it has died, or that another program relieves. With certificates
  // this setting is not needed: nodes with the same certificate may take over names, others may
  // not.
  bool takeover = false;
  // The time of silence after which the connection to another node is closed. The connection is
  // made again when there is something to send.
  Duration idle = std::chrono::minutes(5);
  // The clock of the node's agents; nullptr means the machine's clock.
  std::shared_ptr<Clock> clock;
};

// Reads "directory=host:port,host:port&society=lab", the text that follows "distributed:". Settings
// that the text does not give are taken from CORACLE_DIRECTORY, CORACLE_SOCIETY, CORACLE_KEY and
// CORACLE_TLS in the environment. Fails with Errc::bad_realization.
Options options_from(std::string_view text);

// Returns the folder for the sockets of this user's nodes of that society, if Options::folder gives
// no other. The folder is made if needed, and only this user may enter it. Fails with
// Errc::not_permitted when somebody else has the folder.
std::string folder_of(const std::string& society);

// Makes a realization for one node. Fails with Errc::bad_options, bad_endpoint, cannot_listen.
Realization realization(Options options = {});

// Settings of a directory.
struct DirectoryOptions {
  // The places where nodes may connect; at least one.
  std::vector<std::string> listen;
  // As in Options.
  std::string society = "default";
  std::string key;
  std::string tls;
  bool insecure = false;
  // As in Options: the beacon by which this directory can be found.
  std::string beacon;
  // The file with the policy: who may register which names and join which groups, as
  // <coracle/grants.hpp> explains it; empty: everybody may. Messages do not go through the
  // directory.
  std::string policy;
  // The limits of the directory.
  DirectoryLimits limits;
  // The folder in which the directory's process keeps what nodes hand over when they stop. With a
  // folder, the process is the message store of the society, which it joins as a node of its own.
  // Empty: the society has no message store.
  std::string data;
  // The limits of what it keeps of that: in bytes, and in messages for one name.
  std::size_t kept_bytes = std::size_t{256} << 20;
  std::uint32_t kept_for_name = 1024;
  // The largest content of one message that it keeps, in bytes; up to 1 GiB.
  std::size_t content_limit = std::size_t{16} << 20;
  // Called with each event that is worth a line in a log; empty: the line goes to the log of the
  // library.
  std::function<void(const std::string&)> log;
};

// A directory for other nodes, which runs on a thread of its own until it is destroyed.
class DirectoryServer {
 public:
  // Fails with Errc::bad_options, bad_endpoint, cannot_listen, no_such_file; with a folder, also
  // with the errors of posix_disk(), disk_full, and unsupported (a later version has written the
  // folder).
  explicit DirectoryServer(DirectoryOptions options);
  ~DirectoryServer();

  // The content that the directory found in its folder; nothing without a folder.
  const StoreBackend::Found& found() const noexcept;
  // The endpoints at which the directory listens, with the true ports.
  const std::vector<std::string>& endpoints() const noexcept;

  // Reads the policy again; nobody is disconnected. When that fails, the previous policy stays in
  // force. Fails with Errc::bad_options, no_such_file.
  Result<void> read_policy_again();
  // Checks now whether the files of the key, the certificate and the list of revoked certificates
  // have changed, which the directory otherwise does every two seconds. Returns whether they have
  // changed. Links that would not be let in any more are closed, and all others go on. When reading
  // fails, the previous files stay in force. Fails with Errc::bad_options, not_permitted.
  Result<bool> read_keys_again();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::distributed
