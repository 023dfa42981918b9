// The objects behind the handles of nodes, ports, messages and receipts.
#pragma once

#include "handles.hpp"

#include "coracle.h"
#include "coracle/detail/outside.hpp"
#include "coracle/detail/space_access.hpp"
#include "coracle/node.hpp"
#include "coracle/port.hpp"
#include "coracle/receipt.hpp"
#include "coracle/support/here.hpp"
#include "coracle/tuple.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace coracle::c {

// Deletes an object whose end waits for a worker; on a worker, another thread does it.
template <class T>
void delete_off_workers(T* object) {
  if (!detail::is_on_worker()) return delete object;
  std::thread([object] { delete object; }).detach();
}

class Loop;

class NodeObject final : public Named {
 public:
  using C = coracle_node;
  static constexpr Kind kind = Kind::node;
  static constexpr const char* words = "node";

  // Opens the node. The last owner may be a worker; the node is then destroyed by another thread.
  static std::shared_ptr<NodeObject> open(Realization on, NodeOptions options);
  explicit NodeObject(std::unique_ptr<Node> opened) noexcept : node(std::move(opened)) {}

  const std::unique_ptr<Node> node;
  std::weak_ptr<Loop> loop;  // that runs the node; set once, before others see the node
};
using NodePtr = std::shared_ptr<NodeObject>;

// The notices of tuples that a port has asked for; only the port's agent uses them.
struct PortNotices {
  std::map<std::uint64_t, detail::FieldNotices> all;
  std::uint64_t last = 0;
};

class PortObject final : public Named {
 public:
  using C = coracle_port;
  static constexpr Kind kind = Kind::port;
  static constexpr const char* words = "port";

  // The last owner may be a worker; the port then leaves on another thread.
  static std::shared_ptr<PortObject> own(NodePtr node, std::unique_ptr<Port> opened);
  PortObject(NodePtr whose, std::unique_ptr<Port> opened) noexcept
      : node(std::move(whose)), port(std::move(opened)) {}

  const NodePtr node;  // outlives the port
  const std::unique_ptr<Port> port;
  // Made for the first one; most ports ask for none.
  std::shared_ptr<PortNotices> notices();

 private:
  std::shared_ptr<PortNotices> notices_;  // guarded by a mutex of all ports
};
using PortPtr = std::shared_ptr<PortObject>;

// A message that the program has received. It keeps its node, which a message must not outlive.
class MessageObject final : public Named {
 public:
  using C = coracle_message;
  static constexpr Kind kind = Kind::message;
  static constexpr const char* words = "message";

  MessageObject(NodePtr whose, Message received) noexcept
      : node(std::move(whose)), message(std::move(received)) {}

  NodePtr node;
  Message message;
  std::string source, target, type, reply_to, receiver;  // made when they are asked for
  bool has_texts = false;                      // some of these were
  void clear_texts() noexcept {
    for (std::string* each : {&source, &target, &type, &reply_to, &receiver}) each->clear();
    has_texts = false;
  }
};

// Messages of one receive that the program has not taken yet.
class MessagesObject final : public Named {
 public:
  using C = coracle_messages;
  static constexpr Kind kind = Kind::messages;
  static constexpr const char* words = "list of messages";

  MessagesObject(NodePtr whose, std::shared_ptr<detail::HeldMessages> received) noexcept
      : node(std::move(whose)), held(std::move(received)) {}
  ~MessagesObject() override { held->give_back(); }

  const NodePtr node;
  const std::shared_ptr<detail::HeldMessages> held;
};

class ReceiptObject final : public Named {
 public:
  using C = coracle_receipt;
  static constexpr Kind kind = Kind::receipt;
  static constexpr const char* words = "receipt";

  ReceiptObject(const PortPtr& whose, Receipt of)
      : receipt(std::make_shared<std::optional<Receipt>>(std::move(of))), port_(whose) {}
  ~ReceiptObject() override;

  // Returns the port; fails when it is closed. A receipt does not keep its port in the society.
  PortPtr port() const;

  // Only the port's agent uses what it holds.
  const std::shared_ptr<std::optional<Receipt>> receipt;

 private:
  const std::weak_ptr<PortObject> port_;
};

class TupleObject final : public Named {
 public:
  using C = coracle_tuple;
  static constexpr Kind kind = Kind::tuple;
  static constexpr const char* words = "tuple";

  explicit TupleObject(TupleFields found) noexcept : fields(std::move(found)) {}

  const TupleFields fields;
};

// A list of names with their properties.
class EntriesObject final : public Named {
 public:
  using C = coracle_entries;
  static constexpr Kind kind = Kind::entries;
  static constexpr const char* words = "list of entries";

  struct One {
    std::string name;
    Properties properties;
  };
  explicit EntriesObject(std::vector<One> found) noexcept : all(std::move(found)) {}

  const std::vector<One> all;
};

}  // namespace coracle::c
