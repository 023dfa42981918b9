// Societies whose nodes are of this process and meet at a server, as subjects of the contract.
#pragma once

#include "coracle/realization.hpp"
#include "subject.hpp"
#include "support/temporary_folder.hpp"

#include <functional>
#include <memory>
#include <string>

namespace coracle::contract {

// The way that messages take on this machine: over its sockets, or through memory of processes that
// met at a Unix socket.
enum class Way : std::uint8_t { unix_socket, shared_memory, tcp, tls };

inline bool is_by_unix(Way way) { return way == Way::unix_socket || way == Way::shared_memory; }

// What such a society has besides its nodes, made anew for each test.
class Served {
 public:
  virtual ~Served() = default;
  virtual Realization node() = 0;
  // Ends its server, or begins another one at the same place.
  virtual void serve(bool) {}

 protected:
  // Where its server is to listen.
  std::string place(Way way) const {
    return is_by_unix(way) ? "unix://" + (folder / "server") : "127.0.0.1:0";
  }
  // The folder with everybody's certificate; empty where none is needed.
  std::string certificate(Way way) const;

  test::TemporaryFolder folder;
};

// Agents on `nodes` nodes. It is called "unix_2_nodes_1_workers" and the like.
Subject served_subject(Way way, unsigned nodes, unsigned workers,
                       std::function<std::unique_ptr<Served>(Way)> make);

}  // namespace coracle::contract
