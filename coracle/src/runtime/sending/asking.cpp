// Requests. Each request is open in its worker's table until the one event that ends it.
#include "coracle/support/error_texts.hpp"
#include "coracle/support/mutations.hpp"
#include "delivery.hpp"
#include "dispatch.hpp"
#include "fast_path.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/store/storing.hpp"

namespace coracle::detail {

// Returns a number that is unique on the node for far longer than the node lives: a count in the
// upper bits, the worker's index in the lower 8 bits.
std::uint64_t Requests::next_number() noexcept {
  if (conversations_ == 0) conversations_ = node_.numbers().begin();
  return ++conversations_ << worker_bits | worker_;
}

Conversation Requests::new_conversation() noexcept {
  return next_number() << RequestTable::slot_bits | RequestTable::slot_mask;
}

[[gnu::always_inline]] inline void Asking::close_at(Worker& worker) noexcept {
  worker.requests.close(std::exchange(tag_, 0));
  if (place != idle) disarm();
  worker.cycles.end(agent_, *this);
}

namespace {

constexpr int redirects_followed = 8;

// Returns whether the mailbox of `from` redirects to `to` what it has no room for, as the directory
// describes it.
bool is_redirected(Directory& directory, Name from, const Name& to) {
  for (int hops = 0; hops < redirects_followed; ++hops) {
    const auto known = directory.try_look_up(from);
    if (!known || !*known || (*known)->mailbox.overflow() != Overflow::redirect) return false;
    from = (*known)->mailbox.redirect();
    if (from == to) return true;
  }
  return false;
}

// Returns whether a reply from another node is valid. It must be addressed to the agent that sent
// the request. It must come from the agent that was asked, from that agent's node, or from an agent
// to which the asked agent's mailbox redirects.
bool is_answer(Directory& directory, const Asking& asking, const MessageRecord& reply) {
  if (mutated(Mutation::any_answer)) return true;
  const Mailbox* const asked = asking.asked();
  if (asking.asker() != reply.target || asked == nullptr) return false;
  if (asked == reply.source) return true;
  const RemoteSide* const side = known_side(*asked);
  if (side != nullptr && side->now.lease == reply.fields->origin) return true;
  return reply.source != nullptr && is_redirected(directory, asked->name, reply.source->name);
}

}  // namespace

void answer(Worker& home, MessageRecord* reply) noexcept {
  Asking* const asking = home.requests.find(reply->conversation);
  const bool is_foreign = (reply->flags & foreign_flag) != 0;
  if (asking == nullptr || (is_foreign && !is_answer(home.node().directory(), *asking, *reply)))
    return end_record(home, reply, Outcome::dropped, DropReason::late_reply);
  if (reply->fields == nullptr && (reply->flags & foreign_flag) == 0) {
    hand_out_plain(home, *reply->target, reply);
  } else {
    hand_out(home, *reply->target, reply);
  }
  asking->reply_ = reply;
  if (asking->tag_ != 0) asking->close_at(home);
  home.scheduler.schedule_next(*asking);
}

// The society's policy forbids the reply, or the reply is too large: the agent that waits for it
// gets an error.
void deny_answer(Worker& home, const MessageRecord& reply) noexcept {
  if ((reply.flags & reply_flag) == 0) return;
  Asking* const asking = home.requests.find(reply.conversation);
  if (asking != nullptr && is_answer(home.node().directory(), *asking, reply))
    asking->finish((reply.flags & oversize_flag) != 0 ? Errc::too_large : Errc::not_permitted, {});
}

namespace {

constexpr const char* too_long_absent =
    "the request has waited for an absent agent for as long as is allowed; start the agent, or "
    "raise NodeOptions::absent_time_to_live";

}  // namespace

void Requests::fail(std::uint64_t tag, Errc error, std::string_view text) noexcept {
  if (Asking* const asking = find(tag)) asking->finish(error, text);
}

// A request ended without being read: the agent that waits for its reply gets an error.
void answer_for(Worker& home, const MessageRecord& request, Outcome outcome) noexcept {
  const Errc error = (request.flags & forbidden_flag) != 0  ? Errc::not_permitted
                     : (request.flags & oversize_flag) != 0 ? Errc::too_large
                     : outcome == Outcome::expired          ? Errc::expired
                     : outcome == Outcome::dropped          ? Errc::dropped
                                                            : Errc::undeliverable;
  const bool has_time = request.fields == nullptr || request.fields->deadline > home.now();
  fail_asker(request, error, error == Errc::expired && has_time ? too_long_absent : "");
}

void fail_asker(const MessageRecord& request, Errc error, const char* text) noexcept {
  if ((request.flags & request_flag) == 0 || request.source == nullptr) return;
  const std::uint64_t tag = request.conversation;
  Worker* const home = request.source->home.load();
  if (home == Worker::current()) return home->requests.fail(tag, error, text);
  home->post(
      command([tag, error, text](Worker& worker) { worker.requests.fail(tag, error, text); }));
}

void Requests::fail_all_of(const Mailbox& asked, Errc error, const std::string& text,
                           const std::vector<std::uint64_t>& still_queued) noexcept {
  if (table_.count() == 0) return;
  std::vector<std::uint64_t> ended;
  table_.each([&](std::uint64_t tag, const Asking& asking) {
    if (asking.asked() != &asked || !asking.accepted()) return;
    const auto end = still_queued.end();
    const bool is_queued = std::find(still_queued.begin(), end, tag) != end;
    if (!is_queued || not_for_next_holder.contains(tag)) ended.push_back(tag);
  });
  for (const std::uint64_t tag : ended) fail(tag, error, text);
}

namespace {

// Returns a text for the end of an agent that gave none. Short: a million agents may need it.
const char* words_for(EndReason reason, bool stopping) noexcept {
  switch (reason) {
    case EndReason::stopped:
      return stopping ? "the node stops" : "";
    case EndReason::unreachable:
      return "its node does not respond";
    case EndReason::expired:
      return "its lease expired";
    case EndReason::fenced:
      return "another agent has taken over its name";
    case EndReason::crashed:
      break;
  }
  return "";
}

}  // namespace

void fail_requests_to(Mailbox& ended, Worker& home, EndReason reason, const std::string& last_words,
                      const std::vector<std::uint64_t>& still_queued) noexcept {
  const Errc error = reason == EndReason::crashed ? Errc::agent_failed : Errc::peer_down;
  const bool stops = home.node().stopping().has_begun();
  const std::string text = last_words.empty() ? words_for(reason, stops) : last_words;
  home.publish();  // replies that it sent before it ended come first
  for (const auto& other : home.node().workers()) {
    if (other.get() == &home) {
      home.requests.fail_all_of(ended, error, text, still_queued);
    } else {
      other->post(command([&ended, error, text, still_queued](Worker& at) {
        at.requests.fail_all_of(ended, error, text, still_queued);
      }));
    }
  }
}

const Mailbox* Asking::asker() const noexcept { return Access::mailbox(agent_); }

Asking::~Asking() {
  close();
  if (reply_ != nullptr) Message(std::exchange(reply_, nullptr));
}

bool Asking::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  Worker* const worker = Worker::current();
  if (worker == nullptr) return fail_unsent(Errc::wrong_thread), false;
  frame = awaiting;
  try {
    tag_ = worker->requests.open(*this);
  } catch (const Error& error) {
    more().text = error.sentence();
    return fail_unsent(error.errc()), false;
  }
  record_->conversation = tag_;
  worker->scheduler.wait(*this);
  worker->scheduler.runs(*Access::mailbox(agent_));
  if (deadline_.is_set()) {
    const Time until = deadline_.at(worker->now());
    arm(*worker, until);
    // A request that has gone to another node could not be withdrawn, so it carries its deadline.
    const bool may_leave = worker->node().remote() != nullptr && !target_->is_present();
    if (may_leave || shows_deadline_) fields_of(*record_).deadline = until;
  }
  Sent sent = Sent::accepted;
  record_->set_sequence(Access::mailbox(agent_)->sent + 1);
  if (record_->fields == nullptr && send_plain(*worker, agent_, *record_)) record_ = nullptr;
  else sent = worker->outgoing.try_send(agent_, record_, error_);
  if (sent != Sent::failed && !worker->cycles.is_alone) worker->rests(*Access::mailbox(agent_));
  switch (sent) {
    case Sent::accepted:
      // The request may have ended at once, for example when the mailbox has dropped it.
      if (tag_ != 0 && !worker->cycles.begin(agent_, target_, *this)) {
        finish(Errc::deadlock, circle(*target_, *Access::mailbox(agent_)));
      }
      return true;
    case Sent::wait:
      begin_dispatch(*worker);
      return true;
    case Sent::failed:
      worker->outgoing.refuse(agent_, record_);
      close();
      unlink();
      return false;
  }
  return true;
}

// The worker did not even try to send the request.
void Asking::fail_unsent(Errc error) noexcept {
  error_ = error;
  free_record(std::exchange(record_, nullptr));
}

void Asking::on_dispatched() noexcept {
  Worker& worker = *Worker::current();
  if (error_ != Errc{}) {
    close();
    return worker.scheduler.schedule(*this);
  }
  if (tag_ != 0 && !worker.cycles.begin(agent_, target_, *this)) {
    finish(Errc::deadlock, circle(*target_, *Access::mailbox(agent_)));
  }
}

void Asking::close_open() noexcept {
  Worker& worker = *Worker::current();
  if (reply_ == nullptr) worker.requests.gave_up = true;
  close_at(worker);
}

void Asking::finish(Errc error, std::string_view text) noexcept {
  Worker::current()->touches(*Access::mailbox(agent_));
  if (record_ != nullptr) {  // the request is not even accepted yet
    more_->dispatch->give_up(error);
    return;
  }
  error_ = error;
  if (!text.empty()) more().text = text;
  close();
  Worker::current()->scheduler.schedule(*this);
}

namespace {

// Nobody waits for the reply any more: a request that has not been read is taken out of the
// mailbox.
void withdraw(Worker& home, Mailbox& target, std::uint64_t tag) noexcept {
  if (target.home.load() != &home) {
    return target.home.load()->post(
        command([&target, tag](Worker& there) { withdraw(there, target, tag); }));
  }
  MessageRecord* const late = target.take(that([tag](const MessageView& message) {
    const MessageRecord& record = *Access::record(message);
    const bool is_own = (record.flags & (request_flag | foreign_flag)) == request_flag;
    return is_own && record.conversation == tag;
  }));
  if (late == nullptr) return;
  home.mailboxes.left(target, *late);
  end_record(home, late, Outcome::expired);
}

}  // namespace

void Asking::on_deadline(TimerNode& timer) noexcept {
  auto& self = static_cast<Asking&>(timer);
  timer.owner->observing.observe(Happening::alarm, *Access::mailbox(self.agent_));
  self.end_early(Errc::expired);
}

void Asking::end_early(Errc error) noexcept {
  if (tag_ == 0) return;  // the request has ended
  Worker& here = *Worker::current();
  Mailbox& target = *target_;
  const std::uint64_t tag = record_ == nullptr ? tag_ : 0;  // 0: the request was not sent
  finish(error, {});
  if (tag != 0) withdraw(here, target, tag);
}

// Decides how the request ended; changes nothing when there is a reply that reports no failure.
void Asking::conclude() noexcept {
  if (record_ != nullptr) {
    end_wait();
    unlink();  // the coroutine goes on already
  }
  if (error_ == Errc{} && reply_ == nullptr) error_ = Errc::stopped;
  close();
  if (reply_ == nullptr || (reply_->flags & failure_flag) == 0) return;
  Message failure(std::exchange(reply_, nullptr));
  error_ = Errc::refused;
  more().text = failure.text();
}

Error Asking::error() const {
  return noted(agent_, make_error(error_, "get an answer from", target_->name, text()));
}

Message Asking::await_resume() {
  conclude();
  if (error_ != Errc{}) throw error();
  return Message(std::exchange(reply_, nullptr));
}

Result<Message> Asking::AsResult::await_resume() {
  conclude();
  if (error_ != Errc{}) return error();
  return Message(std::exchange(reply_, nullptr));
}

}  // namespace coracle::detail
