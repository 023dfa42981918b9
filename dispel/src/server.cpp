#include "coracle/dispel/server.hpp"

#include "service/desk.hpp"

#include <utility>
#include <vector>

namespace coracle::dispel {

namespace {

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

// Questions of others are left to other roles of the same agent.
Match ServerAgent::questions() const {
  return that([this](const MessageView& message) {
    detail::QuestionHead head;
    return message.is_request() && understands(message.content(), head);
  });
}

Task<> ServerAgent::say(const Message& question, Content answer) {
  try {
    co_await reply(question, std::move(answer));
  } catch (const Error& error) {
    if (is_the_end(error)) throw;  // else whoever asked is gone, or does not read
  }
}

Task<> ServerAgent::say_no(const Message& question, std::string why) {
  try {
    co_await refuse(question, why);
  } catch (const Error& error) {
    if (is_the_end(error)) throw;
  }
}

// False when its client has too many there already.
bool ServerAgent::take(Message& question) {
  // From here on, whoever asks is told when this server fails, and may ask another one.
  question.acknowledge();
  detail::QuestionHead head;
  (void)understands(question.content(), head);
  const auto client = reinterpret_cast<std::uintptr_t>(question.source().party());
  const Time deadline = head.within > 0 ? now() + Duration(head.within) : Time::max();
  detail::Desk::Ticket ticket = 0;
  if (desk_->machine.arrive(client, head.lane, deadline, ticket) != detail::Desk::Verdict::taken) {
    return false;
  }
  if (desk_->questions.size() <= ticket) desk_->questions.resize(ticket + 1);
  desk_->questions[ticket] = std::move(question);
  return true;
}

Task<> ServerAgent::turn_down(const Message& question) {
  return say_no(question, "too many questions of yours wait here already; wait for some answers");
}

// Answers, or begins to consider, all whose turn it is.
Task<> ServerAgent::serve_all() {
  while (const std::optional<detail::Desk::Turn> turn = desk_->machine.next(now())) {
    if (turn->too_late) {
      const Message question = std::move(desk_->questions[turn->ticket]);
      co_await say_no(question, "its deadline has passed before its turn came");
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
        try {  // here, because it is what every answer costs
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
  const Content asked = question.content();
  Content answer;
  std::string why;
  bool refused = false;
  try {
    answer = co_await answer_later(asked);
  } catch (const Refusal& refusal) {
    refused = true;
    why = refusal.what();
  }
  desk_->machine.finished(ticket);
  if (refused) co_await say_no(question, std::move(why));
  else co_await say(question, std::move(answer));
  co_await serve_all();
  if (!waits_for_room_ && !retired_) co_return;
  waits_for_room_ = false;
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
  const Match wanted = questions() || woken;
  while (!retired_) {
    // With a full desk, the others wait in the mailbox until there is a place.
    waits_for_room_ = !desk_->machine.has_room();
    const Match& which = waits_for_room_ ? woken : wanted;
    rests_ = true;
    Message question = co_await receive(which);
    rests_ = false;
    if (question.conversation() == wake_) --wakes_;
    else if (!take(question)) co_await turn_down(question);
    while (desk_->machine.has_room()) {
      std::optional<Message> more = try_receive(wanted);
      if (!more) break;
      if (more->conversation() == wake_) --wakes_;
      else if (!take(*more)) co_await turn_down(*more);
    }
    co_await serve_all();
  }
  // Nothing of this life shall be left in the mailbox for the next holder of the name.
  while (desk_->machine.waiting() + desk_->machine.being_served() + wakes_ > 0) {
    const Message finished = co_await receive(woken);
    --wakes_;
  }
}

}  // namespace coracle::dispel
