// The way back to the client of one request.
#pragma once

#include <memory>
#include <string>

namespace coracle::mcp {

// Used by the gateway's agent only; nothing here waits.
class Outlet {
 public:
  virtual ~Outlet() = default;

  // Sends a notification before the response. One of progress is lost if the client is slow.
  virtual void notify(const std::string& message) = 0;
  // Sends the response, which is the last message. `status` is that of HTTP.
  virtual void respond(std::string message, int status) = 0;
  // The response takes some time: the connection is kept, and its end is noticed.
  virtual void keep_open() = 0;
  // Returns whether the client still wants the response, as far as is known.
  virtual bool is_wanted() const = 0;
};

using OutletPtr = std::shared_ptr<Outlet>;

}  // namespace coracle::mcp
