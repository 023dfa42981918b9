#include "advice.hpp"

namespace coracle::society {

namespace {

const char* what_to_do(net::Reason reason) {
  switch (reason) {
    case net::Reason::wrong_version:
      return "run programs of neighbouring versions";
    case net::Reason::wrong_society:
      return "set CORACLE_SOCIETY, or society=NAME";
    case net::Reason::not_permitted:
      return "set CORACLE_KEY as the server has it, or CORACLE_TLS to a folder that `coracle keys` "
             "has made";
    default:
      return "check that a service of a society, of this version, listens there";
  }
}

}  // namespace

bool is_final(net::Reason reason) {
  using net::Reason;
  return reason == Reason::wrong_version || reason == Reason::wrong_society ||
         reason == Reason::not_permitted;
}

std::string with_advice(const net::Closing& why) {
  if (why.sentence.find("; ") != std::string::npos) return why.sentence;
  return why.sentence + "; " + what_to_do(why.reason);
}

}  // namespace coracle::society
