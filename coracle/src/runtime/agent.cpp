// What an agent can do, in terms of its worker and its node.
#include "coracle/agent.hpp"

#include "runtime/fast_path.hpp"

namespace coracle {

[[gnu::always_inline]] inline detail::Sending::Sending(Agent& sender, Parcel* message) noexcept
    : agent_(sender), parcel_(message), target_(message->target) {
  Worker* const worker = Worker::current();
  if (worker != nullptr && worker->send_plain(sender, *message)) [[likely]] {
    parcel_ = nullptr;
    ready_ = !worker->spent();  // whoever sends again and again lets others run, too
  } else {
    try_at_length();
  }
}

using detail::here;
using detail::Parcel;
using detail::Party;
using detail::Worker;

const Name& Agent::name() const noexcept { return party_->name; }

Node& Agent::node() const noexcept { return party_->home.load()->node().node(); }

Time Agent::now() const noexcept { return party_->home.load()->now(); }

Address Agent::find(Target who) {
  return who.address() ? who.address() : Address(here(*this).resolve(who.text()));
}

Parcel* Agent::pack(Target to, Content content, Conversation conversation, std::uint16_t flags) {
  return pack(find(to), std::move(content), conversation, flags);
}

[[gnu::always_inline]] inline Parcel* Agent::pack(Address to, Content content,
                                                  Conversation conversation, std::uint16_t flags) {
  return detail::new_parcel(*party_, to.party(), std::move(content), conversation, flags);
}

detail::Sending Agent::send(Address to, Content content, Conversation conversation) {
  if (!to) to = find(to);
  Worker* const worker = Worker::current();
  if (worker != nullptr && worker->send_across(*this, *to.party(), content, conversation)) {
    return detail::Sending(*this, *to.party(), !worker->spent());
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
  detail::Parcel* const parcel = pack(to, std::move(content), message.conversation(), flags);
  detail::note_answer(*parcel, message);
  return detail::Sending(*this, parcel);
}

detail::Sending Agent::refuse(const MessageView& request, std::string_view reason) {
  const auto flags = static_cast<std::uint16_t>(detail::reply_flag | detail::failure_flag);
  detail::Parcel* const parcel = pack(request.source(), Content(reason), request.conversation(),
                                      request.is_request() ? flags : std::uint16_t{0});
  detail::note_answer(*parcel, request);
  return detail::Sending(*this, parcel);
}

Conversation Agent::new_conversation() { return here(*this).new_conversation(); }

detail::Receiving Agent::receive(Match match) {
  resolve(match);
  return detail::Receiving(this, std::move(match));
}

detail::ReceivingUntil Agent::receive(Match match, Deadline deadline) {
  resolve(match);
  return detail::ReceivingUntil(this, std::move(match), deadline);
}

// A name becomes an address, by which the mailbox can look it up.
void Agent::resolve(Match& match) {
  if (!match.name_.empty() && !match.from_) match.from_ = find(match.name_);
}

std::optional<Message> Agent::try_receive(Match match) {
  Worker& worker = here(*this);
  resolve(match);
  if (party_->agent != this) detail::ReceivingAny::fail(Errc::fenced);
  Parcel* const parcel = worker.take(*party_, match);
  if (parcel == nullptr) return std::nullopt;
  return Message(parcel);
}

std::size_t Agent::pending(Match match) {
  Worker& worker = here(*this);
  resolve(match);
  if ((party_->mode_now() & detail::returns) != 0) worker.requeue_returned(*party_);
  return party_->count(match);
}

void Agent::set_mailbox(const MailboxOptions& options) {
  Worker& worker = here(*this);
  if (options.overflow() == Overflow::redirect && options.redirect().empty()) {
    throw Error(Errc::bad_options,
                "Overflow::redirect was given without a name; use redirect_to(), which takes one");
  }
  worker.set_mailbox(*party_, options);
  if (!party_->extension) return;
  for (const LeaseId other : party_->extension->correspondents) {
    worker.node().remote()->send_mailbox(other, *party_);
  }
}

void Agent::spawn(Task<> task) {
  Worker& worker = here(*this);
  if (!task) return;
  // Whatever waits already, this one may go on.
  if (detail::Sending* const waiting = party_->ext().waiting_send) worker.end_wait(*this, *waiting);
  auto frame = task.release();
  auto* const record = new detail::TaskRecord(*this, frame);
  frame.promise().set_root(*record);
  party_->ext().tasks.push_back(*record);
  ++party_->ext().spawned;
  worker.begin(*this, frame);
}

Task<Address> Agent::adopt(AgentSpec spec, std::unique_ptr<Agent> agent) {
  Worker& worker = here(*this);
  worker.node().parties().expect(spec.name());
  return worker.make_agent(std::move(spec), std::move(agent));
}

}  // namespace coracle
