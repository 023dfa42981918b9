// The roles of the player's agents: the side of protocols that others begin.
#pragma once

#include "work.hpp"

#include <cstddef>
#include <memory>

namespace coracle::player {

class Role {
 public:
  Role() = default;
  Role(const Role&) = delete;
  Role& operator=(const Role&) = delete;
  virtual ~Role() = default;

  // Takes a message; returns false if it is none for the role.
  virtual bool take(const acl::Message& message, Work& work) = 0;
  // Informs all subscribers; returns their number.
  virtual std::size_t publish(const acl::Body& content, Work& work);
};

// Makes the role that a command `agent` names.
std::unique_ptr<Role> make_role(const json::object& command, const Work& work);

}  // namespace coracle::player
