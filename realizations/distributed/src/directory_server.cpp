#include "coracle/realizations/distributed.hpp"

#include "directory_service.hpp"
#include "epoch_clock.hpp"
#include "realizations/net/src/asio/alarms.hpp"
#include "realizations/net/src/asio/network.hpp"
#include "runtime/log.hpp"
#include "settings.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <thread>
#include <utility>

namespace coracle::distributed {

struct DirectoryServer::Parts {
  explicit Parts(const DirectoryOptions& options)
      : network(net::asio_network(context, steady_clock())),
        alarms(net::asio_alarms(context)),
        turn([this] { boost::asio::post(context, [this] { turn.flush(); }); }),
        service(turn, *alarms, steady_clock(), detail::epoch_of_this_start(), options.limits,
                options.log ? options.log : Log(&detail::log_warning)),
        links(*network, *alarms, steady_clock(), machine_random(),
              identity_of(options.society, options.key,
                          "directory@" + (options.listen.empty() ? "" : options.listen.front()),
                          endpoints_of(options.listen)),
              link_options(service_patience), service) {
    if (options.listen.empty())
      throw Error(Errc::bad_options,
                  "a directory that listens nowhere is of no use; give "
                  "DirectoryOptions::listen a place such as 127.0.0.1:4410");
    for (const net::Endpoint& place : endpoints_of(options.listen))
      endpoints.push_back(links.listen(place).value().text());
    thread = std::thread([this] { context.run(); });
  }
  ~Parts() {
    boost::asio::post(context, [this] { context.stop(); });
    if (thread.joinable()) thread.join();
  }

  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work =
      boost::asio::make_work_guard(context);
  std::unique_ptr<net::Network> network;
  std::unique_ptr<net::Alarms> alarms;
  Turn turn;
  DirectoryService service;
  net::Links links;
  std::vector<std::string> endpoints;
  std::thread thread;
};

DirectoryServer::DirectoryServer(DirectoryOptions options)
    : parts_(std::make_unique<Parts>(options)) {}

DirectoryServer::~DirectoryServer() = default;

const std::vector<std::string>& DirectoryServer::endpoints() const noexcept {
  return parts_->endpoints;
}

}  // namespace coracle::distributed
