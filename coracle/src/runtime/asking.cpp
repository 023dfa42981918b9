// Requests: each is open in its worker's table until the one thing that ends it.
#include "runtime/dispatch.hpp"
#include "runtime/entrusting.hpp"
#include "runtime/errors_said.hpp"
#include "runtime/fast_path.hpp"
#include "runtime/node_core.hpp"
#include "runtime/planted.hpp"

namespace coracle::detail {

// Unique on the node, far beyond its life: a count above, the worker below.
std::uint64_t Worker::next_number() noexcept {
  if (conversations_ == 0) conversations_ = node_.numbers_begin();
  return ++conversations_ << 8 | index_;
}

std::uint64_t Worker::new_conversation() noexcept {
  return next_number() << Requests::slot_bits | Requests::slot_mask;
}

void Worker::close_request(std::uint64_t tag) noexcept {
  requests_.close(tag);
  if (!not_for_next_holder.empty()) not_for_next_holder.erase(tag);
}

[[gnu::always_inline]] inline void Asking::close_at(Worker& worker) noexcept {
  worker.close_request(std::exchange(tag_, 0));
  if (place != idle) disarm();
  worker.end_wait(agent_, *this);
}

namespace {

constexpr int redirects_followed = 8;

// Whether a mailbox hands what it has no room for on to that one, as the directory says.
bool is_redirected(Directory& directory, Name from, const Name& to) {
  for (int hops = 0; hops < redirects_followed; ++hops) {
    const auto known = directory.try_look_up(from);
    if (!known || !*known || (*known)->mailbox.overflow() != Overflow::redirect) return false;
    from = (*known)->mailbox.redirect();
    if (from == to) return true;
  }
  return false;
}

// A reply from another node: whether it is for the agent that has asked, and from the one that was
// asked, the node of that one, or one to which its mailbox redirects.
bool is_answer(Directory& directory, const Asking& asking, const Parcel& reply) {
  if (planted(Bug::any_answer)) return true;
  const Party* const asked = asking.asked();
  if (asking.asker() != reply.target || asked == nullptr) return false;
  if (asked == reply.source) return true;
  const RemoteSide* const side = known_side(*asked);
  if (side != nullptr && side->now.lease == reply.extras->origin) return true;
  return reply.source != nullptr && is_redirected(directory, asked->name, reply.source->name);
}

}  // namespace

void Worker::answer(Parcel* reply) noexcept {
  Asking* const asking = request(reply->conversation);
  const bool is_foreign = (reply->flags & foreign_flag) != 0;
  if (asking == nullptr || (is_foreign && !is_answer(node_.directory(), *asking, *reply)))
    return end_parcel(reply, Outcome::dropped, DropReason::late_reply);
  if (reply->extras == nullptr && (reply->flags & foreign_flag) == 0) {
    hand_out_plain(*reply->target, reply);
  } else {
    hand_out(*reply->target, reply);
  }
  asking->reply_ = reply;
  if (asking->tag_ != 0) asking->close_at(*this);
  schedule(*asking);
  woken_ = asking;
}

// The society's policy does not let the reply come, or it is too large: whoever waits for it is
// told.
void deny_answer(Worker& home, const Parcel& reply) noexcept {
  if ((reply.flags & reply_flag) == 0) return;
  Asking* const asking = home.request(reply.conversation);
  if (asking != nullptr && is_answer(home.node().directory(), *asking, reply))
    asking->finish((reply.flags & oversize_flag) != 0 ? Errc::too_large : Errc::not_permitted, {});
}

namespace {

constexpr const char* too_long_absent =
    "nobody has taken the request for as long as it may wait for an absent agent; start the agent, "
    "or raise NodeOptions::absent_time_to_live";

void fail_request(Worker& worker, std::uint64_t tag, Errc error, std::string_view text) noexcept {
  if (Asking* asking = worker.request(tag)) asking->finish(error, text);
}

}  // namespace

// A request ended without being read: whoever waits for its reply is told.
void Worker::answer_for(const Parcel& request, Outcome outcome) noexcept {
  const Errc error = (request.flags & forbidden_flag) != 0  ? Errc::not_permitted
                     : (request.flags & oversize_flag) != 0 ? Errc::too_large
                     : outcome == Outcome::expired          ? Errc::expired
                     : outcome == Outcome::dropped          ? Errc::dropped
                                                            : Errc::undeliverable;
  const bool has_time = request.extras == nullptr || request.extras->deadline > now();
  fail_asker(request, error, error == Errc::expired && has_time ? too_long_absent : "");
}

void fail_asker(const Parcel& request, Errc error, const char* text) noexcept {
  if ((request.flags & request_flag) == 0 || request.source == nullptr) return;
  const std::uint64_t tag = request.conversation;
  Worker* const home = request.source->home.load();
  if (home == Worker::current()) return fail_request(*home, tag, error, text);
  home->post(
      command([tag, error, text](Worker& worker) { fail_request(worker, tag, error, text); }));
}

void Worker::fail_requests(Party& asked, Errc error, const std::string& text,
                           const std::vector<std::uint64_t>& still_queued) noexcept {
  if (requests_.count() == 0) return;
  std::vector<std::uint64_t> ended;
  requests_.each([&](std::uint64_t tag, const Asking& asking) {
    if (asking.asked() != &asked || !asking.accepted()) return;
    const auto end = still_queued.end();
    const bool is_queued = std::find(still_queued.begin(), end, tag) != end;
    if (!is_queued || not_for_next_holder.contains(tag)) ended.push_back(tag);
  });
  for (const std::uint64_t tag : ended) fail_request(*this, tag, error, text);
}

const Party* Asking::asker() const noexcept { return agent_.party(); }

Asking::~Asking() {
  close();
  if (reply_ != nullptr) Message(std::exchange(reply_, nullptr));
}

bool Asking::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  Worker* const worker = Worker::current();
  if (worker == nullptr) return fail_unsent(Errc::wrong_thread), false;
  frame = awaiting;
  try {
    tag_ = worker->open_request(*this);
  } catch (const Error& error) {
    more().text = error.sentence();
    return fail_unsent(error.errc()), false;
  }
  parcel_->conversation = tag_;
  worker->wait(*this);
  if (deadline_.is_set()) {
    const Time until = deadline_.at(worker->now());
    arm(*worker, until);
    // From another node it could not be taken back.
    const bool may_leave = worker->node().remote() != nullptr && !target_->is_present();
    if (may_leave || shows_deadline_) extras_of(*parcel_).deadline = until;
  }
  Sent sent = Sent::accepted;
  parcel_->set_sequence(agent_.party()->sent + 1);
  if (parcel_->extras == nullptr && worker->send_plain(agent_, *parcel_)) parcel_ = nullptr;
  else sent = worker->try_send(agent_, parcel_, error_);
  if (sent != Sent::failed && !worker->is_alone) worker->rests(*agent_.party());
  switch (sent) {
    case Sent::accepted:
      // It may have ended at once, as when the mailbox has dropped it.
      if (tag_ != 0 && !worker->begin_wait(agent_, target_, *this)) {
        finish(Errc::deadlock, worker->circle(*target_, *agent_.party()));
      }
      return true;
    case Sent::wait:
      begin_dispatch(*worker);
      return true;
    case Sent::failed:
      worker->refuse(agent_, parcel_);
      close();
      unlink();
      return false;
  }
  return true;
}

// It was not even tried.
void Asking::fail_unsent(Errc error) noexcept {
  error_ = error;
  free_parcel(std::exchange(parcel_, nullptr));
}

void Asking::on_dispatched() noexcept {
  Worker& worker = *Worker::current();
  if (error_ != Errc{}) {
    close();
    return worker.schedule(*this);
  }
  if (tag_ != 0 && !worker.begin_wait(agent_, target_, *this)) {
    finish(Errc::deadlock, worker.circle(*target_, *agent_.party()));
  }
}

void Asking::close_open() noexcept {
  Worker& worker = *Worker::current();
  if (reply_ == nullptr) worker.gave_up_requests = true;
  close_at(worker);
}

void Asking::finish(Errc error, std::string_view text) noexcept {
  Worker::current()->touches(*agent_.party());
  if (parcel_ != nullptr) {  // not even accepted yet
    more_->dispatch->give_up(error);
    return;
  }
  error_ = error;
  if (!text.empty()) more().text = text;
  close();
  Worker::current()->schedule(*this);
}

namespace {

// Nobody waits for the answer any more: whoever was asked, and has not read it, need not.
void withdraw(Worker& home, Party& target, std::uint64_t tag) noexcept {
  if (target.home.load() != &home) {
    return target.home.load()->post(
        command([&target, tag](Worker& there) { withdraw(there, target, tag); }));
  }
  Parcel* const late = target.take(that([tag](const MessageView& message) {
    const Parcel& parcel = *message.parcel();
    const bool is_own = (parcel.flags & (request_flag | foreign_flag)) == request_flag;
    return is_own && parcel.conversation == tag;
  }));
  if (late == nullptr) return;
  home.left_mailbox(target, *late);
  home.end_parcel(late, Outcome::expired);
}

}  // namespace

void Asking::on_deadline(TimerNode& timer) noexcept {
  auto& self = static_cast<Asking&>(timer);
  timer.owner->observe(Happening::alarm, *self.agent_.party());
  self.end_early(Errc::expired);
}

void Asking::end_early(Errc error) noexcept {
  if (tag_ == 0) return;  // it has ended
  Worker& here = *Worker::current();
  Party& target = *target_;
  const std::uint64_t tag = parcel_ == nullptr ? tag_ : 0;  // else it was not sent
  finish(error, {});
  if (tag != 0) withdraw(here, target, tag);
}

// Decides how it ended; nothing when there is a reply that says something.
void Asking::conclude() noexcept {
  if (parcel_ != nullptr) {
    end_wait();
    unlink();  // it goes on already
  }
  if (error_ == Errc{} && reply_ == nullptr) error_ = Errc::stopped;
  close();
  if (reply_ == nullptr || (reply_->flags & failure_flag) == 0) return;
  Message failure(std::exchange(reply_, nullptr));
  error_ = Errc::refused;
  more().text = failure.text();
}

Error Asking::error() const { return said(error_, "get an answer from", target_->name, text()); }

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
