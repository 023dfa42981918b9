// The operations of an agent, in terms of its worker and its node.
#include "coracle/agent.hpp"

#include "lifecycle.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/sending/fast_path.hpp"

namespace coracle {

[[gnu::always_inline]] inline detail::Sending::Sending(Agent& sender,
                                                       MessageRecord* message) noexcept
    : agent_(sender), record_(message), target_(message->target) {
  Worker* const worker = Worker::current();
  if (worker != nullptr && send_plain(*worker, sender, *message)) [[likely]] {
    record_ = nullptr;
    ready_ = !worker->scheduler.spent();  // a sender in a loop lets others run, too
  } else {
    try_at_length();
  }
}

using detail::here;
using detail::Mailbox;
using detail::MessageRecord;
using detail::Worker;

const Name& Agent::name() const noexcept { return mailbox_->name; }

Node& Agent::node() const noexcept { return mailbox_->home.load()->node().node(); }

Time Agent::now() const noexcept { return mailbox_->home.load()->now(); }

Address Agent::find(Target who) {
  return who.address() ? who.address() : Address(here(*this).mailboxes.resolve(who.text()));
}

MessageRecord* Agent::pack(Target to, Content content, Conversation conversation,
                           std::uint16_t flags) {
  return pack(find(to), std::move(content), conversation, flags);
}

[[gnu::always_inline]] inline MessageRecord* Agent::pack(Address to, Content content,
                                                         Conversation conversation,
                                                         std::uint16_t flags) {
  return detail::new_record(*mailbox_, detail::Access::mailbox(to), std::move(content),
                            conversation, flags);
}

detail::Sending Agent::send(Address to, Content content, Conversation conversation) {
  if (!to) to = find(to);
  Worker* const worker = Worker::current();
  if (worker != nullptr &&
      send_across(*worker, *this, *detail::Access::mailbox(to), content, conversation)) {
    return detail::Sending(*this, *detail::Access::mailbox(to), !worker->scheduler.spent());
  }
  return detail::Sending(*this, pack(to, std::move(content), conversation, 0));
}

detail::Sending Agent::send(Target to, Content content, Conversation conversation) {
  return send(find(to), std::move(content), conversation);
}

detail::Sending::AsResult Agent::send_result(Target to, Content content,
                                             Conversation conversation) {
  return detail::Sending::AsResult(*this, pack(to, std::move(content), conversation, 0));
}

detail::Asking Agent::ask(Target whom, Content content, Deadline deadline) {
  return detail::Asking(*this, pack(whom, std::move(content), 0, detail::request_flag), deadline);
}

detail::Asking::AsResult Agent::ask_result(Target whom, Content content, Deadline deadline) {
  return detail::Asking::AsResult(*this, pack(whom, std::move(content), 0, detail::request_flag),
                                  deadline);
}

detail::Sending Agent::reply(const MessageView& message, Content content) {
  const Address to = message.reply_to();
  const bool answers = message.is_request() && to == message.source();
  const std::uint16_t flags = answers ? std::uint16_t{detail::reply_flag} : std::uint16_t{0};
  detail::MessageRecord* const record = pack(to, std::move(content), message.conversation(), flags);
  detail::note_answer(*record, message);
  return detail::Sending(*this, record);
}

detail::Sending Agent::refuse(const MessageView& request, std::string_view reason) {
  const auto flags = static_cast<std::uint16_t>(detail::reply_flag | detail::failure_flag);
  detail::MessageRecord* const record =
      pack(request.source(), Content(reason), request.conversation(),
           request.is_request() ? flags : std::uint16_t{0});
  detail::note_answer(*record, request);
  return detail::Sending(*this, record);
}

Conversation Agent::new_conversation() { return here(*this).requests.new_conversation(); }

detail::Receiving Agent::receive(Match match) {
  resolve(match);
  return detail::Receiving(this, std::move(match));
}

detail::ReceivingUntil Agent::receive(Match match, Deadline deadline) {
  resolve(match);
  return detail::ReceivingUntil(this, std::move(match), deadline);
}

// Turns a name into an address, by which the mailbox can look it up.
void Agent::resolve(Match& match) {
  if (!match.name_.empty() && !match.from_) match.from_ = find(match.name_);
}

std::optional<Message> Agent::try_receive(Match match) {
  Worker& worker = here(*this);
  resolve(match);
  if (mailbox_->agent != this) detail::ReceivingAny::fail(Errc::fenced);
  MessageRecord* const record = worker.mailboxes.take(*mailbox_, match);
  if (record == nullptr) return std::nullopt;
  return Message(record);
}

std::size_t Agent::pending(Match match) {
  Worker& worker = here(*this);
  resolve(match);
  if ((mailbox_->mode_now() & detail::returns) != 0) requeue_returned(worker, *mailbox_);
  if ((mailbox_->mode_now() & detail::steps) != 0)
    return mailbox_->count(match && detail::not_held());
  return mailbox_->count(match);
}

void Agent::set_mailbox(const MailboxOptions& options) {
  Worker& worker = here(*this);
  if (options.overflow() == Overflow::redirect && options.redirect().empty()) {
    throw Error(Errc::bad_options,
                "Overflow::redirect was given without a name; use redirect_to(), which takes one");
  }
  worker.mailboxes.set(*mailbox_, options);
  if (!mailbox_->extension) return;
  for (const LeaseId other : mailbox_->extension->correspondents) {
    worker.node().remote()->reports().send_mailbox(other, *mailbox_);
  }
}

void Agent::show_state(std::function<std::string()> show) {
  Worker& worker = here(*this);
  mailbox_->set_mode(detail::shows);
  worker.node().inspection_notes().set_state(*this, std::move(show));
}

void Agent::spawn(Task<> task) {
  Worker& worker = here(*this);
  if (!task) return;
  // The new task may run although an earlier one waits.
  if (detail::Sending* const waiting = mailbox_->ext().waiting_send)
    worker.cycles.end(*this, *waiting);
  auto frame = task.release();
  auto* const record = new detail::TaskRecord(*this, frame);
  frame.promise().set_root(*record);
  mailbox_->ext().tasks.push_back(*record);
  ++mailbox_->ext().spawned;
  worker.scheduler.begin(*this, frame);
}

Task<Address> Agent::adopt(AgentSpec spec, std::unique_ptr<Agent> agent) {
  Worker& worker = here(*this);
  worker.node().mailboxes().expect(spec.name());
  return make_agent(worker, std::move(spec), std::move(agent));
}

}  // namespace coracle
