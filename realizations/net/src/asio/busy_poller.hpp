// A loop that runs an Asio context with a network in it. The loop looks at the connections that are
// busy, and waits when none is.
#pragma once

#include "realizations/net/src/byte_network.hpp"

#include <boost/asio/io_context.hpp>

namespace coracle::net {

class BusyPoller {
 public:
  // `context` and `network` outlive this object.
  BusyPoller(boost::asio::io_context& context, Network& network)
      : context_(context), network_(network) {}

  // Does what is ready without waiting; returns whether there was anything. While connections are
  // looked at, the rest of the context has its turn only every few calls.
  bool poll() {
    const Look found = network_.look();
    const unsigned pause = found == Look::something ? 16 : found == Look::nothing ? 8 : 1;
    if (++polls_ < pause) return found == Look::something;
    polls_ = 0;
    return do_some() || found == Look::something;
  }

  // Before somebody waits at the descriptor of the context: does what that would not tell of;
  // returns whether there was anything.
  bool settle() {
    network_.rest();
    return do_some();
  }

  // Waits until something is ready, for at most `longest`, and does it.
  void wait(Duration longest) {
    network_.rest();
    if (longest == Duration::max()) {
      context_.run_one();
    } else {
      context_.run_one_for(longest);
    }
  }

 private:
  static constexpr unsigned most_at_once = 16;  // then the agents have their turn

  // Does what is ready in the context; returns whether there was anything.
  bool do_some() {
    unsigned done = 0;
    while (done < most_at_once && context_.poll_one() != 0) ++done;
    return done != 0;
  }

  boost::asio::io_context& context_;
  Network& network_;
  unsigned polls_ = 0;
};

}  // namespace coracle::net
