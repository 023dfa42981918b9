#include "coracle/fipa/gateway.hpp"

#include "gate/arrival.hpp"
#include "gate/gate.hpp"
#include "gate/transports.hpp"
#include "gate/words.hpp"

#include "coracle/agent_spec.hpp"
#include "coracle/errors.hpp"

#include <utility>

namespace coracle::fipa {

namespace {

constexpr const char* gate_name = "fipa";
constexpr const char* transport_name = "fipa/transport";

}  // namespace

class GatewayState {
 public:
  GatewayState(Node& node, const GatewayOptions& options)
      : platform(options.platform, options.exposed),
        transports(std::make_shared<Transports>()),
        port(node, transport_name) {
    node.adopt(AgentSpec(gate_name), std::make_unique<Gate>(options, transports, transport_name));
  }

  Platform platform;
  const std::shared_ptr<Transports> transports;
  Port port;
};

Gateway::Gateway(Node& node, GatewayOptions options)
    : state_(std::make_unique<GatewayState>(node, options)) {}

Gateway::~Gateway() {
  for (const auto& each : state_->transports->all()) each->end();
  try {
    state_->port.send(gate_name, Content::of(End()));
    (void)state_->port.watch(gate_name);  // another gateway can have the name then
  } catch (const Error&) {
    // The gate has ended, perhaps with its node.
  }
}

void Gateway::plug(std::shared_ptr<Mtp> mtp) {
  mtp->begin(state_->port, [&platform = state_->platform](Agent& me, Letter letter) {
    return arrive(me, gate_name, std::move(letter), platform);
  });
  state_->transports->add(std::move(mtp));
}

bool Gateway::unplug(std::string_view name) {
  const std::shared_ptr<Mtp> removed = state_->transports->remove(name);
  if (removed != nullptr) removed->end();
  return removed != nullptr;
}

std::vector<std::string> Gateway::addresses() const { return state_->transports->addresses(); }

acl::AgentId Gateway::id_of(const Name& agent) const {
  acl::AgentId id = state_->platform.id_of(agent);
  id.addresses = addresses();
  return id;
}

Name Gateway::introduce(const acl::AgentId& foreign) {
  const Message reply = state_->port.ask(gate_name, Content::of(Introduce{foreign}));
  return Name(reply.text());
}

void Gateway::join(const acl::AgentId& parent, Deadline deadline) {
  state_->port.ask(gate_name, Content::of(Federate{parent, true}), deadline);
}

void Gateway::leave(const acl::AgentId& parent, Deadline deadline) {
  state_->port.ask(gate_name, Content::of(Federate{parent, false}), deadline);
}

Task<Name> introduce(Agent& me, acl::AgentId foreign) {
  const Content content = Content::of(Introduce{std::move(foreign)});
  const Message reply = co_await me.ask(gate_name, content);
  co_return Name(reply.text());
}

}  // namespace coracle::fipa
