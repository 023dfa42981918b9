// The end of a session's connection: why this node ends it, or why the peer does.
#pragma once

#include "realizations/net/src/session/terms.hpp"
#include "realizations/net/src/session/wire.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::net {

// One for each connection.
class ConnectionEnd {
 public:
  // From now on this node ends the connection; the first reason counts.
  void close(Reason reason, std::string sentence) {
    if (!closing_) closing_ = Closing{reason, std::move(sentence)};
  }
  // As close(), because of a received frame; returns false.
  bool fail(Reason reason, std::string_view what);
  // A GOODBYE has come; returns false.
  bool take_goodbye(ByteSpan body);
  // Writes the GOODBYE of this node in place of all other frames.
  void write_goodbye(std::vector<std::byte>& frames);

  // The reason of this node, and that of the peer.
  const std::optional<Closing>& closing() const { return closing_; }
  const std::optional<Closing>& farewell() const { return farewell_; }
  bool is_goodbye_written() const { return goodbye_written_; }

 private:
  std::optional<Closing> closing_, farewell_;
  bool goodbye_written_ = false;
};

}  // namespace coracle::net
