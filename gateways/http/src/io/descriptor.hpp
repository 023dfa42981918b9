// The descriptor at which an Asio context waits.
#pragma once

#include <boost/asio/detail/config.hpp>
#include <boost/asio/io_context.hpp>
#if defined(BOOST_ASIO_HAS_EPOLL) && defined(BOOST_ASIO_HAS_TIMERFD)
#include <boost/asio/detail/epoll_reactor.hpp>
#endif

namespace coracle::http {

#if defined(BOOST_ASIO_HAS_EPOLL) && defined(BOOST_ASIO_HAS_TIMERFD) && \
    !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)

namespace epoll {

using Member = int boost::asio::detail::epoll_reactor::*;
Member member() noexcept;

// Asio keeps its descriptor to itself. The standard lets an explicit instantiation name a private
// member, so a version of Asio without this member does not compile.
template <Member which>
struct Opened {
  friend Member member() noexcept { return which; }
};
template struct Opened<&boost::asio::detail::epoll_reactor::epoll_fd_>;

}  // namespace epoll

inline int descriptor_of(boost::asio::io_context& context) noexcept {
  return boost::asio::use_service<boost::asio::detail::epoll_reactor>(context).*epoll::member();
}

#else

inline int descriptor_of(boost::asio::io_context&) noexcept { return -1; }

#endif

}  // namespace coracle::http
