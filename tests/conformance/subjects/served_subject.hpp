// Societies whose nodes are all in this process and meet at a server, as subjects of the
// conformance suite.
#pragma once

#include "coracle/realization.hpp"
#include "subject.hpp"
#include "support/temporary_folder.hpp"

#include <functional>
#include <memory>
#include <string>

namespace coracle::conformance {

// The path of messages on this machine: over sockets, or through shared memory between processes
// that met at a Unix socket.
enum class Way : std::uint8_t { unix_socket, shared_memory, tcp, tls };

inline bool is_by_unix(Way way) { return way == Way::unix_socket || way == Way::shared_memory; }

// The parts of such a society besides its nodes, made anew for each test.
class Served {
 public:
  virtual ~Served() = default;
  virtual Realization node() = 0;
  // Ends its server (false), or starts another one at the same address (true).
  virtual void serve(bool) {}

 protected:
  // The address at which its server listens.
  std::string place(Way way) const {
    return is_by_unix(way) ? "unix://" + (folder / "server") : "127.0.0.1:0";
  }
  // The folder with the certificates of all; empty where none is needed.
  std::string certificate(Way way) const;

  test::TemporaryFolder folder;
};

// A subject with agents on `nodes` nodes. Its name is "unix_2_nodes_1_workers" and the like.
Subject served_subject(Way way, unsigned nodes, unsigned workers,
                       std::function<std::unique_ptr<Served>(Way)> make);

}  // namespace coracle::conformance
