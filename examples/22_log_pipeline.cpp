// A web server's log goes through a pipeline: lines are parsed by two parsers, errors are counted.
// One parser dies on the way; nothing is lost, and nothing is counted twice.
#include <coracle/coracle.hpp>
#include <coracle/dispel/filter.hpp>
#include <coracle/dispel/pipeline.hpp>
#include <coracle/dispel/sink.hpp>
#include <coracle/dispel/source.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <map>
#include <sstream>

using namespace coracle;

struct Hit {
  static constexpr std::string_view content_type = "hit/v1";
  std::string page;
  int status = 0;
};

class Lines : public dispel::Source<std::string> {
 protected:
  Task<> produce(std::uint64_t first) override {
    const char* pages[] = {"/index", "/robots", "/robots/huey", "/maps"};
    for (std::uint64_t line = first; line < 1000; ++line) {
      const int status = line % 9 == 0 ? 404 : 200;
      co_await put("GET " + std::string(pages[line % 4]) + " " + std::to_string(status));
    }
  }
};

class Parse : public dispel::Filter<std::string, Hit> {
 public:
  explicit Parse(bool* bug) : bug_(bug) {}

 protected:
  void process(const std::string& line) override {
    if (std::exchange(*bug_, false)) throw std::runtime_error("a bug in the parser");
    std::istringstream words(line);
    std::string method;
    Hit hit;
    words >> method >> hit.page >> hit.status;
    if (hit.status >= 400) put(hit);
  }

 private:
  bool* bug_;
};

class Count : public dispel::Sink<Hit> {
 protected:
  void consume(const Hit& hit) override { ++errors_[hit.page]; }
  void on_end(const std::string&) override {
    for (const auto& [page, count] : errors_) std::cout << page << ": " << count << " errors\n";
  }

 private:
  std::map<std::string, int> errors_;
};

class Keeper : public dispel::PipelineKeeper {
 public:
  using PipelineKeeper::PipelineKeeper;

 protected:
  void on_ending(const Ending& ending) override {
    std::cout << ending.name.view() << ' ' << to_string(ending.reason) << ": " << ending.text
              << "; it begins again\n";
  }
};

int main() {
  Node node(open());
  bool bug = true;
  const dispel::Pipeline::Kinds kinds = {{"Lines", [] { return std::make_unique<Lines>(); }},
                                         {"Parse", [&] { return std::make_unique<Parse>(&bug); }},
                                         {"Count", [] { return std::make_unique<Count>(); }}};
  const char* text =
      "lines: Lines;  parse: Parse * 2;  count: Count\n"
      "lines -> parse -> count";
  node.create<Keeper>("keeper", dispel::Pipeline::from_text("log", text, kinds));
  node.wait();
}
