#include "asio_network.hpp"

#include "realizations/net/src/asio/sockets.hpp"

#include <boost/asio/detail/config.hpp>
#include <boost/asio/post.hpp>
#if defined(BOOST_ASIO_HAS_EPOLL) && defined(BOOST_ASIO_HAS_TIMERFD)
#include <boost/asio/detail/epoll_reactor.hpp>
#endif

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

#if defined(BOOST_ASIO_HAS_EPOLL) && defined(BOOST_ASIO_HAS_TIMERFD) && \
    !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)

namespace {

using Epoll = boost::asio::detail::epoll_reactor;
using Member = int Epoll::*;
Member epoll_member() noexcept;

// Asio keeps its descriptor to itself. The standard lets an explicit instantiation name a private
// member, so a version of Asio without this member does not compile.
template <Member member>
struct Opened {
  friend Member epoll_member() noexcept { return member; }
};
template struct Opened<&Epoll::epoll_fd_>;

}  // namespace

int descriptor_of(boost::asio::io_context& context) noexcept {
  return boost::asio::use_service<Epoll>(context).*epoll_member();
}

#else

int descriptor_of(boost::asio::io_context&) noexcept { return -1; }

#endif

}  // namespace coracle::net
