#include "coracle/dispel/pipeline_agent.hpp"

#include "coracle/endings.hpp"
#include "pipeline/stage.hpp"

#include <algorithm>
#include <utility>

namespace coracle::dispel {

using detail::PipelineStage;

namespace {

// The pause of a stage when a neighbour's mailbox has no room.
constexpr Duration breath = std::chrono::milliseconds(1);
// The time for which a stage that has thrown tries to send the output that it made before.
constexpr Duration last_words = std::chrono::seconds(5);
// The time for which a stage that is over waits for a supplier that has fallen silent.
constexpr Duration patience = std::chrono::seconds(30);

class StageWords final : public Match::Test {
 public:
  bool fits(const MessageView& message) const override {
    return message.content().type().starts_with(detail::stage_words);
  }
};

Match stage_words() {
  static const auto test = std::make_shared<const StageWords>();
  return matching(test);
}

// A send that fails in this way ends the agent; after other failures the agent goes on.
bool is_the_end(Errc errc) { return errc == Errc::stopped || errc == Errc::fenced; }
bool is_crowded(Errc errc) {
  return errc == Errc::mailbox_full || errc == Errc::deadlock || errc == Errc::no_credit;
}

}  // namespace

PipelineAgent::PipelineAgent() = default;
PipelineAgent::~PipelineAgent() = default;

Task<> PipelineAgent::produce_from(std::uint64_t) { co_return; }

void PipelineAgent::fail(std::string why) {
  if (failed_.empty()) failed_ = why.empty() ? "it failed" : std::move(why);
  stops_ = true;
}

Task<> PipelineAgent::begin_stage() {
  const std::string types[] = {std::string(takes()), std::string(gives())};
  for (const Supplier& each : wiring_.suppliers) suppliers_.push_back({find(each.name)});
  for (const Name& each : wiring_.consumers) consumers_.push_back({find(each)});
  const Flow& flow = wiring_.flow;
  batch_ = std::max(1U, std::min(flow.batch, flow.window / 4));
  tracks_ = wiring_.dealt ? wiring_.consumers.size() : 1;
  // Neighbours keep to the window, so that no sender has to wait for room here.
  const std::size_t links = wiring_.suppliers.size() + wiring_.consumers.size();
  const std::uint64_t most = 1024 + 4 * links * std::uint64_t{flow.window};
  const auto messages = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, UINT32_MAX));
  set_mailbox(MailboxOptions().messages(messages).bytes((std::size_t{64} << 20) +
                                                        4 * links * flow.window_bytes));
  wake_ = new_conversation();
  stage_ = std::make_unique<PipelineStage>(wiring_, types[0], types[1], new_conversation(),
                                           life_of(*this));
  stage_->begin();
  std::vector<Name> neighbours = wiring_.consumers;
  for (const Supplier& each : wiring_.suppliers) neighbours.push_back(each.name);
  neighbours_ = co_await acquaint(std::move(neighbours));
  for (std::size_t index = 0; index < consumers_.size(); ++index) spawn(follow(false, index));
  for (std::size_t index = 0; index < suppliers_.size(); ++index) spawn(follow(true, index));
}

Task<> PipelineAgent::work_as_stage() {
  const char* const role = is_source() ? "source" : gives().empty() ? "sink" : "filter";
  co_await play(role, wiring_.consumers);
  co_await begin_stage();
  co_await pump();
  if (is_source()) {
    spawn(attend());
    co_await run_source();
  } else {
    co_await work_through();
  }
  co_await say_last_words();
  if (wiring_.keepers.empty()) co_return;
  detail::Ended ended;
  ended.whose = name().str();
  const Content known = Content::of(std::move(ended));
  co_await multicast(Group(wiring_.keepers), known);
}

void PipelineAgent::handle(const Message& message) {
  ++changes_;
  const Content content = message.content();
  const Address who = message.source();
  std::size_t items = 0;
  const detail::Head* head = head_of(content, items);
  if (head == nullptr) {
    const auto* marks = content.try_as<detail::Marks>();
    if (marks == nullptr) return handle_words(content, who);
    head = &marks->head;
  }
  const std::size_t supplier = supplier_at(who, {});
  // A batch for an earlier life of this stage is sent again to this one.
  if (supplier == nobody || message.conversation() != stage_->life()) return;
  suppliers_[supplier].heard = true;
  stage_->on_batch(supplier, content, *head, items);
}

void PipelineAgent::handle_words(const Content& content, Address who) {
  stage_->set_incarnation(life_of(*this));
  if (const auto* ack = content.try_as<detail::Ack>()) {
    const std::size_t consumer = consumer_at(who, ack->whose);
    if (consumer != nobody) stage_->on_ack(consumer, *ack);
  } else if (const auto* attach = content.try_as<detail::Attach>()) {
    const std::size_t consumer = consumer_at(who, {});
    if (consumer == nobody) return;
    consumers_[consumer].heard = true;
    stage_->on_attach(consumer, *attach);
  } else if (const auto* offer = content.try_as<detail::Offer>()) {
    const std::size_t supplier = supplier_at(who, {});
    if (supplier == nobody) return;
    suppliers_[supplier].heard = true;
    stage_->on_offer(supplier, *offer);
  } else if (const auto* cancelled = content.try_as<detail::Cancel>()) {
    const std::size_t consumer = consumer_at(who, cancelled->whose);
    if (consumer != nobody) stage_->on_cancel(consumer);
  } else if (const auto* failed = content.try_as<detail::Failed>()) {
    const std::size_t supplier = supplier_at(who, failed->whose);
    if (supplier != nobody) stage_->on_failed(supplier, failed->text);
  } else if (const auto* returned = content.try_as<detail::Returned>()) {
    if (who == self()) stage_->on_return(returned->upstream, returned->index);
  }
}

// A supplier to which the last messages could not be sent, because it has fallen silent, would wait
// for them for ever.
Task<> PipelineAgent::say_last_words() {
  const auto awaits = [this] { return std::ranges::any_of(suppliers_, &Neighbour::silent); };
  const Time until = now() + patience;
  while (awaits() && now() < until) {
    co_await pause(std::chrono::milliseconds(10));
    while (const std::optional<Message> message = try_receive(stage_words())) handle(*message);
    co_await pump();
  }
}

void PipelineAgent::throw_fault() const {
  if (stage_->fault().empty()) return;
  throw Error(Errc::wrong_type, "stage '" + name().str() +
                                    "' cannot take part: " + stage_->fault() +
                                    "; build all of the pipeline in the same way");
}

void PipelineAgent::check_holding() const {
  if (!holds_) return;
  if (wiring_.lanes > 1 || tracks_ > 1) {
    throw Error(Errc::unsupported,
                "stage '" + name().str() +
                    "' holds items of several ways from its sources; let it have one supplier and "
                    "one consumer");
  }
  if (stage_->held() < wiring_.flow.window) return;
  throw Error(Errc::limit_reached, "stage '" + name().str() + "' holds as much as it may have (" +
                                       std::to_string(wiring_.flow.window) +
                                       " items); release() earlier, or widen Flow::window");
}

void PipelineAgent::produced(std::uint64_t next) { stage_->produced(next); }

void PipelineAgent::flush() {
  Content batch;
  std::vector<detail::Run> runs;
  for (std::size_t track = 0; track < tracks_; ++track) {
    if (take_output(track, stage_->processed(), runs, batch)) stage_->push(track, batch, runs);
  }
  stage_->settle();
}

// Sends the next message; returns false when there is none.
Task<bool> PipelineAgent::send_one() {
  std::optional<detail::Outgoing> next = stage_->next_to_send();
  if (!next) co_return false;
  const Neighbour& to = neighbour(next->upstream, next->index);
  const Result<void> sent = co_await send_result(to.address, std::move(next->content), next->life);
  if (sent) co_return true;
  const Errc errc = sent.error().errc();
  if (is_the_end(errc) || errc == Errc::too_large) throw sent.error();
  if (next->life != 0) stage_->unsend(next->index, next->life, is_crowded(errc));
  if (is_crowded(errc)) co_await pause(breath);
  else if (to.heard) await_return(next->upstream, next->index);
  co_return true;
}

// Only one task at a time sends, so that batches keep their order.
Task<> PipelineAgent::pump() {
  if (pumping_) co_return;
  pumping_ = true;
  // Not `while (co_await …) {}`, which g++ 12 compiles into a jump to anywhere.
  for (bool sent = true; sent;) sent = co_await send_one();
  pumping_ = false;
}

void PipelineAgent::took(const detail::Work& work, std::uint32_t units, bool holds) {
  if (units > 0) stage_->took(units, holds);
  const std::uint64_t next = work.run.label + std::uint64_t{units} * work.run.step;
  // The next unit may be the last that is tried, so everything before it is recorded as done.
  if (units < work.run.labels) stage_->reached(work.run.lane, next);
  // If no unit was worked on, cancel() was called between units: the stream stops before this one.
  if (has_failed() || (stops_ && units == 0)) stage_->stops_at(work.run.lane, next);
  else if (stops_) stage_->stops_at(work.run.lane, next - work.run.step + 1);
}

// The same as pump(), in a task that may go on after the task that waits for it has left.
Task<> PipelineAgent::pump_last() {
  try {
    for (bool sent = true; sent;) sent = co_await send_one();
  } catch (const Error&) {
    // The node stops; the first error counts.
  }
  pumping_ = false;
}

// User code has thrown: output that was made before is sent all the same, unless the consumers take
// nothing. Then nothing is lost if the stage begins again.
Task<> PipelineAgent::leave_behind(std::exception_ptr error) {
  flush();
  const Time until = now() + last_words;
  try {
    if (!std::exchange(pumping_, true)) spawn(pump_last());
    while (pumping_ && now() < until) co_await pause(breath);
  } catch (const Error&) {
    // The node stops; the first error counts.
  }
  std::rethrow_exception(error);
}

// Messages of neighbours are handled meanwhile.
Task<> PipelineAgent::work_slowly_on(const detail::Work& work) {
  if (!std::exchange(attending_, true)) spawn(attend());
  begin_unit(0);
  co_await work_slowly(work);
}

// Works on everything that can be worked on now.
Task<> PipelineAgent::work_off() {
  std::uint32_t unflushed = 0;
  while (const std::optional<detail::Work> next = stage_->next()) {
    const detail::Work work = *next;
    std::uint32_t units = 0;
    std::exception_ptr thrown;
    try {
      if (!slow_ && !stops_) units = work_quickly(work);
      if (slow_ && units == 0 && !stops_) {
        co_await work_slowly_on(work);
        units = has_failed() ? 0 : 1;
      }
    } catch (...) {
      thrown = std::current_exception();
      units = slow_ ? 0 : unit_;
    }
    const bool is_whole = thrown == nullptr && !has_failed();
    took(work, units, is_whole ? holds_ : held_before_);
    if (thrown != nullptr) co_await leave_behind(thrown);
    check_holding();
    unflushed += units;
    if (stops_) break;
    if (!slow_ && units == work.run.labels && unflushed < batch_) continue;
    unflushed = 0;
    flush();
    co_await pump();
  }
}

void PipelineAgent::stop_if_wanted() {
  if (stops_) stage_->stop(failed_);
}

Task<> PipelineAgent::end_of_inputs() {
  holds_ = false;
  stage_->close();
  flush();
  const std::string error = stage_->error();
  co_await at_end(error, stage_->closing_label());
  flush();
  stage_->closed();
  stop_if_wanted();
  stage_->push_end(error);
}

Task<> PipelineAgent::work_through() {
  while (!stage_->is_over()) {
    const std::uint64_t seen = changes_;
    co_await work_off();
    flush();
    stop_if_wanted();
    if (stage_->inputs_ended()) co_await end_of_inputs();
    co_await pump();
    if (stage_->is_over()) co_return;
    if (attending_) {
      if (changes_ == seen) co_await wait_for_change();
      continue;
    }
    const Message message = co_await receive(stage_words());
    handle(message);
    while (const std::optional<Message> more = try_receive(stage_words())) handle(*more);
    throw_fault();
  }
}

// --- a source ---

Task<> PipelineAgent::attend() {
  while (!stage_->is_over()) {
    const Message message = co_await receive(stage_words());
    handle(message);
    throw_fault();
    co_await pump();
    co_await tell_of_change();
  }
}

Task<> PipelineAgent::wait_for_change() {
  waits_for_change_ = true;
  const Message woken = co_await receive(in_conversation(wake_));
}

Task<> PipelineAgent::tell_of_change() {
  if (!waits_for_change_) co_return;
  waits_for_change_ = false;
  co_await send(self(), Content(), wake_);
}

Task<> PipelineAgent::flush_soon() {
  co_await yield();
  flushing_ = false;
  flush();
  co_await pump();
  co_await tell_of_change();
}

Task<> PipelineAgent::put_slowly(bool full) {
  if (full || stops_ || !stage_->has_room()) {
    flush();
    co_await pump();
  } else if (!flushing_) {
    flushing_ = true;
    spawn(flush_soon());
  }
  stop_if_wanted();
  while (!stops_ && !stage_->has_room() && !stage_->is_over()) co_await wait_for_change();
  if (stage_->is_over() || stops_) {
    throw Error(Errc::cancelled, "no consumer takes the items of '" + name().str() +
                                     "' any more; let the source end");
  }
}

Task<> PipelineAgent::run_source() {
  while (!stage_->has_started() && !stage_->is_over()) co_await wait_for_change();
  std::exception_ptr thrown;
  try {
    if (!stage_->is_over()) co_await produce_from(stage_->begin_at());
  } catch (const Error& error) {
    if (error.errc() != Errc::cancelled) thrown = std::current_exception();
  } catch (...) {
    thrown = std::current_exception();
  }
  if (thrown != nullptr) co_await leave_behind(thrown);
  flush();
  stop_if_wanted();
  stage_->push_end({});
  co_await pump();
  while (!stage_->is_over()) co_await wait_for_change();
}

}  // namespace coracle::dispel
