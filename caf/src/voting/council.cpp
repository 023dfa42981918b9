#include "coracle/caf/council.hpp"

#include "council_impl.hpp"

#include <algorithm>

namespace coracle::caf {

Council::Council(Charter charter, std::vector<Member> members, Random& random)
    : charter_(std::make_shared<const Charter>(std::move(charter))),
      members_(std::move(members)),
      random_(random),
      next_id_(0) {
  Electorate checked(members_);
  if (charter_->vacant != Vacant::wait) vacancy_ = std::make_unique<Vacancy>(*this);
}

Council::~Council() = default;

Council& Council::go_on_with(std::vector<Progress> decisions) {
  left_ = std::move(decisions);
  return *this;
}

void Council::on_record(const Record&) {}

std::shared_ptr<const Council::Seats> Council::seats() {
  if (seats_) return seats_;
  auto seats = std::make_shared<Seats>();
  seats->electorate = std::make_shared<const Electorate>(members_);
  for (const Name& each : seats->electorate->names()) seats->addresses.push_back(find(each));
  // All members may reply at once.
  const auto room = static_cast<std::uint32_t>(1024 + 4 * members_.size());
  set_mailbox(MailboxOptions().messages(room));
  seats_ = std::move(seats);
  return seats_;
}

Time Council::next_deadline() const noexcept {
  Time next = Time::max();
  for (const DecisionId id : open_) {
    next = std::min(next, cases_.at(id)->election.deadline());
  }
  return next;
}

Task<> Council::run() {
  // The high bits are those that no other council of this name has had; the low bits count.
  next_id_ = (random_.next() >> 33) << 32;
  for (Progress& each : std::exchange(left_, {})) resume(std::move(each));
  std::vector<DecisionId> resumed;
  for (const auto& [id, each] : cases_) resumed.push_back(id);
  std::sort(resumed.begin(), resumed.end());
  for (const DecisionId id : resumed) co_await advance(*cases_.at(id));

  while (left_to_decide_ > 0) {
    // All waiting messages get the same time, because reading the clock takes longer than counting
    // a vote.
    present_ = now();
    for (int i = 0; i < burst; ++i) {
      std::optional<Message> message;
      if (left_to_decide_ > 0) message = try_receive();
      if (!message) break;
      Task<> rest = handle(*message);
      if (rest) co_await std::move(rest);
    }
    if (vacancy_ && !vacancy_->ended.empty()) {
      co_await on_endings();
      continue;
    }
    if (left_to_decide_ == 0) break;
    const Time next = next_deadline();
    const Deadline deadline = next == Time::max() ? Deadline::never() : Deadline(next);
    std::optional<Message> message = co_await receive(deadline);
    present_ = now();
    if (message) {
      Task<> rest = handle(*message);
      if (rest) co_await std::move(rest);
    }
    if (present_ >= next) co_await on_time();
  }
}

void Council::resume(Progress&& left) {
  auto where = std::make_shared<Seats>();
  for (const Name& each : left.record.roll->names()) where->addresses.push_back(find(each));
  const DecisionId id = left.record.id;
  const bool is_known = left.phase == Phase::closed && left.announced;
  auto one =
      std::make_unique<OpenMotion>(Election(charter_, std::move(left), now()), std::move(where));
  one->again = true;
  if (is_known) one->sent = one->election.steps();
  const Progress& progress = one->election.progress();
  if (progress.key != 0) by_key_[{progress.asker, progress.key}] = id;
  if (progress.phase == Phase::closed) closed_.push_back(id);
  else open_.push_back(id);
  cases_.emplace(id, std::move(one));
}

// Returns the task that remains after a message was taken; often none. The message outlives the
// task.
Task<> Council::handle(Message& message) {
  const Content content = message.content();
  if (const Vote* vote = content.try_as<Vote>()) {
    return on_answer(message, *vote, "vote", &Election::vote);
  }
  if (const Proposals* said = content.try_as<Proposals>()) {
    return on_answer(message, *said, "proposals",
                     [](Election& election, std::uint32_t member, const Proposals& all, Time now) {
                       return election.propose(member, all.alternatives, now);
                     });
  }
  if (const Motion* motion = content.try_as<Motion>()) {
    return on_motion(std::move(message), *motion);
  }
  if (const Commitment* commitment = content.try_as<Commitment>()) {
    return on_answer(message, *commitment, "commitment", &Election::commit);
  }
  if (const Joining* joining = content.try_as<Joining>()) return on_joining(message, *joining);
  if (const RecordRequest* request = content.try_as<RecordRequest>()) {
    return on_record_request(message, request->id);
  }
  if (message.is_request()) return refuse_other(message);
  return {};
}

Task<> Council::refuse_other(const Message& message) {
  co_await refuse(message, "a council takes motions, votes and requests for records");
}

template <class Said, class Take>
Task<> Council::on_answer(const Message& message, const Said& said, std::string_view what,
                          Take take) {
  const auto found = cases_.find(said.id);
  if (found == cases_.end()) {
    return refuse_with(
        message, nullptr,
        {said.id, 0, std::string(what), "there is no such decision, or it ended long ago"});
  }
  OpenMotion& one = *found->second;
  const Name& who = message.source().name();
  const auto member = one.election.electorate().find(who);
  Answer answer;
  if (member) answer = std::invoke(take, one.election, *member, said, present_);
  else
    answer = one.election.refuse(who.view(), what, "you do not belong to its electorate", present_);
  if (answer.kind == Answer::Kind::refused) {
    return refuse_with(message, &one, {said.id, 0, std::string(what), std::move(answer.reason)});
  }
  if (one.election.steps() == one.sent) return {};
  return advance(one);
}

Task<> Council::refuse_with(const Message& message, OpenMotion* one, Refusal refusal) {
  if (one != nullptr && one->election.steps() != one->sent) co_await advance(*one);
  Content content = Content::of(std::move(refusal));
  try {
    auto sending = send(message.source(), std::move(content));
    sending.patience(patience);
    co_await sending;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    // A sender that does not read its refusals does not get them.
  }
}

Task<> Council::on_time() {
  const std::vector<DecisionId> open = open_;
  for (const DecisionId id : open) {
    OpenMotion& one = *cases_.at(id);
    one.election.on_time(now());
    if (one.election.steps() != one.sent) co_await advance(one);
  }
}

// Sends the requests of the phases that have begun.
Task<> Council::advance(OpenMotion& one) {
  while (one.sent != one.election.steps()) {
    one.sent = one.election.steps();
    if (!deputy_.empty()) co_await tell_deputy(one);
    if (one.election.phase() == Phase::closed) {
      co_await conclude(one);
      co_return;
    }
    Content question = question_of(one.election, one.again);
    if (vacancy_) co_await look_for(one.election.electorate());
    const std::uint32_t step = one.sent;
    co_await send_to_all(one, std::move(question));
    if (vacancy_ && one.election.steps() == step) give_up_vacant(one);
  }
}

Task<> Council::send_to_all(OpenMotion& one, Content content) {
  const std::shared_ptr<const Seats> where = one.seats;
  const std::uint32_t step = one.sent;
  for (std::uint32_t member = 0; member < where->addresses.size(); ++member) {
    std::string why;
    try {
      auto sending = send(where->addresses[member], content);
      if (!sending.await_ready()) sending.patience(patience);
      co_await sending;
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
      why = error.sentence();
    }
    if (!why.empty()) one.election.give_up(member, why, now());
    if (one.election.steps() != step) co_return;  // the decision has continued without the others
  }
}

Task<> Council::tell_deputy(OpenMotion& one) {
  Content content = Content::of(Progress(one.election.progress()));
  const Result<Message> stored = co_await ask_result(deputy_, std::move(content), deputy_patience);
  if (stored) co_return;
  if (stored.error().errc() == Errc::stopped || stored.error().errc() == Errc::fenced) {
    throw stored.error();
  }
  deputy_ = Name();  // the deputy does not exist any more; the council continues alone
}

Task<> Council::conclude(OpenMotion& one) {
  const DecisionId id = one.election.record().id;
  const auto open = std::find(open_.begin(), open_.end(), id);
  if (open != open_.end()) {
    open_.erase(open);
    closed_.push_back(id);
    count_missed(one);
    if (chains_) {
      one.election.follow(previous_);
      previous_ = digest_of(one.election.record());
    }
    on_record(one.election.record());
  }
  const Content result = Content::of(Decision(one.election.record().decision));
  std::vector<Message> askers = std::exchange(one.askers, {});
  for (const Message& each : askers) co_await answer(each, result);
  if (charter_->announce) co_await send_to_all(one, result);
  one.election.announced();
  --left_to_decide_;
  if (!deputy_.empty()) {
    Content known = Content::of(Announced{id});
    co_await send(deputy_, std::move(known));
  }
  forget_old();
}

}  // namespace coracle::caf
