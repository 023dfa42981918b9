// Remote functions as tools: the arguments and results get a JSON Schema from their C++ types.
//
//   gateway.add(mcp::remote_calls<Planner>("lab/planner")
//                   .function("plan", "Plans a way between two places", {"from", "to"}));
//
// Functions whose result is a stream are no tools.
// Tests: gateways/mcp/tests/called_tools_test.cpp
#pragma once

#include "coracle/name.hpp"
#include "coracle/rpc.hpp"
#include "coracle/web/schema.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace coracle::mcp {

// A remote function, for people and for programs.
struct RemoteFunction {
  std::string name;
  std::string description = {};
  // A call changes nothing.
  bool is_read_only = false;
  // The content types of a call and of its answer.
  std::string call_type = {}, answer_type = {};
  // The arguments, a list with one item for each; and the result.
  web::Schema arguments = {}, result = {};
  // The names of the arguments for clients; those that are missing are arg1, arg2 and so on.
  std::vector<std::string> argument_names = {};
};

// The remote functions of an agent.
class RemoteCalls {
 public:
  RemoteCalls(Name agent, std::vector<RemoteFunction> functions);

  // Describes a function, and names its arguments. Fails with Errc::bad_options if there is no such
  // function, or a name is empty or comes twice.
  RemoteCalls& function(std::string_view name, std::string description,
                        std::vector<std::string> argument_names = {}, bool is_read_only = false) &;
  RemoteCalls function(std::string_view name, std::string description,
                       std::vector<std::string> argument_names = {}, bool is_read_only = false) &&;

  const Name& agent() const noexcept { return agent_; }
  const std::vector<RemoteFunction>& functions() const noexcept { return functions_; }

 private:
  Name agent_;
  std::vector<RemoteFunction> functions_;
};

// The side of an interface that only describes its functions.
struct AtClients {};

// The remote functions of `agent`, which serves that interface.
template <template <class> class Interface>
RemoteCalls remote_calls(Name agent) {
  std::vector<RemoteFunction> functions;
  Interface<AtClients> described;
  std::apply([&](const auto&... each) { (each.enter(functions), ...); },
             coracle::detail::tie_fields(described));
  return {std::move(agent), std::move(functions)};
}

}  // namespace coracle::mcp

namespace coracle::rpc {

template <detail::Text Name, class R, class... Args>
class Function<mcp::AtClients, Name, R(Args...)> {
 public:
  void enter(std::vector<mcp::RemoteFunction>& all) const {
    using Types = detail::Types<Name, R, Args...>;
    mcp::RemoteFunction made;
    made.name = Name.view();
    made.call_type = Types::Asked::content_type;
    made.answer_type = Types::Said::content_type;
    made.arguments = web::schema_of<std::tuple<std::decay_t<Args>...>>();
    made.result = web::schema_of<detail::Held<R>>();
    all.push_back(std::move(made));
  }
};

template <detail::Text Name, class T, class... Args>
class Function<mcp::AtClients, Name, Stream<T>(Args...)> {
 public:
  void enter(std::vector<mcp::RemoteFunction>&) const {}
};

}  // namespace coracle::rpc
