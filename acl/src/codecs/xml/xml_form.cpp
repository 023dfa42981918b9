#include "codecs/xml/xml_form.hpp"

#include "ascii.hpp"

#include "coracle/support/quote.hpp"

#include <algorithm>

namespace coracle::acl {

XmlForm::XmlForm(Form form, std::string_view bytes, const Limits& limits)
    : XmlReader(form, bytes, limits) {
  frames_.reserve(8);
  open_own(document);
}

void XmlForm::fail_unknown(std::string_view element) const {
  fail("there is an element " + coracle::detail::quoted(element) + ", which has no place here");
}

void XmlForm::on_begin(std::string_view element, const XmlAttributes& attributes) {
  const Frame frame = frames_.back();
  switch (frame.kind) {
    case Kind::own:
      return on_own(frame.own, element, attributes);
    case Kind::agents:
      if (!same_text(element, "agent-identifier")) break;
      budget().take_item();
      frames_.push_back(
          {.kind = Kind::agent, .depth = frame.depth, .agent = &frame.agents->emplace_back()});
      return;
    case Kind::agent:
      return open_part_of_agent(frame, element, attributes);
    case Kind::addresses:
      if (!same_text(element, "url")) break;
      budget().take_item();
      return open_attribute_or_text(frame.agent->addresses.emplace_back(), attributes, "href");
    case Kind::text:
    case Kind::empty:
      break;
  }
  fail_unknown(element);
}

void XmlForm::open_part_of_agent(const Frame& frame, std::string_view element,
                                 const XmlAttributes& attributes) {
  AgentId& agent = *frame.agent;
  if (same_text(element, "name")) {
    agent.name.clear();
    open_attribute_or_text(agent.name, attributes, "id");
  } else if (same_text(element, "addresses")) {
    frames_.push_back({.kind = Kind::addresses, .agent = &agent});
  } else if (same_text(element, "resolvers")) {
    budget().check_resolvers(frame.depth + 1);
    open_agents(agent.resolvers, frame.depth + 1);
  } else if (same_text(element, "user-defined")) {
    budget().take_item();
    const std::string_view key = attributes.find("href").value_or("");
    open_text(agent.user.emplace_back(key, "").second);
  } else {
    fail_unknown(element);
  }
}

void XmlForm::open_agents(std::vector<AgentId>& list, std::size_t depth) {
  frames_.push_back({.kind = Kind::agents, .depth = depth, .agents = &list});
}

void XmlForm::open_attribute_or_text(std::string& text, const XmlAttributes& attributes,
                                     std::string_view name) {
  const auto value = attributes.find(name);
  if (!value) return open_text(text);
  text = *value;
  open_empty();
}

void XmlForm::on_end() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.kind == Kind::text) on_text_end(*frame.text);
  if (frame.kind == Kind::agent && frame.agent->name.empty()) fail("an agent has no name");
}

void XmlForm::on_text(std::string_view text) {
  const Frame& frame = frames_.back();
  if (frame.kind == Kind::text) frame.text->append(text);
  else if (!std::ranges::all_of(text, is_blank)) fail("there is a text between elements");
}

}  // namespace coracle::acl
