// The ways by which letters travel between platforms: message transport protocols (MTP).
// Realizations: http_mtp.hpp.
#pragma once

#include "coracle/fipa/letter.hpp"

#include "coracle/port.hpp"
#include "coracle/task.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::fipa {

class Mtp {
 public:
  // Takes a letter that has come. Its exceptions are answers to the other platform: a letter that
  // is not readable is Errc::bad_encoding.
  using Receiver = std::function<Task<>(Agent& me, Letter letter)>;

  virtual ~Mtp() = default;

  // "fipa.mts.mtp.http.std"
  virtual std::string_view name() const = 0;
  // The addresses at which it receives, from begin() on.
  virtual std::vector<std::string> addresses() const = 0;
  // Returns whether it sends to addresses of that kind.
  virtual bool serves(std::string_view address) const = 0;

  // Begins to receive: `receive` runs as tasks of the port's agent. Fails as its kind of endpoint
  // does.
  virtual void begin(Port& port, Receiver receive) = 0;
  // Receives no more. May be called several times, on any thread that runs no agents.
  virtual void end() noexcept = 0;

  // Sends a letter; returns when the other platform has taken it. Letters to one address arrive in
  // the order of these calls, unless a connection breaks. Fails with Errc::unreachable,
  // Errc::refused, Errc::expired and others.
  virtual Task<> send(std::string address, std::shared_ptr<const Letter> letter) = 0;
};

}  // namespace coracle::fipa
