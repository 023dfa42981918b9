#include "inspected.hpp"

#include "coracle/realizations/open.hpp"

namespace coracle::command {

Realization open_to_inspect(const Place& place) {
  Realization realization = open(place.realization);
  if (realization.transport != nullptr && realization.transport->connects_nodes())
    return realization;
  throw Error(Errc::unsupported,
              "a society of one process has no other node to look at; name a society of several, "
              "as in central://127.0.0.1:4410");
}

Inspection inspect_permitted(Node& node, const Name& name) {
  Inspection found = inspect(node, name);
  if (found.is_allowed) return found;
  throw Error(Errc::not_permitted,
              "the society's policy does not let this node inspect '" + name.str() +
                  "'; it needs the right inspect, or register, for that name: ask its operator for "
                  "a grant");
}

}  // namespace coracle::command
