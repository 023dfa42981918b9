#include "server/ends.hpp"

namespace coracle::a2a {

std::pair<TaskState, std::string> end_for(const Error& error) {
  switch (error.errc()) {
    case Errc::refused:
      return {TaskState::rejected, error.sentence()};
    case Errc::not_permitted:
      return {TaskState::rejected, "the agent may not be asked"};
    case Errc::cancelled:
      return {TaskState::canceled, "the task was canceled"};
    case Errc::expired:
      return {TaskState::failed, "the agent has not done the task in time"};
    case Errc::peer_down:
      return {TaskState::failed, "the agent has ended before it had done the task"};
    case Errc::agent_failed:
      return {TaskState::failed, "the agent has failed"};
    case Errc::unanswered:
      return {TaskState::failed, "the agent has dropped the task without an answer"};
    case Errc::too_large:
      return {TaskState::failed, "the message or the answer is larger than the society permits"};
    case Errc::mailbox_full:
    case Errc::absent_full:
    case Errc::dropped:
    case Errc::limit_reached:
      return {TaskState::failed, "the agent has too much to do; try again later"};
    case Errc::stopped:
    case Errc::fenced:
      return {TaskState::failed, "the gateway stops"};
    default:
      return {TaskState::failed, "the agent cannot be reached"};
  }
}

}  // namespace coracle::a2a
