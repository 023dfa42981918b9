// The acts in a judged society, and their required results.
#include "coracle/rpc.hpp"
#include "coracle/tuple_space.hpp"
#include "judged_society.hpp"
#include "runtime/node/node_core.hpp"
#include "support/societies/doer.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace coracle::trust {

namespace {

using namespace std::chrono_literals;
using test::Doer;

constexpr Duration patience = 2s;
constexpr int items = 3;

template <class Side>
struct Desk {
  rpc::Function<Side, "echo", std::string(std::string)> echo;
  rpc::Function<Side, "count", rpc::Stream<int>(int)> count;
};

struct Clerk {
  std::string echo(const std::string& text) const { return text; }
  rpc::Stream<int> count(int last) const {
    for (int item = 1; item <= last; ++item) co_yield item;
  }
};

Task<> serve(Agent& me) {
  Clerk clerk;
  rpc::Service<Desk, Clerk> service(me, clerk, {.echo = &Clerk::echo, .count = &Clerk::count});
  Task<> serving = service.run();
  co_await serving;
}

Task<> read_nothing(Agent& me) { co_await me.pause(Deadline::never()); }

}  // namespace

std::string JudgedSociety::act() {
  if (actors_.size() < 2) return {};
  switch (draw_.below(20)) {
    case 0:
      return register_name();
    case 1:
    case 2:
      return join();
    case 3:
      return overhear();
    case 4:
    case 5:
    case 6:
      return multicast();
    case 7:
    case 8:
      return ask();
    case 9:
      return redirect();
    case 10:
      return leave_behind();
    case 11:
      return use_tuples();
    case 12:
      return look();
    case 13:
    case 14:
      return call();
    case 15:
      return bury();
    default:
      return send();
  }
}

std::string JudgedSociety::register_name() {
  Actor& maker = any();
  const std::string name =
      std::string(draw_.of(judged_names)).substr(0, 3) + "/late" + std::to_string(++late_);
  bool is_made = true;
  have(maker, [&](Agent& me) -> Task<> {
    try {
      auto made = std::make_unique<Doer>([](Agent&) -> Task<> { co_return; });
      (void)co_await me.adopt(AgentSpec(name), std::move(made));
    } catch (const Error& error) {
      is_made = error.errc() != Errc::not_permitted;
    }
  });
  const bool may = oracle_.may_register(member(maker), name);
  if (may) members_[maker.host].registered.insert(name), oracle_.registered(name);
  return compare("to register '" + name + "'", may, is_made);
}

std::string JudgedSociety::send() {
  Actor& from = any();
  Actor& to = other_than(from);
  const std::string text = "text " + std::to_string(++texts_);
  bool came = false;
  have(from, [&](Agent& me) -> Task<> {
    Receipt receipt = co_await me.track(Post(Name(to.name), Content(text)));
    Task<bool> reached = receipt.reached(Stage::consumed, Deadline(patience));
    came = co_await reached;
    came = came || receipt.first().outcome != Outcome::refused;
  });
  const bool may = may_send(from, to.name, to.host);
  const std::string what = "a message of '" + from.name + "' to '" + to.name + "'";
  std::string wrong = compare(what + " (as its receipt says)", may, came);
  wrong += compare(what, may, to.got.contains(text));
  if (may) wrong += compare_copies(from, &to, to.name, text);
  return wrong;
}

std::string JudgedSociety::ask() {
  Actor& from = any();
  Actor& to = other_than(from);
  std::optional<Errc> error;
  have(from, [&](Agent& me) -> Task<> {
    const std::string text = "question " + std::to_string(++texts_);
    const auto answer = co_await me.ask_result(Name(to.name), Content(text), Deadline(patience));
    if (!answer) error = answer.error().errc();
  });
  const bool may_ask = may_send(from, to.name, to.host);
  const bool may_answer = from.host == to.host || may_send(to, from.name, from.host);
  const std::string what = "a request of '" + from.name + "' to '" + to.name + "'";
  if (!may_ask)
    return compare(what + " (its error)", true, error == Errc::not_permitted) +
           compare(what, false, !error);
  return compare(what + ", or its reply,", may_answer, !error) +
         compare("the error of " + what, !may_answer, error == Errc::not_permitted);
}

std::string JudgedSociety::join() {
  Actor& who = any();
  bool may = oracle_.may_join(member(who), who.name, judged_group), does = true;
  have(who, [&](Agent& me) -> Task<> {
    try {
      co_await me.join(Group(judged_group));
    } catch (const Error& error) {
      does = error.errc() != Errc::not_permitted;
    }
  });
  if (may) joined_.insert(&who);
  return compare("that '" + who.name + "' joins the group", may, does);
}

std::string JudgedSociety::multicast() {
  Actor& from = any();
  if (joined_.empty()) return {};
  const std::string text = "to all " + std::to_string(++texts_);
  have(from, [&](Agent& me) -> Task<> {
    Receipt receipt = co_await me.track(Post(Group(judged_group), Content(text)));
    Task<bool> reached = receipt.reached(Stage::consumed, Deadline(patience));
    (void)co_await reached;
  });
  std::string wrong;
  for (Actor* const to : joined_) {
    if (to == &from) continue;
    wrong += compare("a multicast of '" + from.name + "' to its member '" + to->name + "'",
                     may_send(from, to->name, to->host), to->got.contains(text));
  }
  return wrong + compare_copies(from, nullptr, judged_group, text);
}

std::string JudgedSociety::overhear() {
  Actor& who = any();
  if (who.has_tap) return {};
  bool does = true;
  have(who, [&](Agent& me) -> Task<> {
    try {
      (void)co_await me.overhear(Pattern());
    } catch (const Error& error) {
      does = error.errc() != Errc::not_permitted;
    }
  });
  const bool may = oracle_.may_listen(member(who), who.name);
  who.has_tap = may;
  return compare("that '" + who.name + "' overhears anybody", may, does);
}

// A full mailbox redirects a message.
std::string JudgedSociety::redirect() {
  Actor& owner = any();
  Actor& from = other_than(owner);
  Actor& to = other_than(owner);
  if (from.host == owner.host || &to == &from || to.host == owner.host) return {};
  const std::string tray = "lab/tray" + std::to_string(++late_);
  if (!oracle_.may_register(member(owner), tray)) return {};
  adopt(owner, AgentSpec(tray).mailbox(MailboxOptions().messages(1).redirect_to(Name(to.name))),
        [] { return std::make_unique<Doer>(&read_nothing); });
  const std::string text = "on " + std::to_string(++texts_);
  have(from, [&](Agent& me) -> Task<> {
    for (const std::string& each : {std::string("fills it"), text}) {
      Receipt receipt = co_await me.track(Post(Name(tray), Content(each)));
      Task<bool> reached = receipt.reached(Stage::delivered, Deadline(patience));
      (void)co_await reached;
    }
  });
  const bool may = may_send(from, tray, owner.host) &&
                   oracle_.may_redirect(member(owner), tray, from.name, to.name);
  return compare("that '" + tray + "' redirects what '" + from.name + "' sent to '" + to.name + "'",
                 may, to.got.contains(text));
}

// The target is still absent: the message store keeps the message.
std::string JudgedSociety::leave_behind() {
  Actor& from = any();
  Actor& at = other_than(from);
  const std::string name = "den/late" + std::to_string(++late_);
  if (from.host == at.host || !oracle_.may_register(member(at), name)) return {};
  const std::string text = "left " + std::to_string(++texts_);
  have(from, [&](Agent& me) -> Task<> {
    Receipt receipt = co_await me.track(Post(Name(name), Content(text)));
    Task<bool> reached = receipt.reached(Stage::stored, Deadline(50ms));
    (void)co_await reached;
  });
  bool came = false;
  have(at, [&](Agent& me) -> Task<> {
    auto reader = std::make_unique<Doer>([&came, text](Agent& it) -> Task<> {
      const auto message = co_await it.receive(Deadline(patience));
      came = message && message->text() == text;
    });
    (void)co_await me.adopt(AgentSpec(name), std::move(reader));
    co_await me.pause(Deadline(patience));
  });
  members_[at.host].registered.insert(name);
  oracle_.registered(name);
  return compare("what '" + from.name + "' left for '" + name + "'", may_send(from, name, at.host),
                 came);
}

// A space is an agent; a tuple is put into it and taken out by requests and replies.
std::string JudgedSociety::use_tuples() {
  Actor& owner = any();
  Actor& user = other_than(owner);
  const std::string board = "lab/board" + std::to_string(++late_);
  if (user.host == owner.host || !oracle_.may_register(member(owner), board)) return {};
  adopt(owner, AgentSpec(board), [] { return std::make_unique<TupleSpace>(); });
  bool does = false;
  have(user, [&](Agent& me) -> Task<> {
    Space space(me, Name(board));
    try {
      co_await space.out("task", 7);
      const auto found = co_await space.inp("task", coracle::any<int>);
      does = found.has_value();
    } catch (const Error&) {
    }
  });
  const bool may =
      may_send(user, board, owner.host) && oracle_.may_send(member(owner), board, user.name);
  return compare("that '" + user.name + "' uses the tuple space '" + board + "'", may, does);
}

// A call and each item of a stream are requests with their replies.
std::string JudgedSociety::call() {
  Actor& owner = any();
  Actor& user = other_than(owner);
  const std::string desk = "lab/desk" + std::to_string(++late_);
  if (!oracle_.may_register(member(owner), desk)) return {};
  adopt(owner, AgentSpec(desk), [] { return std::make_unique<Doer>(&serve); });
  const bool is_stream = draw_.chance(50);
  bool does = false;
  std::optional<Errc> error;
  have(user, [&](Agent& me) -> Task<> {
    rpc::Stub<Desk> stub(me, Name(desk), rpc::CallOptions{.within = patience});
    try {
      if (is_stream) {
        rpc::Stream<int> numbers = stub.count(items);
        int came = 0;
        while (co_await numbers.next()) ++came;
        does = came == items;
      } else {
        does = co_await stub.echo("hello") == "hello";
      }
    } catch (const Error& why) {
      error = why.errc();
    }
  });
  const bool may = may_send(user, desk, owner.host) &&
                   (user.host == owner.host || oracle_.may_send(member(owner), desk, user.name));
  const std::string what = "that '" + user.name + "' calls '" + desk + "'";
  const std::string wrong = compare(what, may, does);
  if (may) return wrong;
  return wrong + compare(what + " (its error)", true, error == Errc::not_permitted);
}

// A message expires in the mailbox of an agent that does not read, and goes to the dead letters on
// another node.
std::string JudgedSociety::bury() {
  Actor& owner = any();
  Actor& from = other_than(owner);
  const std::string bin = "lab/bin" + std::to_string(++late_);
  if (!oracle_.may_register(member(owner), bin)) return {};
  adopt(owner, AgentSpec(bin), [] { return std::make_unique<Doer>(&read_nothing); });
  const std::string text = "late " + std::to_string(++texts_);
  have(from, [&](Agent& me) -> Task<> {
    Receipt receipt = co_await me.track(Post(Name(bin), Content(text)).expires(Deadline(50ms)));
    Task<bool> reached = receipt.reached(Stage::consumed, Deadline(patience));
    (void)co_await reached;
  });
  world_.run_for(100ms);
  return compare("the dead letter of what '" + from.name + "' sent to '" + bin + "'",
                 may_send(from, bin, owner.host), letters_.got.contains(text));
}

std::string JudgedSociety::look() {
  Actor& who = any();
  const std::string at = draw_.of(judged_names);
  bool does = true;
  have(who, [&](Agent& me) -> Task<> {
    Task<Inspection> looking = inspect(me, Name(at));
    const Inspection found = co_await looking;
    does = found.is_allowed;
  });
  return compare("that the node of '" + who.name + "' looks at the queue of '" + at + "'",
                 oracle_.may_look_at(member(who), at), does);
}

}  // namespace coracle::trust
