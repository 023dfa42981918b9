// Reads XML by expat, as a sequence of elements and texts; and writes texts that XML can have.
#pragma once

#include "codecs/fault.hpp"

#include <exception>
#include <optional>
#include <string>
#include <string_view>

struct XML_ParserStruct;

namespace coracle::acl {

// The attributes of an element.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char** pairs) : pairs_(pairs) {}
  // The value of the attribute of that name.
  std::optional<std::string_view> find(std::string_view name) const;

 private:
  const char** pairs_;  // name, value, name, value …, nullptr
};

// The base of the readers of each form. A reader gets elements and texts from expat, which checks
// that they are well-formed. A document type is refused.
class XmlReader {
 public:
  XmlReader(Form form, std::string_view bytes, const Limits& limits);
  virtual ~XmlReader();
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;

 protected:
  // Calls the functions below for all of the input; an exception that they throw is passed on.
  void read_all();
  virtual void on_begin(std::string_view element, const XmlAttributes& attributes) = 0;
  virtual void on_end() = 0;
  // A part of the text between two elements.
  virtual void on_text(std::string_view text) = 0;

  // Fails at the place that was reached.
  [[noreturn]] void fail(const std::string& reason) const;
  Budget& budget() noexcept { return budget_; }

 private:
  struct Callbacks;  // the functions that expat calls

  Form form_;
  std::string_view bytes_;
  Budget budget_;
  XML_ParserStruct* parser_;
  std::exception_ptr failure_;
};

// Appends the text as the value of an attribute. Like the next function, fails with
// Errc::bad_encoding if the text is not UTF-8, or has characters that XML 1.0 cannot have.
void append_attribute(Form form, std::string& out, std::string_view text);
// Appends the text as the content of an element.
void append_xml_text(Form form, std::string& out, std::string_view text);
// Appends the text in ASCII, as the value of an attribute or as the content of an element.
void append_ascii_xml(Form form, std::string& out, std::string_view text);

}  // namespace coracle::acl
