// The errors of the library: Errc is the kind of failure, Error has a sentence that describes what
// happened, to what, and what to do. Ordinary outcomes (a deadline passed) are values instead.
#pragma once

#include <string>
#include <system_error>

namespace coracle {

// The kinds of failure. The comment of each public function lists those that it may report.
enum class Errc {
  bad_name = 1,     // a name is empty, too long, not UTF-8, or has an empty path segment
  name_taken,       // another agent holds the name and is alive
  no_such_agent,    // nobody holds the name
  fenced,           // another agent took the name over; this one may no longer act under it
  not_permitted,    // the policy forbids it
  bad_realization,  // the realization string cannot be understood, or is not linked in
  bad_pattern,      // a pattern or condition cannot be compiled
  bad_options,      // an option has an impossible value
  too_large,        // content is over the society's limit
  wrong_type,       // content does not hold the requested type
  bad_encoding,     // bytes are not a valid encoding of the type that they are sent as
  mailbox_full,   // the target's mailbox is full, and its policy is to fail or the deadline passed
  absent_full,    // too many messages already wait for an absent name
  deadlock,       // waiting would close a cycle of agents that wait for each other
  expired,        // the deadline or the time to live passed
  undeliverable,  // the message can never reach its target
  dropped,        // the receiver's overflow policy dropped the message
  refused,        // the receiver's side refused the message
  peer_down,      // the agent that had the request ended before it replied
  agent_failed,   // the agent that had the request ended by an exception
  cancelled,      // the operation was cancelled by its caller
  stopped,        // the node is stopping or has stopped
  no_credit,      // the route has no room at this moment
  store_lost,     // the node that kept the message died without durable storage
  wrong_thread,   // an agent's operation was called from a thread that is not its own
  limit_reached,  // a limit of the society or the node is reached
  unsupported,    // this realization cannot keep this promise
  bad_endpoint,   // the text of an endpoint cannot be understood
  cannot_listen,  // the system does not permit listening at the endpoint
  unreachable,    // nothing answers at the endpoint
  disconnected,   // the connection has ended: closed by the peer, reset, or timed out
  disk_full,      // the disk has no room left
  disk_failed,    // the disk reported an error; data that was not synced before may be gone
  no_such_file,   // there is no file or folder of that name
  file_exists,    // the file or folder exists already, or a folder is where a file is meant
  bad_path,       // a path is empty, absolute, too long, or leads out of its folder
  no_such_function,  // the agent that was called does not offer the function
  unanswered,        // the agent that was asked read the request and dropped it without a reply
};

// The category of Errc in the sense of <system_error>.
const std::error_category& error_category() noexcept;

// Makes Errc usable as a std::error_code.
std::error_code make_error_code(Errc errc) noexcept;

// A failure of the environment. what() is a sentence that explains what to do next.
class Error : public std::system_error {
 public:
  // `sentence` describes what happened, to what, and what to do. It may contain text that others
  // have chosen: control characters and similar characters that could deceive a reader are escaped.
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
