// What can go wrong, and how it is said: Errc names the kind, Error carries a sentence that says
// what happened, to what, and what to do. Ordinary outcomes (a deadline passed) are values instead.
#pragma once

#include <string>
#include <system_error>

namespace coracle {

// The kinds of failure. Each public function says which of them it may report.
enum class Errc {
  bad_name = 1,      // a name is empty, too long, not UTF-8, or has an empty path segment
  name_taken,        // somebody else holds the name and is alive
  no_such_agent,     // nobody holds the name
  fenced,            // another agent took the name over; this one may no longer act under it
  not_permitted,     // the policy says no
  bad_realization,   // the realization string cannot be understood, or is not linked in
  bad_pattern,       // a pattern or condition cannot be compiled
  bad_options,       // an option has an impossible value
  too_large,         // content is over the society's limit
  wrong_type,        // content does not hold the type that was asked for
  bad_encoding,      // bytes cannot be decoded as what they claim to be
  mailbox_full,      // the target's mailbox is full and its policy, or the deadline, says no
  absent_full,       // too much already waits for an agent that is not there
  deadlock,          // waiting would close a cycle of agents that wait for each other
  expired,           // the deadline or the time to live passed
  undeliverable,     // the message can never reach its target
  dropped,           // the receiver's overflow policy dropped the message
  refused,           // the receiver's side refused the message
  peer_down,         // the agent that was asked ended before it answered
  agent_failed,      // the agent that was asked ended by an exception
  cancelled,         // the operation was cancelled by its caller
  stopped,           // the node is stopping or has stopped
  no_credit,         // the route has no room at this moment
  custodian_lost,    // the node that kept the message died without durable storage
  wrong_thread,      // an agent's operation was called from a thread that is not its own
  limit_reached,     // a limit of the society or the node is reached
  unsupported,       // this realization cannot keep this promise
  bad_endpoint,      // the text of an endpoint cannot be understood
  cannot_listen,     // the system does not let us listen at the endpoint
  unreachable,       // nothing answers at the endpoint
  disconnected,      // the connection has ended: closed by the peer, reset, or timed out
  disk_full,         // the disk has no room left
  disk_failed,       // the disk reported an error; what was not synced before may be gone
  no_such_file,      // there is no file or folder of that name
  file_exists,       // there is one already, or it is a folder where a file is meant
  bad_path,          // a path is empty, absolute, too long, or leads out of its folder
  no_such_function,  // whoever was called does not offer the function
  unanswered,        // the agent that was asked read the question and dropped it without an answer
};

// The category of Errc in the sense of <system_error>.
const std::error_category& error_category() noexcept;

// Makes Errc usable as a std::error_code.
std::error_code make_error_code(Errc errc) noexcept;

// A failure of the environment. what() is a sentence that says what to do next.
class Error : public std::system_error {
 public:
  // `sentence` says what happened, to what, and what to do. It may hold text that others have
  // chosen: control characters and the like, which could deceive whoever reads it, are escaped.
  Error(Errc errc, const std::string& sentence);

  // The kind of failure.
  Errc errc() const noexcept { return static_cast<Errc>(code().value()); }

  // The sentence.
  const char* what() const noexcept override { return sentence_.c_str(); }
  // The sentence.
  const std::string& sentence() const noexcept { return sentence_; }

 private:
  Error(std::string&& shown, Errc errc);

  std::string sentence_;
};

}  // namespace coracle

template <>
struct std::is_error_code_enum<coracle::Errc> : std::true_type {};
