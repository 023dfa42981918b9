#include "coracle/acl/settings.hpp"

#include "ascii.hpp"

#include <utility>

namespace coracle::acl {

Naming naming(std::string platform, std::string gateway) {
  Naming names;
  gateway += '/';
  names.name_of = [platform, gateway](const AgentId& id) -> Result<Name> {
    const auto of = platform_part(id.name);
    const bool is_ours = of.empty() || same_text(of, platform);
    if (is_ours) return Name::parse(local_part(id.name));
    return Name::parse(gateway + id.name);
  };
  names.agent_of = [platform, gateway](const Name& name) {
    std::string_view text = name.view();
    AgentId id;
    if (text.starts_with(gateway) && text.find('@') != text.npos) {
      id.name = text.substr(gateway.size());
    } else {
      id.name = text;
      if (!platform.empty()) id.name += "@" + platform;
    }
    return id;
  };
  return names;
}

MessageIds random_ids(Random& random) {
  return [&random] {
    constexpr std::string_view digits = "0123456789abcdef";
    // A letter first: some platforms cannot read a word that begins with a digit.
    std::string text = "r";
    for (int word = 0; word < 2; ++word) {
      std::uint64_t bits = random.next();
      for (int i = 0; i < 16; ++i, bits >>= 4) text += digits[bits & 15];
    }
    return text;
  };
}

}  // namespace coracle::acl
