// An editor, a compiler and a debugger, as in the days of ToolTalk: none has the others' names.
#include <coracle/broadcast.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <set>

using namespace coracle;
using namespace std::chrono_literals;

class Editor : public Agent {
  Task<> run() override {
    Interests interests(*this);
    const Interest read = co_await interests.handle(Pattern().format("read hello.c"));
    const Interest about = co_await interests.handle(Pattern().format("about hello.c"));
    const Interest change = co_await interests.handle(Pattern().format("line %d is %[^\n]"));
    const Interest stopped = co_await interests.observe(Pattern().format("stopped at line %d"));
    co_await send("desk", "ready");
    std::vector<std::string> lines = {"int main() {", "prinf(\"hello\");", "}"};
    for (;;) {
      Heard heard = co_await interests.next();
      if (heard.is_for(read)) {
        co_await heard.reply(lines[0] + lines[1] + lines[2]);
      } else if (heard.is_for(about)) {
        co_await heard.reply("it has " + std::to_string(lines.size()) + " lines");
      } else if (heard.is_for(stopped)) {
        co_await send_notice(*this, "here it is: " + lines.at(line_in(heard)));
      } else if (heard.is_for(change)) {
        lines.at(line_in(heard)) = heard.captures()[1];
        co_await heard.reply("changed");
      }
    }
  }
  static std::size_t line_in(const Heard& heard) { return std::stoul(heard.captures()[0]) - 1; }
};

class Compiler : public Agent {
  Task<> run() override {
    Interests interests(*this);
    co_await interests.handle(Pattern().format("compile %s"));
    co_await send("desk", "ready");
    for (;;) {
      Heard heard = co_await interests.next();
      const std::string file = heard.captures()[0];
      const Handled source = co_await send_request(*this, "read " + file, 10s);
      if (source.state != Handled::State::replied) {
        co_await heard.reject("I cannot read " + file);
      } else if (source.answer.text().find("prinf") != std::string_view::npos) {
        co_await heard.fail("nobody knows prinf");
      } else {
        co_await send_notice(*this, "compiled " + file);
        co_await heard.reply("without warnings");
      }
    }
  }
};

class Debugger : public Agent {
  Task<> run() override {
    Interests interests(*this);
    const Interest compiled = co_await interests.observe(Pattern().format("compiled %s"));
    co_await interests.handle(Pattern().format("debug %s"));
    const Interest about = co_await interests.handle(Pattern().format("about %s"));
    co_await send("desk", "ready");
    std::set<std::string> loaded;
    for (;;) {
      Heard heard = co_await interests.next();
      const std::string program = heard.captures()[0];
      if (heard.is_for(compiled)) {
        loaded.insert(program);
        co_await send_notice(*this, "loaded " + program);
      } else if (loaded.count(program) == 0) {
        co_await heard.reject("compile it first");
      } else if (heard.is_for(about)) {
        co_await heard.reply("it is loaded");
      } else {
        co_await send_notice(*this, "stopped at line 2");
        co_await heard.reply("at a breakpoint");
      }
    }
  }
};

Task<> ask_for(Agent& desk, std::string what) {
  const Handled handled = co_await send_request(desk, what, 10s);
  std::cout << what << "\n  ";
  switch (handled.state) {
    case Handled::State::replied:
      std::cout << handled.by.view() << " replied: " << handled.answer.text() << '\n';
      break;
    case Handled::State::failed:
      std::cout << handled.by.view() << " failed: " << handled.reason << '\n';
      break;
    case Handled::State::rejected:
      std::cout << handled.rejections << " rejected it" << (handled.reason.empty() ? "" : ": ")
                << handled.reason << '\n';
  }
}

Task<> ask_all(Agent& desk, std::string what) {
  const Replies replies = co_await send_inquiry(desk, what, rpc::Collect::all(), 10s);
  std::cout << what << '\n';
  for (const Reply& each : replies.all) {
    std::cout << "  " << each.by.view() << " says: ";
    std::cout << (each.answer ? each.answer->text() : each.answer.error().what()) << '\n';
  }
}

Task<int> work(Agent& desk) {
  for (int tools = 0; tools < 3; ++tools) (void)co_await desk.receive();
  Interests screen(desk);
  co_await screen.observe(Pattern().text("^(loaded|here it is)"));
  co_await ask_for(desk, "debug hello.c");
  co_await ask_for(desk, "compile hello.c");
  co_await ask_for(desk, "line 2 is printf(\"hello\");");
  for (const char* what : {"compile hello.c", "debug hello.c"}) {
    co_await ask_for(desk, what);
    const Heard seen = co_await screen.next();
    std::cout << seen.message().source().name().view() << ": " << seen.text() << '\n';
  }
  co_await ask_all(desk, "about hello.c");
  co_await ask_for(desk, "compile poem.txt");
  co_await ask_for(desk, "make tea");
  const Reached reached = co_await send_notice(desk, "compiled itself");
  co_return static_cast<int>(reached.interested);
}

int main() {
  Node node(open());
  Port desk(node, "desk");
  node.create<Editor>("editor");
  node.create<Compiler>("compiler");
  node.create<Debugger>("debugger");
  const int interested = desk.act<int>(work);
  std::cout << "the last notice went to " << interested << '\n';
}
