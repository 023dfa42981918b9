#include "turn_taker.hpp"

#include <poll.h>
#include <sys/eventfd.h>

namespace coracle::test {

TurnTaker::TurnTaker(Node& node)
    : node_(node), end_(::eventfd(0, EFD_CLOEXEC)), thread_([this] { run(); }) {}

TurnTaker::~TurnTaker() {
  (void)::eventfd_write(end_.get(), 1);
  thread_.join();
}

void TurnTaker::run() {
  pollfd both[] = {{node_.descriptor(), POLLIN, 0}, {end_.get(), POLLIN, 0}};
  while (both[1].revents == 0) {
    const bool is_more = node_.turn();
    (void)::poll(both, 2, is_more ? 0 : -1);
  }
}

}  // namespace coracle::test
