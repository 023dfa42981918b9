#include "coracle/dispel/server.hpp"
#include "coracle/detail/access.hpp"

#include "service/desk.hpp"

#include <utility>
#include <vector>

namespace coracle::dispel {

namespace {

// The time after which a server that replies without waiting looks for new requests.
constexpr Duration before_next_look = std::chrono::milliseconds(5);

bool is_the_end(const Error& error) {
  return error.errc() == Errc::stopped || error.errc() == Errc::fenced;
}

}  // namespace

struct ServerAgent::Desk {
  explicit Desk(const ServerOptions& options)
      : machine({options.at_once, options.waiting, options.each, options.lanes}) {}

  detail::Desk machine;
  std::vector<Message> questions;  // by ticket
};

ServerAgent::ServerAgent(ServerOptions options)
    : options_(std::move(options)), desk_(std::make_unique<Desk>(options_)) {}

ServerAgent::~ServerAgent() = default;

// Matches requests for which there is room at the desk. Requests for other roles of the same agent
// are left to these.
Match ServerAgent::wanted() const {
  return in_conversation(wake_) || that([this](const MessageView& message) {
           detail::QuestionHead head;
           return message.is_request() && understands(message.content(), head) &&
                  desk_->machine.has_room(head.lane);
         });
}

Task<> ServerAgent::say(const Message& question, Content answer) {
  try {
    co_await reply(question, std::move(answer));
  } catch (const Error& error) {
    if (is_the_end(error)) throw;  // otherwise the client is gone, or does not read
  }
}

Task<> ServerAgent::say_no(const Message& question, std::string why) {
  try {
    co_await refuse(question, why);
  } catch (const Error& error) {
    if (is_the_end(error)) throw;
  }
}

// Returns false when the client has too many requests at the desk already.
bool ServerAgent::take(Message& question) {
  // From here on, the client is notified when this server fails, and may ask another one.
  question.acknowledge();
  detail::QuestionHead head;
  (void)understands(question.content(), head);
  const auto client =
      reinterpret_cast<std::uintptr_t>(coracle::detail::Access::mailbox(question.source()));
  detail::Desk::Ticket ticket = 0;
  const detail::Desk::Verdict verdict =
      desk_->machine.arrive(client, head.lane, question.deadline(), ticket);
  if (verdict != detail::Desk::Verdict::taken) return false;
  if (desk_->questions.size() <= ticket) desk_->questions.resize(ticket + 1);
  desk_->questions[ticket] = std::move(question);
  return true;
}

Task<> ServerAgent::turn_down(const Message& question) {
  return say_no(question, "too many of your requests wait here already; wait for some replies");
}

// Takes the requests that wait in the mailbox and for which there is room at the desk.
Task<> ServerAgent::take_in() {
  looked_ = now();
  const Match which = wanted();
  std::vector<Message> refused;  // turned down last, so that no later one overtakes
  while (std::optional<Message> question = try_receive(which)) {
    if (question->conversation() == wake_) --wakes_;
    else if (!take(*question)) refused.push_back(std::move(*question));
  }
  for (const Message& each : refused) co_await turn_down(each);
}

// Answers, or begins to consider, all requests whose turn it is.
Task<> ServerAgent::serve_all() {
  for (;;) {
    // A request of a higher lane may wait in the mailbox.
    const bool is_long_ago = now() - looked_ >= before_next_look;
    if (is_long_ago) co_await yield();
    const bool has_place = desk_->machine.reopen();
    if ((is_long_ago || has_place) && !retired_) co_await take_in();
    const std::optional<detail::Desk::Turn> turn = desk_->machine.next(now());
    if (!turn) break;
    if (turn->too_late) {  // the client knows that by its own clock
      desk_->questions[turn->ticket] = Message();
      continue;
    }
    if (!slow_) {
      const Content asked = desk_->questions[turn->ticket].content();
      Content answer;
      std::string why;
      try {
        answer = answer_now(asked);
      } catch (const Refusal& refusal) {
        why = refusal.what();
        if (why.empty()) why = "no";
      }
      if (!slow_) {
        const Message question = std::move(desk_->questions[turn->ticket]);
        desk_->machine.finished(turn->ticket);
        if (!why.empty()) {
          co_await say_no(question, std::move(why));
          continue;
        }
        try {  // not in a function of its own: every reply pays for this
          co_await reply(question, std::move(answer));
        } catch (const Error& error) {
          if (is_the_end(error)) throw;
        }
        continue;
      }
    }
    spawn(serve(turn->ticket));
  }
}

Task<> ServerAgent::serve(std::uint32_t ticket) {
  const Message question = std::move(desk_->questions[ticket]);
  // The request's turn came in time; this task may have begun a little later.
  const bool too_late = now() >= question.deadline();
  const Content asked = question.content();
  Content answer;
  std::string why;
  bool refused = false;
  try {
    if (!too_late) answer = co_await answer_later(asked);
  } catch (const Refusal& refusal) {
    refused = true;
    why = refusal.what();
  }
  desk_->machine.finished(ticket);
  if (refused) co_await say_no(question, std::move(why));
  else if (!too_late) co_await say(question, std::move(answer));
  co_await serve_all();
  if (!retired_) co_return;
  ++wakes_;
  co_await wake();
}

Task<> ServerAgent::wake() { co_await send(self(), Content(), wake_); }

void ServerAgent::retire() {
  retired_ = true;
  if (!std::exchange(rests_, false)) return;
  ++wakes_;
  spawn(wake());
}

Task<> ServerAgent::work_as_server() {
  co_await play("server");
  if (!options_.service.empty()) co_await tell("service", options_.service);
  wake_ = new_conversation();
  const Match woken = in_conversation(wake_);
  const Match which = wanted();
  while (!retired_) {
    rests_ = true;
    Message question = co_await receive(which);
    rests_ = false;
    if (question.conversation() == wake_) --wakes_;
    else if (!take(question)) co_await turn_down(question);
    co_await take_in();
    co_await serve_all();
  }
  // No message of this incarnation to itself may stay in the mailbox for the next holder of the
  // name.
  while (desk_->machine.waiting() + desk_->machine.being_served() + wakes_ > 0) {
    const Message finished = co_await receive(woken);
    --wakes_;
  }
}

}  // namespace coracle::dispel
