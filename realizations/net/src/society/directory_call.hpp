// A request of a node to the directory service; private to DirectoryClient.
#pragma once

#include "directory_client.hpp"
#include "runtime/node_core.hpp"

#include <mutex>
#include <optional>
#include <string>

namespace coracle::society {

// A request, and what becomes of it.
struct DirectoryClient::Call {
  Call(detail::Worker& asker, Request kind)
      : request(kind),
        patience(kind == Request::open_lease ? asker.node().options().connect_time
                                             : std::chrono::seconds(is_brief(kind) ? 2 : 20)),
        signal(asker) {}

  // A node that ends has little patience, and so has who would go on with what is known.
  static bool is_brief(Request kind) noexcept {
    return kind == Request::close_lease || kind == Request::catch_up;
  }

  // The service takes only so many of these at once.
  bool is_of_group() const noexcept {
    return request == Request::join || request == Request::leave_group;
  }

  const Request request;
  const Duration patience;
  Bytes arguments;
  Name name;  // of a claim
  detail::Signal signal;
  std::mutex mutex;  // guards what follows
  std::optional<Answer> answer;
  std::string fault;  // why there may be none
  bool abandoned = false;
};

}  // namespace coracle::society
