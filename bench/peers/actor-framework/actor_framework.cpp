// The C++ Actor Framework, with its module io over TCP (BASP).
//
// Settings: the defaults (a thread for each processor, work stealing). Contents are strings, which
// it can serialize. It does not hold a sender back, so in flood at most 4,096 messages are under
// way, and the receiver acknowledges each 1,024 that it has taken.
#include "common/peer.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>

namespace {

constexpr std::uint64_t burst = 1024;
constexpr unsigned bursts_at_once = 4;

struct Config : caf::actor_system_config {
  Config() { load<caf::io::middleman>(); }
};

// An actor that fails would leave the others waiting.
template <class Body>
void guarded(const Body& body) {
  try {
    body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer-actor-framework: no number: %s\n", error.what());
    _exit(1);
  }
}

void publish(caf::actor_system& system, const caf::actor& actor, peer::Channel& channel) {
  const auto port = system.middleman().publish(actor, 0, "127.0.0.1");
  if (!port) throw peer::Failure(system.render(port.error()));
  channel.tell(std::to_string(*port));
}

caf::actor published(caf::actor_system& system, peer::Channel& channel) {
  const auto port = static_cast<std::uint16_t>(std::stoul(channel.hear()));
  const auto actor = system.middleman().remote_actor("127.0.0.1", port);
  if (!actor) throw peer::Failure(system.render(actor.error()));
  return *actor;
}

caf::behavior pinger(caf::event_based_actor* self, caf::actor ponger, peer::Rounds* rounds,
                     std::size_t size) {
  const auto serve = [self, ponger, rounds](std::string ball) {
    rounds->stamp(ball.data());
    self->send(ponger, std::move(ball));
  };
  serve(std::string(size, 'x'));
  return {[self, ponger, rounds, serve](std::string& ball) {
    guarded([&] {
      if (rounds->take(ball.data(), ball.size())) return serve(std::move(ball));
      peer::set_number(ball.data(), peer::farewell);
      self->send(ponger, std::move(ball));
      self->quit();
    });
  }};
}

caf::behavior ponger(caf::event_based_actor* self, std::uint64_t* count) {
  return {[self, count](std::string& ball) {
    if (peer::is_farewell(ball.data())) return self->quit();
    ++*count;
    self->send(caf::actor_cast<caf::actor>(self->current_sender()), std::move(ball));
  }};
}

caf::behavior sender(caf::event_based_actor* self, caf::actor receiver, peer::Source* source,
                     std::size_t size) {
  const auto send_burst = [self, receiver, source, size] {
    for (std::uint64_t i = 0; i < burst; ++i) {
      std::string message(size, 'x');
      const bool goes_on = source->fill(message.data());
      self->send(receiver, std::move(message));
      if (!goes_on) return self->quit();
    }
  };
  for (unsigned i = 0; i < bursts_at_once; ++i) self->send(self, std::uint64_t{0});
  return {[send_burst](std::uint64_t) { send_burst(); }};
}

caf::behavior receiver(caf::event_based_actor* self, peer::Intake* intake) {
  return {[self, intake](const std::string& message) {
    guarded([&] {
      if (!intake->take(message.data(), message.size())) return self->quit();
      if (intake->taken() % burst != 0) return;
      self->send(caf::actor_cast<caf::actor>(self->current_sender()), intake->taken());
    });
  }};
}

peer::Result ping(peer::Rounds& rounds, const peer::Work& work, peer::Channel& channel) {
  Config config;
  caf::actor_system system(config);
  system.spawn(pinger, published(system, channel), &rounds, work.size);
  system.await_all_actors_done();
  return rounds.result();
}

void pong(const peer::Work&, peer::Channel& channel) {
  Config config;
  caf::actor_system system(config);
  std::uint64_t count = 0;
  publish(system, system.spawn(ponger, &count), channel);
  system.await_all_actors_done();
  channel.finish(count);
}

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  Config config;
  caf::actor_system system(config);
  peer::Intake intake(work);
  publish(system, system.spawn(receiver, &intake), channel);
  system.await_all_actors_done();
  return intake.result();
}

void pour(const peer::Work& work, peer::Channel& channel) {
  Config config;
  caf::actor_system system(config);
  peer::Source source(work);
  system.spawn(sender, published(system, channel), &source, work.size);
  system.await_all_actors_done();
  channel.finish(source.sent());
}

std::string version() {
  return std::to_string(CAF_VERSION / 10000) + '.' + std::to_string(CAF_VERSION / 100 % 100) + '.' +
         std::to_string(CAF_VERSION % 100);
}

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv, {"actor-framework", version, ping, pong, drink, pour});
}
