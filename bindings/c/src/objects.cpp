#include "operation.hpp"

namespace coracle::c {

std::shared_ptr<NodeObject> NodeObject::open(Realization on, NodeOptions options) {
  auto node = std::make_unique<Node>(std::move(on), std::move(options));
  return {new NodeObject(std::move(node)), &delete_off_workers<NodeObject>};
}

std::shared_ptr<PortObject> PortObject::own(NodePtr node, std::unique_ptr<Port> opened) {
  return {new PortObject(std::move(node), std::move(opened)), &delete_off_workers<PortObject>};
}

ReceiptObject::~ReceiptObject() try {
  const Operation::Work drop = [receipt = receipt](Agent*, Operation&) -> Task<> {
    receipt->reset();
    co_return;
  };
  detail::FromOutside::begin(*port->port,
                             std::make_shared<Operation>(port->node, port, drop, nullptr, 0));
} catch (const std::bad_alloc&) {
}

}  // namespace coracle::c
