#include "coracle/acl/agent_id.hpp"

#include "ascii.hpp"

namespace coracle::acl {

bool is_same_agent(const AgentId& a, const AgentId& b) noexcept {
  return same_text(a.name, b.name);
}

std::string_view local_part(std::string_view name) noexcept {
  return name.substr(0, name.rfind('@'));
}

std::string_view platform_part(std::string_view name) noexcept {
  const std::size_t at = name.rfind('@');
  return at == std::string_view::npos ? std::string_view() : name.substr(at + 1);
}

}  // namespace coracle::acl
