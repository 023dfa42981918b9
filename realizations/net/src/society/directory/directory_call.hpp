// A request of a node to the directory service, and the place of its answer.
#pragma once

#include "coracle/support/here.hpp"
#include "coracle/support/signal.hpp"
#include "directory_frames.hpp"

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace coracle::society {

struct DirectoryCall {
  // Requires a worker here.
  explicit DirectoryCall(Request kind)
      : request(kind),
        patience(kind == Request::open_lease ? detail::options_here().connect_time
                                             : std::chrono::seconds(is_brief(kind) ? 2 : 20)) {}

  // Requests with a short timeout: that of a node that ends, and one whose caller can continue with
  // what the replica knows.
  static bool is_brief(Request kind) noexcept {
    return kind == Request::close_lease || kind == Request::catch_up;
  }

  // The service accepts only so many of these at once.
  bool is_of_group() const noexcept {
    return request == Request::join || request == Request::leave_group;
  }

  // Lets the caller continue with this answer; returns false when the caller waits no more.
  bool settle(Answer with) {
    {
      const std::lock_guard lock(mutex);
      if (abandoned) return false;
      answer = std::move(with);
    }
    signal.set();
    return true;
  }
  // net: the answer has come, whether or not the caller still waits.
  void note(const Answer& given) const {
    if (on_answer) on_answer(given);
  }

  const Request request;
  const Duration patience;
  Bytes arguments;
  Name name;  // the name of a registration request
  std::function<void(const Answer&)> on_answer;
  detail::Signal signal;
  std::mutex mutex;  // guards what follows
  std::optional<Answer> answer;
  std::string fault;  // the reason why there may be no answer
  bool abandoned = false;
};

}  // namespace coracle::society
