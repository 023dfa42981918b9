#include "coracle/mcp/remote_calls.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace coracle::mcp {

RemoteCalls::RemoteCalls(Name agent, std::vector<RemoteFunction> functions)
    : agent_(std::move(agent)), functions_(std::move(functions)) {
  for (RemoteFunction& each : functions_) {
    const std::size_t count = each.arguments.root().parts.size();
    for (std::size_t i = each.argument_names.size(); i < count; ++i)
      each.argument_names.push_back("arg" + std::to_string(i + 1));
  }
}

RemoteCalls& RemoteCalls::function(std::string_view name, std::string description,
                                   std::vector<std::string> argument_names, bool is_read_only) & {
  for (RemoteFunction& each : functions_) {
    if (each.name != name) continue;
    if (argument_names.size() > each.argument_names.size())
      throw Error(Errc::bad_options, "the function " + coracle::detail::quoted(name) + " has " +
                                         std::to_string(each.argument_names.size()) +
                                         " arguments; name no more");
    std::vector<std::string> names = each.argument_names;
    std::move(argument_names.begin(), argument_names.end(), names.begin());
    if (std::set<std::string>(names.begin(), names.end()).size() != names.size() ||
        std::find(names.begin(), names.end(), "") != names.end())
      throw Error(Errc::bad_options, "each argument of the function " +
                                         coracle::detail::quoted(name) +
                                         " needs a name of its own");
    each.argument_names = std::move(names);
    each.description = std::move(description);
    each.is_read_only = is_read_only;
    return *this;
  }
  throw Error(Errc::bad_options,
              "there is no function " + coracle::detail::quoted(name) + "; correct the name");
}

RemoteCalls RemoteCalls::function(std::string_view name, std::string description,
                                  std::vector<std::string> argument_names, bool is_read_only) && {
  function(name, std::move(description), std::move(argument_names), is_read_only);
  return std::move(*this);
}

}  // namespace coracle::mcp
