#include "coracle/acl/settings.hpp"

#include <string_view>

namespace coracle::acl {

Naming naming() {
  Naming names;
  names.name_of = [](const AgentId& id) -> Result<Name> {
    if (platform_part(id.name).empty()) return Name::parse(local_part(id.name));
    return Name::parse("fipa/" + id.name);
  };
  names.agent_of = [](const Name& name) {
    std::string_view text = name.view();
    if (text.starts_with("fipa/") && text.find('@') != text.npos) text.remove_prefix(5);
    AgentId id;
    id.name = text;
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
