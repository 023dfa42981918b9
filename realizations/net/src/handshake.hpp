// How two nodes get to know each other at the beginning of a connection: versions, society, and
// who they are. What proves it is the connection itself: TLS, or the user of a Unix socket. Pure,
// like the session that follows. Format: docs/wire.md
//
// The one that has dialled says HELLO, the other answers with its own, and the first one goes on
// with RESUME, which is the session's. Until then nothing else is understood, and never more than
// a kilobyte is kept.
#pragma once

#include "realizations/net/src/network.hpp"
#include "realizations/net/src/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::net {

// Whether a text can be the name of a society or of a node: they stand in logs and on terminals.
bool is_name(std::string_view text) noexcept;

// Who we are, and whom we let in.
struct Identity {
  static constexpr std::size_t max_name = 255;  // of society and node, in bytes

  std::string society, node;  // both are not empty
  Epoch epoch;
  // Whether those are let in whose connection proves nothing at all.
  bool anybody = false;
};

// Which versions of the format we speak.
struct Versions {
  std::uint8_t least = 1, most = 1;
};

// One connection's beginning.
class Handshake {
 public:
  // The longest frame, its first bytes included.
  static constexpr std::size_t largest_frame = 1024;

  // `peer` is what the connection itself proves. `expected` is whom we dial, or empty: anybody of
  // the society. `number` is that of our session with it. The references outlive it.
  static Handshake dial(const Identity& self, const Peer& peer, std::string expected,
                        std::uint64_t number, const PerLane<std::uint64_t>& largest,
                        Versions versions = {});
  static Handshake accept(const Identity& self, const Peer& peer,
                          const PerLane<std::uint64_t>& largest, Versions versions = {});

  // Takes what has been read; returns how many bytes of it are done with. What follows the last
  // frame of the handshake is left.
  std::size_t received(std::span<const std::byte> bytes);
  // What is to be written now; it is given once.
  std::vector<std::byte> take();

  // Set for the accepting side when it is to answer().
  const std::optional<Greeting>& asked() const { return asked_; }
  // Goes on with the number of our session with asked()->node.
  void answer(std::uint64_t number);

  // Set when the peer is who it says; what take() gives is to be written first.
  const std::optional<Greeting>& done() const { return done_; }
  // Set when it has failed; likewise.
  const std::optional<Closing>& failed() const { return failed_; }
  // Whether it was the peer who said so.
  bool was_told() const { return told_; }
  // Ends it for that reason.
  void fail(Reason reason, std::string sentence);

  Session::Side side() const { return side_; }
  std::uint64_t number() const { return number_; }

 private:
  enum class State : std::uint8_t { hello, asked, agreed, over };

  Handshake(Session::Side side, const Identity& self, const Peer& peer, std::string expected,
            std::uint64_t number, const PerLane<std::uint64_t>& largest, Versions versions);
  void say_hello();
  void finish();
  void take_frame(FrameType type, ByteSpan frame);
  void take_hello(ByteSpan body);
  std::optional<Closing> judge(Greeting& greeting) const;

  Session::Side side_;
  const Identity* self_;
  const Peer* peer_;
  std::string expected_;
  std::uint64_t number_;
  PerLane<std::uint64_t> largest_;
  Versions versions_;
  State state_ = State::hello;
  std::vector<std::byte> out_;
  std::optional<Greeting> greeting_, asked_, done_;
  std::optional<Closing> failed_;
  bool told_ = false;
};

// What a HELLO says, once its form is right; for tests and fuzzers too. Fails with a sentence.
struct Hello {
  Greeting greeting;
  Versions versions;
};
std::optional<Hello> read_hello(ByteSpan body, std::string& fault);
void write_hello(WireWriter& writer, const Hello& hello);

}  // namespace coracle::net
