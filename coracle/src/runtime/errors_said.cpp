#include "runtime/errors_said.hpp"

namespace coracle::detail {

namespace {

const char* reason_and_advice(Errc errc) {
  switch (errc) {
    case Errc::mailbox_full:
      return "its mailbox is full; read faster there, give it a larger mailbox or another overflow "
             "policy, or wait longer";
    case Errc::absent_full:
      return "nobody holds that name and as much as the society allows waits for it, in messages "
             "or in bytes; start the agent, or raise NodeOptions::absent_limit, or the bytes of "
             "NodeOptions::mailbox";
    case Errc::too_large:
      return "its content is over the limit of this node, or of the node that was to take it; send "
             "it in pieces, or raise NodeOptions::content_limit (content_limit=SIZE in the text of "
             "open()) at both";
    case Errc::deadlock:
      return "waiting for it would close a circle of agents that wait for each other; answer "
             "before asking, or let one of them use a second task";
    case Errc::fenced:
      return "another agent has taken over the name of the sender; stop acting under it";
    case Errc::stopped:
      return "the node is stopping; end, or start a new node";
    case Errc::not_permitted:
      return "the society's policy does not allow it; ask its operator for a grant";
    case Errc::expired:
      return "the deadline passed; wait longer, or find out what keeps the other side";
    case Errc::peer_down:
      return "it ended before it answered; ask again when it is back";
    case Errc::unanswered:
      return "it read the question and dropped it without an answer; let it answer or refuse all "
             "that it is asked, or hold on to the message until it can";
    case Errc::no_such_function:
      return "it does not offer that function; offer it there, or call another agent";
    case Errc::wrong_type:
      return "the two sides mean different types; build both with the same interface";
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
    return "it has not said that it has it; look whether it runs and can be reached, and what its "
           "log says";
  }
  switch (*why) {
    case Errc::not_permitted:
      return "the society's policy does not allow it; ask its operator for a grant";
    case Errc::too_large:
      return "it is larger than that takes; send it in pieces, or raise content_limit and "
             "kept_bytes where it is started";
    case Errc::absent_full:
      return "as many messages as it keeps for one name wait there; start the agent that they are "
             "for, or raise kept_for_name where it is started";
    case Errc::limit_reached:
      return "all the bytes that it may keep are taken; start the agents that they are for, or "
             "raise kept_bytes where it is started";
    case Errc::disk_full:
      return "its disk is full; free some room there";
    default:
      return "its disk has failed; look at its log, and start it again";
  }
}

}  // namespace

Error said(Errc errc, const char* tried, const Name& whom, const std::string& detail) {
  std::string sentence = std::string("cannot ") + tried + " '" + whom.str() + "': ";
  // There are several ways of being late, and of having no room; a detail is the one that it was.
  const bool is_one_of_several = errc == Errc::expired || errc == Errc::mailbox_full;
  if (is_one_of_several && !detail.empty()) return Error(errc, sentence + detail);
  sentence += reason_and_advice(errc);
  if (!detail.empty()) sentence += " (" + detail + ")";
  else if (errc == Errc::refused) sentence += "; ask for something else, or ask another agent";
  else if (errc == Errc::agent_failed) sentence += "; mend it, and ask again";
  return Error(errc, sentence);
}

Error may_not_overhear(const Name& who) {
  return Error(Errc::not_permitted, "the society's policy does not let '" + who.str() +
                                        "' overhear; ask its operator for a grant");
}

std::string why_not_kept(std::optional<Errc> why) {
  return std::string("the society's custodian does not take it: ") + reason_not_kept(why);
}

const std::exception_ptr& reads_end() noexcept {
  // Never destroyed: a node may be the last thing that a program ends.
  static const auto* const shared = new std::exception_ptr(std::make_exception_ptr(Error(
      Errc::stopped, "cannot receive: the node is stopping and nothing is left to read; end")));
  return *shared;
}

}  // namespace coracle::detail
