// The common part of clients, servers, masters and slaves (the paper's ReqRespAgent, section 2.2).
#pragma once

#include "coracle/dispel/role.hpp"

#include <stdexcept>
#include <string>

namespace coracle::dispel {

// An agent of a hierarchy in which some agents send requests and others serve them. The roles
// (Client, Server, Master, Slave, and those of pipelines and layers) combine: an agent with several
// roles writes a run() in which all roles but one work in tasks of their own:
//
//   Task<> run() override { spawn(work_as_server()); co_await work_as_stage(); }
class ReqRespAgent : public virtual Role {};

// Thrown where a request is served: the request is refused with that reason, and nothing else
// happens.
class Refusal : public std::runtime_error {
 public:
  explicit Refusal(const std::string& why) : std::runtime_error(why) {}
};

}  // namespace coracle::dispel
