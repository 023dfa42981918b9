// Writes stories into FOLDER in every format, for judge.py: the hostile story as hostile.*, that of
// a recording as society.*, and the recording itself. texts.hex has the hostile contents.
//   formats-samples FOLDER
// Or lets ann ask bob without end, with the hostile contents, in the society of that realization:
//   formats-samples live REALIZATION
#include "coracle/formats/otlp.hpp"
#include "coracle/formats/prometheus.hpp"
#include "coracle/formats/story_of.hpp"
#include "support/stories.hpp"

#include "coracle/coracle.hpp"
#include "coracle/realizations/open.hpp"
#include "coracle/support/content_text.hpp"

#include <exception>
#include <fstream>
#include <iostream>
#include <string>

namespace {

using namespace coracle;
using namespace coracle::formats;

void save(const std::string& path, const std::function<void(const Sink&)>& write) {
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  write([&](std::string_view part) { file << part; });
}

void save_all(const std::string& path, const Story& story) {
  save(path + ".ndjson", [&](const Sink& sink) { write_ndjson(story, sink); });
  save(path + ".mmd", [&](const Sink& sink) { write_mermaid(story, sink); });
  save(path + ".dot", [&](const Sink& sink) { write_graphviz(story, sink); });
  save(path + ".perfetto", [&](const Sink& sink) { write_perfetto(story, sink); });
  save(path + ".otlp", [&](const Sink& sink) { write_otlp(story, sink); });
}

void save_metrics(const std::string& path) {
  save(path, [](const Sink& sink) {
    PrometheusText text(sink);
    text.metric("hostile", PrometheusText::Type::gauge, test::hostile_texts().front());
    double value = 0;
    for (const std::string& each : test::hostile_texts()) text.sample(++value, {{"text", each}});
    for (const std::string& each : test::hostile_texts()) {
      text.metric("help_" + std::to_string(static_cast<int>(++value)),
                  PrometheusText::Type::counter, each);
      text.sample(std::uint64_t{1});
    }
    text.metric("latency_seconds", PrometheusText::Type::histogram, "How long it took.");
    const PrometheusText::Bucket buckets[] = {{0.001, 5}, {0.1, 7}};
    text.histogram(buckets, 1, 3.5, {{"node", "a"}});
    text.histogram(buckets, 0, 1.5, {{"node", "b"}});
  });
}

class Asker final : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      for (const std::string& text : test::hostile_texts()) {
        co_await ask("talk/bob", text);
        co_await pause(std::chrono::milliseconds(5));
      }
    }
  }
};

class Replier final : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      co_await reply(message, message.content());
    }
  }
};

void talk(const char* realization) {
  Node node(open(realization));
  node.create<Replier>("talk/bob");
  node.create<Asker>("talk/ann");
  std::cout << "ready" << std::endl;
  node.wait();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 3 && argv[1] == std::string_view("live")) {
    talk(argv[2]);
    return 0;
  }
  if (argc != 2) throw std::runtime_error("usage: formats-samples FOLDER");
  const std::string folder = std::string(argv[1]) + "/";
  const test::HandMade hostile = test::hostile_story();
  save_all(folder + "hostile", hostile.story);
  save(folder + "texts.hex", [](const Sink& sink) {
    for (const std::string& each : test::hostile_texts())
      sink(detail::hex_text(std::as_bytes(std::span(each))) + "\n");
  });
  test::record_society(folder + "society.db");
  const recording::Recording recording = recording::Recording::load(folder + "society.db");
  save_all(folder + "society", story_of(recording));
  save_metrics(folder + "hostile.prometheus");
  return 0;
} catch (const std::exception& error) {
  std::cerr << "formats-samples: " << error.what() << '\n';
  return 1;
}
