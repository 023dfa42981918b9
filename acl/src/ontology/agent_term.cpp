#include "coracle/acl/ontology/frame.hpp"

#include "coracle/acl/sl/text.hpp"

namespace coracle::acl {

namespace {

constexpr std::string_view agent_symbol = "agent-identifier";

bool is_user_slot(std::string_view slot) noexcept {
  return slot.size() > 2 && (slot[0] == 'X' || slot[0] == 'x') && slot[1] == '-';
}

bool read_agent(const sl::Term& term, AgentId& id, TermReader& reader, std::size_t depth);

bool read_resolvers(const sl::Term& term, AgentId& id, TermReader& reader, std::size_t depth) {
  if (depth == max_resolver_depth) return reader.refuse_value("has resolvers nested too deep");
  const auto* elements = frames::read_elements(term, reader);
  if (elements == nullptr) return false;
  for (const sl::Argument& each : *elements) {
    if (!read_agent(each.value, id.resolvers.emplace_back(), reader, depth + 1)) {
      return reader.in_element(id.resolvers.size() - 1);
    }
  }
  return true;
}

bool read_agent(const sl::Term& term, AgentId& id, TermReader& reader, std::size_t depth) {
  id = {};
  const sl::Compound* found = frames::open_frame(term, agent_symbol, reader);
  if (found == nullptr) return false;
  static constexpr SlotName slots[] = {"name", "addresses", "resolvers"};
  const sl::Term* given[3] = {};
  // A platform may add slots of its own, with or without "X-".
  TermReader lenient(UnknownSlots::ignore);
  if (!frames::arrange(*found, slots, 3, given, lenient)) {
    return reader.refuse_value("has a slot that is given more than once");
  }
  const bool is_read = frames::read_slot(agent_symbol, slots[0], given[0], id.name, reader) &&
                       frames::read_slot(agent_symbol, slots[1], given[1], id.addresses, reader) &&
                       (given[2] == nullptr || read_resolvers(*given[2], id, reader, depth) ||
                        reader.in_slot(agent_symbol, slots[2].name));
  if (!is_read) return false;
  for (const sl::Argument& each : found->arguments) {
    if (!is_user_slot(each.slot)) continue;
    const auto* text = each.value.as<std::string>();
    id.user.emplace_back(each.slot.substr(2), text != nullptr ? *text : to_text(each.value));
  }
  return true;
}

}  // namespace

sl::Term TermOf<AgentId>::write(const AgentId& value) {
  std::vector<sl::Argument> slots = {{"name", value.name}};
  if (!value.addresses.empty()) slots.push_back({"addresses", to_term(value.addresses)});
  if (!value.resolvers.empty()) slots.push_back({"resolvers", to_term(value.resolvers)});
  for (const auto& [key, text] : value.user) slots.push_back({"X-" + key, text});
  return sl::frame(std::string(agent_symbol), std::move(slots));
}

bool TermOf<AgentId>::read(const sl::Term& term, AgentId& value, TermReader& reader) {
  return read_agent(term, value, reader, 0);
}

}  // namespace coracle::acl
