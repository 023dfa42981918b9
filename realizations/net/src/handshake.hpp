// The beginning of a connection, in which two nodes exchange versions, society, and their
// identities. The connection itself proves an identity: TLS, or the user of a Unix socket. Pure,
// like the session that follows. Format: docs/wire.md
//
// The dialling node sends HELLO, the other node replies with its own HELLO, and the dialling node
// continues with RESUME, which belongs to the session. Until then no other frame is accepted, and
// never more than a kilobyte is kept.
#pragma once

#include "byte_network.hpp"
#include "realizations/net/src/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::net {

// Returns whether a text can be the name of a society or of a node: names appear in logs and on
// terminals.
bool is_name(std::string_view text) noexcept;

// The identity of this node, and the peers that it admits.
struct Identity {
  static constexpr std::size_t max_name = 255;  // for society and node, in bytes

  std::string society, node;  // both are not empty
  Epoch epoch;
  // True if peers are admitted whose connection proves nothing at all.
  bool anybody = false;
};

// The versions of the format that this node supports.
struct Versions {
  std::uint8_t least = 1, most = 1;
};

// The handshake of one connection.
class Handshake {
 public:
  // The longest frame, its first bytes included.
  static constexpr std::size_t largest_frame = 1024;

  // `peer` is what the connection itself proves. `expected` is the name of the node that we dial,
  // or empty for any node of the society. `number` is that of our session with it. `largest` is the
  // largest message that we accept. The references outlive this object.
  static Handshake dial(const Identity& self, const Peer& peer, std::string expected,
                        std::uint64_t number, std::uint64_t largest, Versions versions = {});
  static Handshake accept(const Identity& self, const Peer& peer, std::uint64_t largest,
                          Versions versions = {});

  // Takes bytes that have been read; returns how many of them it has used. Bytes behind the last
  // frame of the handshake are left.
  std::size_t received(std::span<const std::byte> bytes);
  // Returns the bytes that are to be written now; it returns them once.
  std::vector<std::byte> take();

  // Set on the accepting side when the caller must call answer().
  const std::optional<Greeting>& asked() const { return asked_; }
  // Continues with the number of our session with asked()->node.
  void answer(std::uint64_t number);

  // Set when the identity of the peer is proved; the bytes of take() are to be written first.
  const std::optional<Greeting>& done() const { return done_; }
  // Set when the handshake has failed; likewise.
  const std::optional<Closing>& failed() const { return failed_; }
  // Returns whether the peer sent the reason of the failure.
  bool was_told() const { return told_; }
  // Ends the handshake for that reason.
  void fail(Reason reason, std::string sentence);

  Session::Side side() const { return side_; }
  std::uint64_t number() const { return number_; }

 private:
  enum class State : std::uint8_t { hello, asked, agreed, over };

  Handshake(Session::Side side, const Identity& self, const Peer& peer, std::string expected,
            std::uint64_t number, std::uint64_t largest, Versions versions);
  void send_hello();
  void finish();
  void take_frame(FrameType type, ByteSpan frame);
  void take_hello(ByteSpan body);
  std::optional<Closing> judge(Greeting& greeting) const;

  Session::Side side_;
  const Identity* self_;
  const Peer* peer_;
  std::string expected_;
  std::uint64_t number_;
  std::uint64_t largest_;
  Versions versions_;
  State state_ = State::hello;
  std::vector<std::byte> out_;
  std::optional<Greeting> greeting_, asked_, done_;
  std::optional<Closing> failed_;
  bool told_ = false;
};

// The content of a HELLO, once its form is right; for tests and fuzzers too. Fails with a sentence.
struct Hello {
  Greeting greeting;
  Versions versions;
};
std::optional<Hello> read_hello(ByteSpan body, std::string& fault);
void append_hello(std::vector<std::byte>& out, const Hello& hello);

}  // namespace coracle::net
