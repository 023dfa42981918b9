#include "ports/operation.hpp"

#include <mutex>

namespace coracle::c {

std::shared_ptr<NodeObject> NodeObject::open(Realization on, NodeOptions options) {
  auto node = std::make_unique<Node>(std::move(on), std::move(options));
  return {new NodeObject(std::move(node)), &delete_off_workers<NodeObject>};
}

std::shared_ptr<PortObject> PortObject::own(NodePtr node, std::unique_ptr<Port> opened) {
  return {new PortObject(std::move(node), std::move(opened)), &delete_off_workers<PortObject>};
}

std::shared_ptr<PortNotices> PortObject::notices() {
  static std::mutex making;
  const std::lock_guard lock(making);
  if (!notices_) notices_ = std::make_shared<PortNotices>();
  return notices_;
}

PortPtr ReceiptObject::port() const {
  PortPtr found = port_.lock();
  if (!found) {
    throw Error(Errc::stopped,
                "the port that sent this message was closed, so its receipt learns nothing more");
  }
  return found;
}

ReceiptObject::~ReceiptObject() try {
  const PortPtr from = port_.lock();
  if (!from) return;
  const Operation::Work drop = [receipt = receipt](Agent*, Operation&) -> Task<> {
    receipt->reset();
    co_return;
  };
  detail::FromOutside::begin(*from->port,
                             std::make_shared<Operation>(from->node, from, drop, nullptr, 0));
} catch (const std::bad_alloc&) {
}

}  // namespace coracle::c
