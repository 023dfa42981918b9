// The log pipeline once more, in three processes: one reads lines, one parses, one counts. When a
// thousand errors are counted, the process that parses is killed. Nothing is lost, and nothing is
// counted twice.
#include <coracle/coracle.hpp>
#include <coracle/dispel/filter.hpp>
#include <coracle/dispel/pipeline.hpp>
#include <coracle/dispel/sink.hpp>
#include <coracle/dispel/source.hpp>
#include <coracle/realizations/open.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

#include <spawn.h>
#include <sys/wait.h>
#include <csignal>

using namespace coracle;

// Another process of this program, which runs one part of the pipeline.
class Process {
 public:
  explicit Process(const char* part) {
    const char* arguments[] = {"log_processes", part, nullptr};
    if (::posix_spawn(&id_, "/proc/self/exe", nullptr, nullptr, const_cast<char* const*>(arguments),
                      environ) != 0) {
      throw std::runtime_error("cannot begin another process");
    }
  }
  ~Process() { kill(); }
  void wait() { (void)::waitpid(std::exchange(id_, 0), nullptr, 0); }
  void kill() {
    if (id_ == 0) return;
    ::kill(id_, SIGKILL);
    wait();
  }

 private:
  pid_t id_ = 0;
};

class Lines : public dispel::Source<std::string> {
 protected:
  Task<> produce(std::uint64_t first) override {
    const char* pages[] = {"/index", "/robots", "/robots/huey", "/maps"};
    for (std::uint64_t line = first; line < 90'000; ++line) {
      const int status = line % 9 == 0 ? 404 : 200;
      co_await put(std::to_string(status) + " " + pages[line % 4]);
    }
  }
};

// Lets only errors pass.
class Parse : public dispel::Filter<std::string, std::string> {
 protected:
  void process(const std::string& line) override {
    if (line.starts_with("4")) put(line.substr(4));
  }
};

class Count : public dispel::Sink<std::string> {
 public:
  explicit Count(Process* parser) : parser_(parser) {}

 protected:
  void consume(const std::string& page) override {
    ++errors_[page];
    if (++all_ != 1000 || parser_ == nullptr) return;
    parser_->kill();
    std::cout << "kill -9, after " << all_ << " errors\n";
  }
  void on_end(const std::string&) override {
    for (const auto& [page, count] : errors_) std::cout << page << ": " << count << " errors\n";
  }

 private:
  Process* parser_;
  std::map<std::string, int> errors_;
  int all_ = 0;
};

class Keeper : public dispel::PipelineKeeper {
 public:
  using PipelineKeeper::PipelineKeeper;

 protected:
  void on_ending(const Ending& ending) override {
    std::cout << ending.name.view() << ' ' << to_string(ending.reason)
              << "; it begins again here\n";
  }
};

// The pipeline, which every process builds in the same way.
dispel::Pipeline pipeline(Process* parser) {
  dispel::Flow flow;
  flow.window = 1024;
  dispel::Pipeline log("log", flow);
  log.add<Lines>("lines").add<Parse>("parse").add<Count>("count", parser);
  log.connect("lines", "parse").connect("parse", "count");
  return log;
}

void keep(const std::string& part) {
  auto keeper = std::make_unique<Keeper>(pipeline(nullptr));
  keeper->only({part});
  Node node(open());
  node.adopt("keeper/" + part, std::move(keeper));
  node.wait();
}

void conduct() {
  const auto folder = std::filesystem::temp_directory_path() / ("log" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  ::setenv("CORACLE_REALIZATION", ("distributed:folder=" + folder.string()).c_str(), 0);
  {
    Node node(open());
    Process reader("lines");
    Process parser("parse");
    auto keeper = std::make_unique<Keeper>(pipeline(&parser));
    keeper->only({"count"}).stand_in_for({"parse"});
    node.adopt("keeper/count", std::move(keeper));
    node.wait();
    reader.wait();
  }
  std::filesystem::remove_all(folder);
}

int main(int argc, char** argv) {
  if (argc > 1) keep(argv[1]);
  else conduct();
}
