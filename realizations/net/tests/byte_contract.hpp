// The contract of the byte seam: what every Network promises, as cases that each realization runs.
#pragma once

#include "realizations/net/src/network.hpp"

#include <functional>
#include <span>

namespace coracle::net::test {

// Two networks that can reach each other, and the world between them.
class ByteBench {
 public:
  virtual ~ByteBench() = default;

  // Who listens, and who connects.
  virtual Network& listening() = 0;
  virtual Network& connecting() = 0;
  // Somewhere to listen, as the listener writes it; each time another place, or any free one.
  virtual Endpoint place() = 0;
  // Where nobody listens.
  virtual Endpoint nobody() = 0;
  // Whether the two prove who they are, and how.
  virtual Peer::Proof proof() const = 0;
  // Lets the next thing happen; false when nothing does any more.
  virtual bool turn() = 0;
  // Lets everything happen that needs nobody else.
  virtual void settle() = 0;

  // Turns until `done`; whether it came to be so.
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

// All sentences: about a connection, and about how it comes to be.
std::span<const ByteCase> stream_cases();
std::span<const ByteCase> connecting_cases();

// Proves each of them on a bench of its own.
void prove_all(const std::function<std::unique_ptr<ByteBench>()>& make_bench);

}  // namespace coracle::net::test
