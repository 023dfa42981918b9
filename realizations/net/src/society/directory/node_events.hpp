// The events of the directory that concern the frames between nodes.
#pragma once

#include "realizations/net/src/session.hpp"

namespace coracle::society {

// Receives them on the thread of the links.
class NodeEvents {
 public:
  // Nodes have come or gone; nobody else knows it yet.
  virtual void on_nodes() = 0;
  // The service begins anew with this node, or there is none any more: frames that were sent
  // through it are lost.
  virtual void on_service() {}
  // Messages to the service have room again.
  virtual void on_room() {}
  // A message of the service that is not the directory's; returns false if it is malformed.
  virtual bool on_besides(const net::Arrived&) { return false; }

 protected:
  ~NodeEvents() = default;
};

}  // namespace coracle::society
