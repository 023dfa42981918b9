#include "honest.hpp"

#include <chrono>
#include <utility>

namespace coracle::fuzzed {

namespace {

using namespace std::chrono_literals;

constexpr Duration pause_between_acts = 1ms, rest = 100ms, patience = 20ms;

bool is_ours(const MessageView& message) {
  return message.source().name().view().starts_with("lab/");
}

// Only its own agents may send in the name of an honest node.
void look_at(const MessageView& message, const Complain& complain) {
  if (!is_ours(message) || message.gap() != 0) return;
  const std::string_view text = message.text();
  if (text.starts_with("secret:") || text.starts_with("open:")) return;
  complain("'" + std::string(message.source().name().view()) + "' never said \"" +
           std::string(text.substr(0, 40)) + "\"");
}

// An agent whose body is one function; an error ends it, as its node's end does.
class Honest final : public Agent {
 public:
  using Body = std::function<Task<>(Agent&)>;
  explicit Honest(Body body) : body_(std::move(body)) {}
  Task<> run() override { return body_(*this); }

 private:
  const Body body_;
};

void begin(Node& node, AgentSpec spec, Honest::Body body) {
  node.adopt(std::move(spec), std::make_unique<Honest>(std::move(body)));
}

Task<> read_all(Agent& me, const Complain& complain) {
  for (;;) {
    const Message message = co_await me.receive();
    look_at(message, complain);
  }
}

Task<> read_slowly(Agent& me, const Complain& complain) {
  for (;;) {
    const Message message = co_await me.receive();
    look_at(message, complain);
    co_await me.pause(Deadline(50ms));
  }
}

Task<> answer_all(Agent& me, const Complain& complain) {
  for (;;) {
    const Message message = co_await me.receive();
    look_at(message, complain);
    if (!message.is_request()) continue;
    const Name asker = message.reply_to().name();
    const bool is_inside = is_ours(message) && asker.view().starts_with("lab/");
    try {
      co_await me.reply(message, Content(is_inside ? "secret:pong" : "open:pong"));
    } catch (const Error&) {
    }
  }
}

Task<> overhear_all(Agent& me, const Complain& complain) {
  try {
    (void)co_await me.overhear(Pattern());
    co_await me.join(Group("teams/red"));
  } catch (const Error&) {
  }
  Task<> reading = read_all(me, complain);
  co_await reading;
}

// Performs one of the acts of an agent.
Task<> do_one(Agent& me, unsigned which) {
  const auto patient = [](const char* to, const char* text) {
    Post post{Name(to), Content(text)};
    post.patience(Deadline(patience));
    return post;
  };
  switch (which % 9) {
    case 0:
      (void)co_await me.ask_result(Name("lab/echo"), Content("secret:ping"), Deadline(patience));
      break;
    case 1: {
      const Receipt receipt = co_await me.track(patient("lab/away", "secret:away"));
      break;
    }
    case 2:
      co_await me.send(patient("lab/diary", "secret:note"));
      break;
    case 3:
      co_await me.multicast(Group("teams/red"), Content("open:team"));
      break;
    case 4:
      (void)co_await me.ask_result(Name("evil/1/a"), Content("open:question"), Deadline(patience));
      break;
    case 5:
      co_await me.send(patient("lab/full", "secret:full"));
      break;
    case 6:
      co_await me.send(patient("lab/tray", "secret:tray"));
      break;
    case 7:
      co_await me.send(patient("evil/2/b", "open:remark"));
      break;
    default:
      co_await me.send(patient("lab/slow", "secret:slow"));
      break;
  }
}

Task<> be_busy(Agent& me, unsigned& acts) {
  unsigned which = 0;
  for (;;) {
    const bool is_due = acts != 0;
    if (is_due) --acts, ++which;
    try {
      Task<> one = do_one(me, which);
      if (is_due) co_await one;
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    }
    co_await me.pause(Deadline(is_due ? pause_between_acts : rest));
  }
}

Task<> ask_for_answer(Agent& me, bool& done) {
  for (int left = 5; left != 0 && !done; --left) {
    const auto answer =
        co_await me.ask_result(Name("lab/echo"), Content("secret:ping"), Deadline(10s));
    done = answer && answer->text() == "secret:pong";
  }
}

}  // namespace

void begin_north(Node& node, const Complain& complain, unsigned& acts) {
  begin(node, AgentSpec("lab/slow").mailbox(MailboxOptions().messages(1)),
        [complain](Agent& me) { return read_slowly(me, complain); });
  begin(node,
        AgentSpec("lab/tray").mailbox(MailboxOptions().messages(1).redirect_to(Name("lab/diary"))),
        [](Agent& me) -> Task<> { co_await me.pause(Deadline::never()); });
  begin(node, "lab/ear", [complain](Agent& me) { return overhear_all(me, complain); });
  begin(node, "lab/ann", [&acts](Agent& me) { return be_busy(me, acts); });
}

void begin_south(Node& node, const Complain& complain) {
  begin(node, "lab/echo", [complain](Agent& me) { return answer_all(me, complain); });
  begin(node, "lab/diary", [complain](Agent& me) { return read_all(me, complain); });
  begin(node, AgentSpec("lab/full").mailbox(MailboxOptions().messages(2)),
        [](Agent& me) -> Task<> { co_await me.pause(Deadline::never()); });
}

void ping(Node& node, bool& done) {
  begin(node, "lab/pinger", [&done](Agent& me) { return ask_for_answer(me, done); });
}

}  // namespace coracle::fuzzed
