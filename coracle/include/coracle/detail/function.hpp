// The sides of an interface of remote calls.
#pragma once

#include "coracle/detail/call_content.hpp"

namespace coracle::rpc {

// The sides of an interface: the caller of one agent, the caller of several, and the server.
struct AtCaller {};
struct AtCallers {};
template <class Object>
struct AtServer {};

// A function of an interface. The side decides what it does.
template <class Side, detail::Text Name, class Signature>
class Function {
  static_assert(sizeof(Side) == 0,
                "coracle: write rpc::Function<Side, \"name\", Result(Arguments…)>, where Side is "
                "the parameter of the interface's template");
};

}  // namespace coracle::rpc
