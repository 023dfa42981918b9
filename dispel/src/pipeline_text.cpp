// Builds pipelines from texts.
#include "coracle/dispel/pipeline.hpp"

#include <charconv>
#include <optional>

namespace coracle::dispel {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Cuts the part before `mark` off the text and returns it; the whole text when there is no mark.
std::string_view cut(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  const std::string_view part = trimmed(text.substr(0, at));
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
  return part;
}

class Reader {
 public:
  Reader(Pipeline& pipeline, const Pipeline::Kinds& kinds) : pipeline_(pipeline), kinds_(kinds) {}

  void read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      std::string_view line = cut(text, "\n");
      line = cut(line, "#");
      while (!line.empty()) statement(cut(line, ";"));
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view statement, const std::string& why,
                           Errc errc = Errc::bad_options) const {
    throw Error(errc, "line " + std::to_string(line_) + " of the pipeline, '" +
                          std::string(statement) + "': " + why);
  }

  void statement(std::string_view text) {
    if (text.empty()) return;
    try {
      if (text.find("->") != std::string_view::npos) connections(text);
      else part(text);
    } catch (const Error& error) {
      if (error.sentence().starts_with("line ")) throw;
      refuse(text, error.sentence(), error.errc());
    }
  }

  void connections(std::string_view text) {
    std::string_view from = cut(text, "->");
    while (!text.empty()) {
      const std::string_view to = cut(text, "->");
      pipeline_.connect(from, to);
      from = to;
    }
  }

  void part(const std::string_view whole) {
    std::string_view rest = whole;
    const std::string_view name = cut(rest, ":");
    const std::string_view kind = cut(rest, "*");
    if (name.empty() || kind.empty()) {
      refuse(whole, "write `part: Kind`, `part: Kind * 4 unordered`, or `part -> part`");
    }
    const auto found = kinds_.find(kind);
    if (found == kinds_.end()) {
      std::string known;
      for (const auto& [each, factory] : kinds_) known += (known.empty() ? "" : ", ") + each;
      refuse(whole, "there is no kind '" + std::string(kind) + "'; there are " + known);
    }
    pipeline_.add_kind(std::string(name), found->second);
    rest = trimmed(rest);
    if (rest.empty()) return;
    const std::string_view digits = cut(rest, " ");
    const std::string_view order = trimmed(rest);
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), count);
    if (error != std::errc() || end != digits.end()) {
      refuse(whole, "'" + std::string(digits) +
                        "' is not a number of replicas; write one, as in `part: Kind * 4`");
    }
    if (!order.empty() && order != "ordered" && order != "unordered") {
      refuse(whole, "'" + std::string(order) + "' should be `ordered` or `unordered`");
    }
    pipeline_.replicate(name, count, order == "unordered" ? Order::free : Order::kept);
  }

  Pipeline& pipeline_;
  const Pipeline::Kinds& kinds_;
  int line_ = 0;
};

}  // namespace

Pipeline Pipeline::from_text(Name name, std::string_view text, const Kinds& kinds, Flow flow) {
  Pipeline pipeline(std::move(name), flow);
  Reader(pipeline, kinds).read(text);
  return pipeline;
}

}  // namespace coracle::dispel
