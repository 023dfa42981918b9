#include "alarms.hpp"

#include <utility>

namespace coracle::net {

namespace {

struct Bell {
  std::function<void()> ring;
  std::uint64_t setting = 0;  // the number of the valid setting
  bool is_set = false;
};

class SimAlarm final : public Alarm {
 public:
  SimAlarm(EventQueue& queue, SimNetwork& network, NodeId node, std::function<void()> ring)
      : queue_(queue),
        network_(network),
        node_(node),
        life_(network.lives_ended(node)),
        bell_(std::make_shared<Bell>()) {
    bell_->ring = std::move(ring);
  }

  void set(Time when) override {
    const std::uint64_t setting = ++bell_->setting;
    bell_->is_set = when != Time::max();
    if (!bell_->is_set) return;
    queue_.at(when, [this_bell = std::weak_ptr(bell_), setting, &network = network_, node = node_,
                     life = life_] {
      if (this_bell.expired() || network.lives_ended(node) != life) return;
      network.tell(node, [this_bell, setting] {
        const auto bell = this_bell.lock();
        if (!bell || !bell->is_set || bell->setting != setting) return;
        bell->is_set = false;
        bell->ring();
      });
    });
  }

 private:
  EventQueue& queue_;
  SimNetwork& network_;
  NodeId node_;
  std::uint64_t life_;  // the node's incarnation: the alarm does not ring in another one
  std::shared_ptr<Bell> bell_;
};

class SimAlarms final : public Alarms {
 public:
  SimAlarms(EventQueue& queue, SimNetwork& network, NodeId node)
      : queue_(queue), network_(network), node_(node) {}
  std::unique_ptr<Alarm> make(std::function<void()> ring) override {
    return std::make_unique<SimAlarm>(queue_, network_, node_, std::move(ring));
  }

 private:
  EventQueue& queue_;
  SimNetwork& network_;
  NodeId node_;
};

}  // namespace

std::unique_ptr<Alarms> sim_alarms(EventQueue& queue, SimNetwork& network, NodeId node) {
  return std::make_unique<SimAlarms>(queue, network, node);
}

}  // namespace coracle::net
