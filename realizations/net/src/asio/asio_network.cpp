#include "asio_network.hpp"

#include "realizations/net/src/asio/sockets.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace coracle::net {

namespace {

class AsioNetwork final : public Network {
 public:
  AsioNetwork(boost::asio::io_context& context, const Clock& clock, AsioOptions options)
      : shared_(std::make_shared<Shared>(Shared{context, clock, std::move(options)})) {
    if (shared_->options.tls || shared_->options.keys)
      shared_->credentials.emplace(shared_->options);
    keep_fresh(shared_);
  }

  Result<std::unique_ptr<Listener>> listen(const Endpoint& at, ListenEvents& events) override {
    return make_listener(shared_, at, events);
  }

  std::unique_ptr<Attempt> connect(std::span<const Endpoint> endpoints, Deadline deadline,
                                   ConnectEvents& events) override {
    const auto count = std::min(endpoints.size(), max_endpoints);
    return make_attempt(shared_, {endpoints.begin(), endpoints.begin() + count},
                        deadline.at(shared_->clock.now()), events);
  }

  Look look() override { return shared_->busy_connections.look(); }
  void rest() override { shared_->busy_connections.rest(); }
  Result<bool> read_keys_again() override { return net::read_keys_again(shared_); }
  std::optional<std::uint64_t> certificate_days() const override {
    return shared_->credentials ? shared_->credentials->days_left() : std::nullopt;
  }

 private:
  SharedPtr shared_;
};

}  // namespace

std::unique_ptr<Network> asio_network(boost::asio::io_context& context, const Clock& clock,
                                      AsioOptions options) {
  return std::make_unique<AsioNetwork>(context, clock, std::move(options));
}

}  // namespace coracle::net
