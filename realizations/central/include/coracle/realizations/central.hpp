// The Central realization: a clearinghouse, which is a server through which all messages go. Every
// node has one connection, which leads to the server. The server knows all names and passes on what
// the nodes send to each other.
#pragma once

#include "coracle/disk.hpp"
#include "coracle/realization.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::central {

// The way in which a node gets from the server the messages that are for it. All ways but push are
// for study: earlier systems worked like that, and it is slower.
struct Delivery {
  // With push, the server sends a message at once. With notify, the server reports that something
  // waits, and the node requests it. With poll, the node requests messages again and again.
  enum class How : std::uint8_t { push, notify, poll };
  // The way that the node uses.
  How how = How::push;
  // With poll: the time that the node waits before its next request, when the server had nothing
  // more.
  Duration interval = std::chrono::milliseconds(10);
  // With notify and poll: the largest number of messages of the link that the node gets with one
  // request.
  std::uint32_t most = 1;
};

// Settings of a node of a Central society.
struct Options {
  // The place of the server, as "host:port", "tcp://host:port", "tls://host:port" or
  // "unix:///path".
  std::string server;
  // The name of the society. The server lets no node of another society in.
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
  // The folder with this node's certificate, as `coracle keys` makes it; it is used in place of a
  // key. A file that changes there is read again. Empty: no certificate.
  std::string tls;
  // Permits plain text to leave this host, where others can read and change it.
  bool insecure = false;
  // Permits a node that connects to the server at a Unix socket to go on through memory that both
  // share.
  bool shared_memory = true;
  // Permits a node of another process to take over names of this node (AgentSpec::take_over) if it
  // has no certificate and gives the same NodeOptions::identity. This is for a program that is
  // started again at once after it has died, or that another program relieves. With certificates
  // this setting is not needed: nodes with the same certificate may take over names, others may
  // not.
  bool takeover = false;
  // The way in which the node gets the messages that are for it.
  Delivery delivery;
  // The way in which the node finds the eavesdroppers' patterns that a message matches.
  Matching matching = Matching::set;
  // With `durable`, everything that the node's agents send goes to the server's disk first, and
  // from there to its target. A sender can then await Stage::stored. The server needs a folder for
  // this.
  bool durable = false;
  // The clock of the node's agents; nullptr means the machine's clock.
  std::shared_ptr<Clock> clock;
};

// Reads "//host:port?society=lab" behind "central:" and "central+tls:", and "///path?society=lab"
// behind "central+unix:"; `text` must begin with one of these schemes. Settings that the text does
// not give are taken from CORACLE_SOCIETY, CORACLE_KEY and CORACLE_TLS in the environment. Fails
// with Errc::bad_realization.
Options options_from(std::string_view text);

// Makes a realization for one node. Fails with Errc::bad_options, bad_endpoint.
Realization realization(Options options);

// Settings of a server.
struct ServerOptions {
  // The places where nodes may connect; at least one.
  std::vector<std::string> listen;
  // As in Options.
  std::string society = "default";
  std::string key;
  std::string tls;
  bool insecure = false;
  // The file with the policy, as <coracle/grants.hpp> explains it; empty: everybody may do
  // everything.
  std::string policy;
  // The limits of the server's directory.
  DirectoryLimits limits;
  // The folder in which the server keeps what nodes have handed over, so that it is there again
  // after a restart. Empty: the server keeps it in memory.
  std::string data;
  // Opens that folder; empty: it is opened as posix_disk() does. May fail with an Error.
  std::function<std::unique_ptr<Disk>(const std::string& folder)> disk;
  // The limits of what the server keeps of that: in bytes, and in messages for one name.
  std::size_t kept_bytes = std::size_t{256} << 20;
  std::uint32_t kept_for_name = 1024;
  // The largest content of one message that the server keeps, in bytes; up to 1 GiB.
  std::size_t content_limit = std::size_t{16} << 20;
  // Called with each event that is worth a line in a log; empty: the line goes to the log of the
  // library.
  std::function<void(const std::string&)> log;
};

// A clearinghouse, which runs on threads of its own until it is destroyed. It is the message store
// of its society: when a node stops, the server takes over the messages that wait for names that
// nobody holds. When another server follows this one, the nodes register again and send again what
// was under way. Messages that were handed over are there again if the server has a folder for
// them.
class Server {
 public:
  // Fails with Errc::bad_options, bad_endpoint, cannot_listen, no_such_file; with a folder, also
  // with the errors of posix_disk(), disk_full, and unsupported (a later version has written the
  // folder).
  explicit Server(ServerOptions options);
  ~Server();

  // The content that the server found in its folder; nothing without a folder.
  const StoreBackend::Found& found() const noexcept;
  // The endpoints at which the server listens, with the true ports.
  const std::vector<std::string>& endpoints() const noexcept;

  // Reads the policy again; nobody is disconnected. When that fails, the previous policy stays in
  // force. Fails with Errc::bad_options, no_such_file.
  Result<void> read_policy_again();
  // Checks now whether the files of the key, the certificate and the list of revoked certificates
  // have changed, which the server otherwise does every two seconds. Returns whether they have
  // changed. Links that would not be let in any more are closed, and all others go on. When reading
  // fails, the previous files stay in force. Fails with Errc::bad_options, not_permitted.
  Result<bool> read_keys_again();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::central
