#include "support/stories.hpp"

#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/recording/recorder.hpp"
#include "support/temporary_folder.hpp"

#include <stdexcept>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

// Sends to a keeper on another node, and to agents of its own node.
class Visitor final : public Agent {
 public:
  Task<> run() override {
    co_await pause(1ms);
    Post plain("keeper", "hello");
    plain.header("colour", "red").trace({1, 2, 3});
    co_await send(plain);
    co_await ask("keeper", "the time?");
    (void)co_await ask_result("keeper", "a secret?");
    co_await multicast(group("square"), "news");
    Post late("sleeper", "too late");
    late.expires(1ms);
    co_await send(late);
    co_await send("nobody", "lost");
    const Content numbers =
        Content::bytes(std::as_bytes(std::span("\x83\x01\x02\x03", 4)), "numbers/v1");
    co_await send("keeper", numbers);
    co_await pause(20ms);
    throw std::runtime_error("the visitor <b>fell</b>");
  }
};

class Keeper final : public Agent {
 public:
  Task<> run() override {
    co_await join(group("square"));
    for (;;) {
      const Message message = co_await receive();
      if (message.text() == "a secret?") co_await refuse(message, "not to you");
      else if (message.is_request()) co_await reply(message, "noon");
      if (message.content().type() == "numbers/v1") break;
    }
    co_await leave(group("square"));
  }
};

class Neighbour final : public Agent {
 public:
  Task<> run() override {
    co_await join(group("square"));
    co_await receive();
  }
};

class Sleeper final : public Agent {
 public:
  Task<> run() override {
    co_await pause(10ms);
    (void)co_await receive(1ms);
  }
};

}  // namespace

void record_society(const std::string& file) {
  recording::Recorder recorder(file);
  {
    sim::Options options;
    options.nodes = 2;
    sim::World world = recorder.world(options);
    Node here(world.realization(0)), there(world.realization(1));
    there.create<Keeper>("keeper");
    here.create<Neighbour>("neighbour");
    here.create<Sleeper>("sleeper");
    here.create<Visitor>("visitor");
    world.run_for(1s);
    here.stop();
    there.stop();
  }
  recorder.close();
}

recording::Recording recorded_society() {
  const TemporaryFolder folder;
  record_society(folder / "society.db");
  return recording::Recording::load(folder / "society.db");
}

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts = {
      "",
      " ",
      "end",
      "END of it, end",
      "a;b\n  x->>y: z",
      "%%{init: {\"theme\": \"dark\"}}%% %% no comment",
      "wrap: nowrap: \\n <br/> #35; #quot; & &amp; &#x41;",
      "<script>alert(1)</script><img src=x onerror=alert(1)>",
      "\"]; x -> y [label=\"",
      "\\\" \\N \\G \\",
      "\x1b]0;owned\x07\x1b[2J\r\n",
      "\xe2\x80\xae backwards \xe2\x80\x8b hidden \xe2\x80\xa8 line",
      "\xff\xfe \xc3( \x80",
      std::string("nul\0nul", 7),
      "{\"json\": [1, 2}, \"'`$(reboot)`'",
      "Zürich/плот/船/🚣 ﬂ°°35¶ß",
      "sequenceDiagram\nparticipant a\nNote over a: x",
      std::string(500, 'x'),
  };
  return texts;
}

formats::StoryMessage& HandMade::add(const std::string& source, const std::string& target,
                                     std::string content, std::string type) {
  const std::uint64_t id = story.messages.size() + 1;
  formats::StoryMessage& message = story.messages.emplace_back();
  message.id = id;
  message.source = source;
  message.target = target;
  message.sent = Time(Duration(1000 * id));
  message.kept = message.sent + 10ns;
  message.taken = message.sent + 20ns;
  message.ended = message.sent + 30ns;
  message.outcome = Outcome::consumed;
  message.handed_out = 1;
  message.content = texts_.emplace_back(std::move(content));
  message.type = texts_.emplace_back(std::move(type));
  story.begin = story.messages.front().sent;
  story.end = std::max(story.end, message.ended);
  return message;
}

HandMade hostile_story() {
  static const std::vector<std::pair<std::string, std::string>> headers = [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const std::string& each : hostile_texts()) all.emplace_back(each, each);
    return all;
  }();
  HandMade made;
  for (const std::string& text : hostile_texts()) {
    const Result<Name> parsed = Name::parse(text);
    const std::string name = parsed ? text : "ann";
    made.add(name, "bob", text).headers = headers;
    made.add("bob", name, text, text).group = Name("end");
    formats::StoryLife& life = made.story.lives.emplace_back();
    life.agent = name;
    life.began = made.story.begin;
    life.text = headers[made.story.lives.size() - 1].first;
    life.reason = EndReason::crashed;
    life.ended = made.story.end;
    life.groups.push_back({Name(name), life.began, life.ended});
    made.story.gaps.push_back({made.story.end, name, 3});
  }
  formats::StoryMessage& open = made.add("bob", "ann", "still under way");
  open.kind = formats::Kind::request;
  open.outcome.reset();
  open.taken = open.ended = formats::never;
  open.trace = {1, 0, 0};
  return made;
}

}  // namespace coracle::test
