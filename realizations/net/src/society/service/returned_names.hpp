// Names that agents have registered again after a directory has started again.
#pragma once

#include "coracle/support/secret_hash.hpp"
#include "directory/book.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"

#include <unordered_map>

namespace coracle::society {

class ReturnedNames {
 public:
  // Registers a name for the agent that held it before, with the incarnation `claim.earlier`. Two
  // agents that were known to different directories may hold the same name: the later incarnation
  // keeps it.
  Result<Incarnation> claim(detail::Book& book, Claim claim, const Log& log);
  void note_ended(const Name& name, Incarnation life);

 private:
  struct Origin {
    Incarnation life, earlier;
  };
  std::unordered_map<Name, Origin, detail::SecretHash> origins_;
};

}  // namespace coracle::society
