// The messages that a council receives from outside: motions, new members, requests for records.
#include "council_impl.hpp"

#include <algorithm>
#include <string>

namespace coracle::caf {

namespace {

constexpr std::size_t subject_limit = 64 * 1024;

}  // namespace

Content question_of(const Election& election, bool again) {
  const Record& record = election.record();
  if (election.phase() == Phase::proposing) {
    Call call;
    call.id = record.id;
    call.subject = record.subject;
    call.within = election.charter().propose_within;
    call.again = again;
    return Content::of(std::move(call));
  }
  const bool commits = election.charter().secrecy == Secrecy::commit_reveal;
  if (commits && election.phase() == Phase::voting) {
    Opening opening;
    opening.id = record.id;
    opening.round = election.round();
    return Content::of(std::move(opening));
  }
  Agenda agenda;
  agenda.id = record.id;
  agenda.round = election.round();
  agenda.subject = record.subject;
  agenda.alternatives = election.agenda();
  agenda.commit = commits;
  agenda.random = election.charter().ties.needs_seed();
  agenda.within = election.charter().vote_within;
  agenda.again = again;
  return Content::of(std::move(agenda));
}

std::string Council::fault_of_motion(const Motion& motion) const {
  if (members_.empty()) return "this council has no members";
  if (open_.size() >= decisions_limit) {
    return "this council has " + std::to_string(decisions_limit) +
           " decisions under way; ask later";
  }
  if (motion.subject.size() > subject_limit) {
    return "the subject has more than " + std::to_string(subject_limit) + " bytes";
  }
  if (motion.alternatives.size() > charter_->agenda_limit) {
    return "there are more than " + std::to_string(charter_->agenda_limit) + " alternatives";
  }
  for (const std::string& each : motion.alternatives) {
    if (each.empty() || each.size() > charter_->text_limit) {
      return "an alternative has 1 to " + std::to_string(charter_->text_limit) + " bytes";
    }
    if (charter_->rule.name() == "median" && !Fraction::parse(each)) {
      return "'" + each.substr(0, 40) + "' is not a number, which a median is taken of";
    }
  }
  return {};
}

Council::OpenMotion* Council::earlier(const Motion& motion, const Name& asker) {
  if (motion.key == 0) return nullptr;
  const auto found = by_key_.find({asker.str(), motion.key});
  return found == by_key_.end() ? nullptr : cases_.at(found->second).get();
}

Council::OpenMotion& Council::begin(const Motion& motion, const Name& asker) {
  Progress beginning;
  beginning.record.id = ++next_id_;
  beginning.record.council = name().str();
  beginning.record.subject = motion.subject;
  beginning.record.incumbent = motion.incumbent;
  beginning.call_peers = motion.call_peers || motion.alternatives.empty();
  if (motion.key != 0) {
    beginning.asker = asker.str();
    beginning.key = motion.key;
    by_key_[{beginning.asker, beginning.key}] = next_id_;
  }
  std::shared_ptr<const Seats> where = seats();
  Election election(charter_, where->electorate, std::move(beginning), motion.alternatives, now());
  auto one = std::make_unique<OpenMotion>(std::move(election), std::move(where));
  OpenMotion& begun = *one;
  cases_.emplace(next_id_, std::move(one));
  open_.push_back(next_id_);
  return begun;
}

Task<> Council::on_motion(Message message, const Motion& motion) {
  const Name asker = message.source().name();
  if (OpenMotion* known = earlier(motion, asker)) {
    if (known->election.phase() != Phase::closed) {
      known->askers.push_back(std::move(message));
      co_return;
    }
    const Content result = Content::of(Decision(known->election.record().decision));
    co_await answer(message, result);
    co_return;
  }
  std::string fault = fault_of_motion(motion);
  if (fault.empty() && charter_->vacant == Vacant::refuse) {
    const std::shared_ptr<const Seats> where = seats();
    co_await look_for(*where->electorate);
    fault = fault_of_seats(*where->electorate);
  }
  if (!fault.empty()) {
    if (message.is_request()) co_await refuse(message, fault);
    co_return;
  }
  OpenMotion& begun = begin(motion, asker);
  begun.askers.push_back(std::move(message));
  co_await advance(begun);
}

Task<> Council::answer(const Message& message, Content content) {
  try {
    auto sending = reply(message, std::move(content));
    if (!sending.await_ready()) sending.patience(patience);
    co_await sending;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    // The sender of the motion has ended, or does not read.
  }
}

Task<> Council::on_joining(const Message& message, const Joining& joining) {
  const Name& who = message.source().name();
  const auto member = std::find_if(members_.begin(), members_.end(),
                                   [&](const Member& each) { return each.name == who.view(); });
  std::string fault;
  if (joining.leaves) {
    if (member != members_.end()) members_.erase(member);
  } else if (member != members_.end()) {
    member->proxy = joining.proxy;
  } else {
    const std::optional<Fraction> weight = admit_ ? admit_(who) : std::nullopt;
    if (!weight || *weight < Fraction(0)) fault = "this council takes no such member";
    else members_.push_back({who.str(), *weight, joining.proxy});
  }
  seats_.reset();
  if (!message.is_request()) co_return;
  if (!fault.empty()) co_await refuse(message, fault);
  else co_await answer(message, Content("from the next decision on"));
}

Task<> Council::on_record_request(const Message& message, DecisionId id) {
  if (!message.is_request()) co_return;
  const auto found = cases_.find(id);
  if (found == cases_.end() || found->second->election.phase() != Phase::closed) {
    co_await refuse(message, "there is no record of that decision, not yet or not any more");
    co_return;
  }
  const Content record = Content::of(Record(found->second->election.record()));
  co_await answer(message, record);
}

// Removes the members that have missed too many votes.
void Council::count_missed(const OpenMotion& one) {
  if (charter_->leaves_after == 0 || one.election.record().polls.empty()) return;
  const Electorate& electorate = one.election.electorate();
  for (std::uint32_t number = 0; number < electorate.size(); ++number) {
    const Name& who = electorate.names()[number];
    if (one.election.has_voted(number)) {
      missed_.erase(who);
      continue;
    }
    if (++missed_[who] < charter_->leaves_after) continue;
    missed_.erase(who);
    std::erase_if(members_, [&](const Member& each) { return each.name == who.view(); });
    seats_.reset();
  }
}

void Council::forget_old() {
  if (vacancy_) watch_less();
  while (closed_.size() > decisions_kept) {
    const Progress& oldest = cases_.at(closed_.front())->election.progress();
    if (oldest.key != 0) by_key_.erase({oldest.asker, oldest.key});
    cases_.erase(closed_.front());
    closed_.pop_front();
  }
}

Task<Decision> decide(Agent& self, Name council, Motion motion, Deadline deadline) {
  if (motion.key == 0) motion.key = self.new_conversation();
  const Content content = Content::of(std::move(motion));
  const Time end = deadline.at(self.now());
  for (;;) {
    const Deadline left = end == Time::max() ? Deadline::never() : Deadline(end);
    Result<Message> answer = co_await self.ask_result(council, content, left);
    if (answer) co_return answer->as<Decision>();
    const Errc errc = answer.error().errc();
    if (errc != Errc::agent_failed && errc != Errc::peer_down) throw answer.error();
  }
}

}  // namespace coracle::caf
