// The Central realization: a clearinghouse, a server by which all messages go. Every node has one
// connection, to the server, which knows all names and passes on what nodes tell each other.
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

// How a node gets from the server what is for it. All but push is for study: it is how earlier
// systems did it, and it is slower.
struct Delivery {
  // The server sends it at once; or it says that there is something, and the node asks; or the node
  // asks again and again.
  enum class How : std::uint8_t { push, notify, poll };
  // Which of them.
  How how = How::push;
  // With poll: how long the node waits, when there was nothing more, before it asks again.
  Duration interval = std::chrono::milliseconds(10);
  // With notify and poll: how many messages of the link it gets at most each time it asks.
  std::uint32_t most = 1;
};

// Settings of a node of a Central society.
struct Options {
  // Where the server is, as "host:port", "tcp://host:port", "tls://host:port" or "unix:///path".
  std::string server;
  // Which society: the server lets no others in.
  std::string society = "default";
  // The society's key, as `coracle keys --society-key` makes it: what all its nodes have and nobody
  // else does. Beyond Unix sockets all is said over TLS 1.3 then, which proves the key and hides
  // what is said. Keys with commas between them, or the path of a file with one on each line: the
  // first is used to connect, all are accepted, and a file that changes is read again. Whatever
  // leaves this host needs this, a certificate, or `insecure`.
  // **A key does not protect a society from its own members: each may call its node what it likes,
  // and answer in another's place. Certificates do.**
  std::string key;
  // The folder with this node's certificate, as `coracle keys` makes it, in place of a key. What
  // changes there is read again. Empty: none.
  std::string tls;
  // Whether plain text may leave this host, which others can read and change.
  bool insecure = false;
  // Whether a node that meets the server at a Unix socket goes on through memory that both share.
  bool shared_memory = true;
  // Whether nodes of other processes that have no certificate, and claim the same
  // NodeOptions::identity, may take over names of this one (AgentSpec::take_over): for a program
  // that is begun again at once when it has died, or is relieved by another. With certificates this
  // is not needed: nodes of one certificate may, others may not.
  bool takeover = false;
  // How it gets what is for it.
  Delivery delivery;
  // How it finds the eavesdroppers' patterns that a message matches.
  Matching matching = Matching::set;
  // Whether all that the node's agents send goes to the server's disk first, and from there to its
  // target; so a sender can await Stage::stored. The server needs a folder.
  bool durable = false;
  // The clock of the node's agents; nullptr is the machine's.
  std::shared_ptr<Clock> clock;
};

// Understands "//host:port?society=lab" behind "central:" and "central+tls:", and
// "///path?society=lab" behind "central+unix:", which `text` is to begin with. What is not said is
// taken from CORACLE_SOCIETY, CORACLE_KEY and CORACLE_TLS in the environment. Fails with
// Errc::bad_realization.
Options options_from(std::string_view text);

// Makes one, for one node. Fails with Errc::bad_options, bad_endpoint.
Realization realization(Options options);

// Settings of a server.
struct ServerOptions {
  // Where nodes may connect, at least one place.
  std::vector<std::string> listen;
  // As in Options.
  std::string society = "default";
  std::string key;
  std::string tls;
  bool insecure = false;
  // The file that says who may do what, as <coracle/grants.hpp> explains; empty: everybody may do
  // everything.
  std::string policy;
  // What its directory takes.
  DirectoryLimits limits;
  // The folder in which it keeps what nodes have handed over, so that a restart has it again.
  // Empty: it is kept in memory.
  std::string data;
  // Opens that folder; empty: as posix_disk() does. May fail with an Error.
  std::function<std::unique_ptr<Disk>(const std::string& folder)> disk;
  // How much of that it keeps: in bytes, and of messages for one name.
  std::size_t kept_bytes = std::size_t{256} << 20;
  std::uint32_t kept_for_name = 1024;
  // The largest content of one message that it keeps, in bytes; up to 1 GiB.
  std::size_t content_limit = std::size_t{16} << 20;
  // Told what is worth a line in a log; empty: it goes to the log of the library.
  std::function<void(const std::string&)> log;
};

// A clearinghouse, on threads of its own until it is destroyed. It is the custodian of its society:
// when a node stops, it takes over what waits for names that nobody holds. When another one follows
// it, nodes register again and give it again what was under way; what was handed over is there
// again if there is a folder for it.
class Server {
 public:
  // Fails with Errc::bad_options, bad_endpoint, cannot_listen, no_such_file; with a folder, also
  // with what posix_disk() says, disk_full, and unsupported (a later version has written it).
  explicit Server(ServerOptions options);
  ~Server();

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

}  // namespace coracle::central
