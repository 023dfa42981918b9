// The part of reading XML that messages and envelopes share: agents, and elements that have text.
#pragma once

#include "codecs/xml/xml.hpp"

#include "coracle/acl/agent_id.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coracle::acl {

// The element in which the reader is. The derived class has places of its own, which it numbers;
// its on_own() opens the elements within them.
class XmlForm : public XmlReader {
 protected:
  // The place around the outermost element.
  static constexpr int document = 0;

  XmlForm(Form form, std::string_view bytes, const Limits& limits);

  // Opens an element within the place `own`, by one of the functions below; or fails.
  virtual void on_own(int own, std::string_view element, const XmlAttributes& attributes) = 0;
  // A text that was given to open_text() is complete.
  virtual void on_text_end(std::string&) {}

  // The element has further elements of the derived class.
  void open_own(int own) { frames_.push_back({Kind::own, own}); }
  // The element has agents, which are appended to `list`.
  void open_agents(std::vector<AgentId>& list) { open_agents(list, 0); }
  // The element has text, which is appended to `text`.
  void open_text(std::string& text) { frames_.push_back({.kind = Kind::text, .text = &text}); }
  // The element has neither text nor elements.
  void open_empty() { frames_.push_back({Kind::empty}); }
  // Fails, because no element of that name may be here.
  [[noreturn]] void fail_unknown(std::string_view element) const;

 private:
  enum class Kind : unsigned char { own, agents, agent, addresses, text, empty };
  struct Frame {
    Kind kind;
    int own = 0;
    std::size_t depth = 0;  // of resolvers
    std::vector<AgentId>* agents = nullptr;
    AgentId* agent = nullptr;
    std::string* text = nullptr;
  };

  void on_begin(std::string_view element, const XmlAttributes& attributes) final;
  void on_end() final;
  void on_text(std::string_view text) final;

  void open_agents(std::vector<AgentId>& list, std::size_t depth);
  void open_part_of_agent(const Frame& frame, std::string_view element,
                          const XmlAttributes& attributes);
  // The text is in the attribute, or in the element.
  void open_attribute_or_text(std::string& text, const XmlAttributes& attributes,
                              std::string_view name);

  std::vector<Frame> frames_;
};

}  // namespace coracle::acl
