// The contract of the byte interface: the promises of every Network, as cases that each realization
// runs.
#pragma once

#include "realizations/net/src/byte_network.hpp"

#include <functional>
#include <span>

namespace coracle::net::test {

// Two networks that can reach each other, and the simulated or real world between them.
class ByteBench {
 public:
  virtual ~ByteBench() = default;

  // The network that listens, and the network that connects.
  virtual Network& listening() = 0;
  virtual Network& connecting() = 0;
  // An endpoint to listen at, as the listener writes it; each time another one, or any free one.
  virtual Endpoint place() = 0;
  // An endpoint at which nobody listens.
  virtual Endpoint nobody() = 0;
  // The kind of proof of the two nodes' identities.
  virtual Peer::Proof proof() const = 0;
  // Runs the next event; returns false when there is none any more.
  virtual bool turn() = 0;
  // Runs everything that needs no further input.
  virtual void settle() = 0;

  // Turns until `done`; returns whether `done` became true.
  bool until(const std::function<bool()>& done) {
    while (!done())
      if (!turn()) return done();
    return true;
  }
};

// One sentence and its proof.
struct ByteCase {
  const char* sentence;
  void (*prove)(ByteBench&);
};

// A ByteCase that is named like its function.
#define CORACLE_BYTE_CASE(sentence) \
  ::coracle::net::test::ByteCase { #sentence, &sentence }

// All sentences: about a connection, and about making one.
std::span<const ByteCase> stream_cases();
std::span<const ByteCase> connecting_cases();

// Proves each sentence on a bench of its own.
void prove_all(const std::function<std::unique_ptr<ByteBench>()>& make_bench);

}  // namespace coracle::net::test
