#include "coracle/support/error_texts.hpp"

namespace coracle::detail {

namespace {

const char* reason_and_advice(Errc errc) {
  switch (errc) {
    case Errc::mailbox_full:
      return "its mailbox is full; read faster there, give it a larger mailbox or another overflow "
             "policy, or wait longer";
    case Errc::absent_full:
      return "nobody holds that name, and the messages that wait for it have reached the society's "
             "limit of messages or bytes; start the agent, or raise NodeOptions::absent_limit, or "
             "the bytes of NodeOptions::mailbox";
    case Errc::too_large:
      return "its content is over the limit of this node, or of the node that was to receive it; "
             "send it in pieces, or raise NodeOptions::content_limit (content_limit=SIZE in the "
             "text of open()) at both";
    case Errc::deadlock:
      return "waiting for it would close a circle of agents that wait for each other; reply before "
             "you send a request, or let one of them use a second task";
    case Errc::fenced:
      return "another agent has taken over the name of the sender; stop acting under it";
    case Errc::stopped:
      return "the node is stopping; end, or start a new node";
    case Errc::not_permitted:
      return "the society's policy does not allow it; ask its operator for a grant";
    case Errc::expired:
      return "the deadline passed; wait longer, or find out what delays the other side";
    case Errc::peer_down:
      return "it ended before it answered; ask again when it is back";
    case Errc::unanswered:
      return "it read the request and dropped it without a reply; let it reply to every request or "
             "refuse it, or keep the message until it can";
    case Errc::no_such_function:
      return "it does not offer that function; offer it there, or call another agent";
    case Errc::wrong_type:
      return "the two sides have different types; build both with the same interface";
    case Errc::limit_reached:
      return "a limit is reached; let something end first";
    case Errc::cancelled:
      return "it was cancelled here; nobody waits for it any more";
    case Errc::agent_failed:
      return "it failed before it answered";
    case Errc::refused:
      return "it refused";
    case Errc::dropped:
      return "its mailbox dropped the request by its overflow policy; ask later";
    case Errc::undeliverable:
      return "the request could not be delivered; see the dead letters";
    case Errc::bad_encoding:
      return "a value cannot be encoded or decoded; build both sides with the same definition of "
             "its type";
    case Errc::wrong_thread:
      return "an agent's operations belong to its own tasks; use a Port from other threads";
    case Errc::name_taken:
      return "a living agent holds that name; choose another, or take it over";
    case Errc::no_such_agent:
      return "nobody holds that name; wait for its arrival with acquaint()";
    default:
      return "it failed; try again";
  }
}

const char* reason_not_kept(std::optional<Errc> why) {
  if (!why) {
    return "it has not confirmed the message; check that it runs and can be reached, and look at "
           "its log";
  }
  switch (*why) {
    case Errc::not_permitted:
      return "the society's policy does not allow it; ask its operator for a grant";
    case Errc::too_large:
      return "the message is over its limit; send it in pieces, or raise content_limit and "
             "kept_bytes where it is started";
    case Errc::absent_full:
      return "its limit of messages for one name is reached; start the agent that they are for, or "
             "raise kept_for_name where it is started";
    case Errc::limit_reached:
      return "its limit of bytes is reached; start the agents that they are for, or raise "
             "kept_bytes where it is started";
    case Errc::disk_full:
      return "its disk is full; free some room there";
    default:
      return "its disk has failed; look at its log, and start it again";
  }
}

}  // namespace

Error make_error(Errc errc, const char* tried, const Name& whom, const std::string& detail) {
  std::string sentence = std::string("cannot ") + tried + " '" + whom.str() + "': ";
  // There are several ways of being late, and of having no room; a detail names the one that
  // occurred.
  const bool is_one_of_several = errc == Errc::expired || errc == Errc::mailbox_full;
  if (is_one_of_several && !detail.empty()) return Error(errc, sentence + detail);
  sentence += reason_and_advice(errc);
  if (!detail.empty()) sentence += " (" + detail + ")";
  else if (errc == Errc::refused) sentence += "; ask for something else, or ask another agent";
  else if (errc == Errc::agent_failed) sentence += "; correct it, and ask again";
  return Error(errc, sentence);
}

Error may_not_overhear(const Name& who) {
  return Error(Errc::not_permitted, "the society's policy does not let '" + who.str() +
                                        "' overhear; ask its operator for a grant");
}

Error lease_ended(LeaseId lease) {
  if (lease == 0)
    return Error(Errc::expired, "lease 0 is no lease; call open_lease() first and give its result");
  return Error(Errc::expired,
               "lease " + std::to_string(lease) +
                   " has ended: its node was not heard from in time, or has left; a node that goes "
                   "on registers its names again under a new lease by itself, so try again in a "
                   "moment");
}

std::string why_not_kept(std::optional<Errc> why) {
  return std::string("the message store has not accepted it: ") + reason_not_kept(why);
}

const std::exception_ptr& reads_end() noexcept {
  // Never destroyed: a node may be the last object that a program ends.
  static const auto* const shared = new std::exception_ptr(std::make_exception_ptr(Error(
      Errc::stopped, "cannot receive: the node is stopping and nothing is left to read; end")));
  return *shared;
}

}  // namespace coracle::detail
