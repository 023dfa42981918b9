// The contract's bench over real sockets of this machine.
#pragma once

#include "bytes/byte_contract.hpp"
#include "support/certificates.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/asio/io_context.hpp>

namespace coracle::net::test {

using coracle::test::TemporaryFolder;

class AsioBench final : public ByteBench {
 public:
  explicit AsioBench(Endpoint::Scheme scheme, AsioOptions listening = {},
                     AsioOptions connecting = {})
      : scheme_(scheme),
        listening_(asio_network(context, steady_clock(), std::move(listening))),
        connecting_(asio_network(context, steady_clock(), std::move(connecting))) {}

  Network& listening() override { return *listening_; }
  Network& connecting() override { return *connecting_; }

  Endpoint place() override {
    Endpoint endpoint;
    endpoint.scheme = scheme_;
    endpoint.host = "127.0.0.1";
    if (scheme_ == Endpoint::Scheme::unix_socket) {
      endpoint.host.clear();
      endpoint.path = folder / std::to_string(next_++);
    }
    return endpoint;
  }

  // A port that was free a moment ago.
  Endpoint nobody() override {
    class Nobody final : public ListenEvents {
      void on_accept(std::unique_ptr<Connection>) override {}
      void on_refuse(const Error&) override {}
    } events;
    return listening_->listen(place(), events).value()->endpoint();
  }

  Peer::Proof proof() const override {
    return scheme_ == Endpoint::Scheme::tls           ? Peer::Proof::certificate
           : scheme_ == Endpoint::Scheme::unix_socket ? Peer::Proof::user
                                                      : Peer::Proof::nothing;
  }

  bool turn() override {
    for (int patience = 0; patience < 100 * coracle::test::slowness; ++patience)
      if (run_one_for(std::chrono::milliseconds(50))) return true;
    return false;
  }

  void settle() override {
    while (run_one_for(std::chrono::milliseconds(20))) {
    }
  }

  // True if busy connections are looked at before the system is asked.
  bool looks = false;

  TemporaryFolder folder;
  boost::asio::io_context context{1};

 private:
  bool run_one_for(Duration longest) {
    context.restart();
    if (!looks) return context.run_one_for(longest) != 0;
    for (Network* const network : {listening_.get(), connecting_.get()})
      if (network->look() == Look::something) return true;
    listening_->rest();
    connecting_->rest();
    return context.run_one_for(longest) != 0;
  }

  Endpoint::Scheme scheme_;
  int next_ = 0;
  std::unique_ptr<Network> listening_;
  std::unique_ptr<Network> connecting_;
};

}  // namespace coracle::net::test
