#include "server/watching.hpp"

#include "coracle/support/log.hpp"
#include "coracle/support/secret_hash.hpp"

#include "coracle/coracle.hpp"
#include "coracle/directory_changes.hpp"
#include "coracle/dispel/architecture.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

namespace coracle::view {

namespace {

using namespace std::chrono_literals;

constexpr Duration batch_interval = 50ms, change_interval = 500ms, survey_interval = 2s;
constexpr std::size_t most_entries = 50'000;

}  // namespace

void Watching::begin(Agent& me) {
  if (!is_overhearing_) me.spawn(keep_on(&Watching::overhear, is_overhearing_, me));
  if (!is_following_ && has_agent_) me.spawn(keep_on(&Watching::follow, is_following_, me));
  if (!is_surveying_ && options_.survey) me.spawn(keep_on(&Watching::survey, is_surveying_, me));
  if (!is_looking_ && has_agent_) me.spawn(keep_on(&Watching::look, is_looking_, me));
}

// A browser may come while a task ends for the lack of one.
Task<> Watching::keep_on(Task<> (Watching::*what)(Agent&), bool& is_running, Agent& me) {
  is_running = true;
  while (!feed_.browsers.empty()) {
    bool has_failed = false;
    try {
      Task<> task = (this->*what)(me);
      co_await task;
    } catch (const Error& failure) {
      if (failure.errc() == Errc::stopped) break;
      has_failed = true;
      const std::string why = failure.what();
      detail::log_debug(detail::LogPart::gateway, [&] { return "a view: " + why; });
    }
    if (has_failed) co_await me.pause(Deadline(survey_interval));
  }
  is_running = false;
}

Seen Watching::seen_of(const Message& message, Time at, std::size_t content_limit) {
  Seen seen;
  seen.at = at;
  seen.from = message.source().name();
  seen.to = message.target();
  seen.sequence = message.sequence();
  seen.conversation = message.conversation();
  seen.life = message.source_life();
  seen.kind = copied_kind(message);
  seen.again = message.redelivered();
  seen.earlier = message.earlier();
  seen.trace = message.trace();
  const Content content = message.content();
  seen.type = content.type();
  try {
    const auto bytes = content.bytes();
    const std::size_t kept = std::min(bytes.size(), content_limit);
    seen.content.assign(reinterpret_cast<const char*>(bytes.data()), kept);
    seen.size = bytes.size();
    seen.is_cut = kept < bytes.size();
  } catch (const std::exception&) {
    seen.is_encoded = false;  // a type that has no form in bytes
  }
  std::size_t room = content_limit;
  for (const auto& [name, value] : message.headers()) {
    if (name.size() + value.size() > room) break;
    room -= name.size() + value.size();
    seen.headers.emplace_back(name, value);
  }
  return seen;
}

namespace {

Task<Tap> tap_of(Agent& me, const ViewerOptions& options) {
  TapOptions tap;
  tap.limit = options.copies;
  tap.rate = options.rate;
  tap.outcomes = true;
  return me.overhear(options.overhears, tap);
}

// Notes what a notice reports; returns false if the message is no notice.
bool note(Feed& feed, const Message& message, Time at) {
  const std::optional<Notice> notice = message.notice();
  if (!notice) return false;
  const auto what = notice->stage == NoticeStage::kept         ? StageNews::What::kept
                    : notice->stage == NoticeStage::handed_out ? StageNews::What::taken
                                                               : StageNews::What::ended;
  const Name& from = message.source().name();
  feed.messages.note(from, message.source_life(), message.sequence(),
                     {what, at, notice->outcome, notice->drop_reason});
  if (notice->outcome && *notice->outcome != Outcome::consumed) feed.people.count_error(from);
  return true;
}

}  // namespace

void Watching::take(const Message& message, Time at) {
  if (message.gap() != 0) {
    if (message.gap_reason() == GapReason::notices) return;  // only stages are missing
    if (message.gap() != MessageView::unknown_gap) feed_.missed += message.gap();
    return feed_.messages.add(Gap{at, message.gap(), to_string(message.gap_reason()), {}});
  }
  if (note(feed_, message, at)) return;
  feed_.see(seen_of(message, at, feed_.messages.limits().content));
}

Task<> Watching::overhear(Agent& me) {
  std::optional<Tap> tap;
  try {
    if (has_agent_) {
      Task<Tap> asking = tap_of(me, options_);
      tap = co_await asking;
      feed_.rights.overhear.clear();
    }
  } catch (const Error& failure) {
    if (failure.errc() == Errc::stopped) throw;
    feed_.rights.overhear = failure.what();
  }
  changed_();
  Time next = me.now() + batch_interval, next_second = me.now() + 1s;
  const auto take_some = [&] {
    constexpr int most = 2048;
    for (int i = 0; i < most; ++i) {
      const std::optional<Message> more = me.try_receive(overheard_by(*tap));
      if (!more) return;
      take(*more, me.now());
    }
  };
  while (!feed_.browsers.empty()) {
    if (tap) {
      const std::optional<Message> first = co_await me.receive(overheard_by(*tap), Deadline(next));
      if (first) {
        take(*first, me.now());
        take_some();
        co_await me.yield();  // other tasks have their turn, however many messages come
      }
    } else {
      co_await me.pause(Deadline(next));
    }
    const Time now = me.now();
    if (now < next) continue;
    feed_.send_batches(now);
    next = me.now() + batch_interval;
    if (now < next_second) continue;
    next_second = now + 1s;
    measure(now);
    feed_.send_panels();
  }
  if (!tap) co_return;
  co_await me.stop_overhearing(*tap);
  take_some();
}

void Watching::arrive(const Entry& entry, Time at) {
  const dispel::Architecture drawing = dispel::drawn({entry});
  std::vector<std::string> roles;
  for (const dispel::DrawnAgent& each : drawing.agents)
    if (each.name == entry.name.view()) roles = each.roles;
  for (const dispel::DrawnArrow& each : drawing.arrows) {
    if (each.what != "suppresses" && each.what != "inhibits") continue;
    try {
      feed_.decisions.connect(entry.name, Name(each.to), each.what);
    } catch (const Error&) {
      continue;  // the agent has described a name that is none
    }
  }
  feed_.people.arrive(entry.name, entry.lease, std::move(roles), entry.properties, at);
}

// Takes over all agents of the directory.
Task<> Watching::find_all(Agent& me) {
  Query query;
  query.limit = most_entries;
  Task<std::vector<Entry>> searching = me.search(query);
  const std::vector<Entry> entries = co_await searching;
  std::unordered_set<Name, detail::SecretHash> there;
  for (const Entry& each : entries) {
    there.insert(each.name);
    arrive(each, me.now());
  }
  std::vector<Name> gone;
  for (const auto& [name, row] : feed_.people.agents())
    if (row.is_known && !there.contains(name)) gone.push_back(name);
  for (const Name& name : gone) feed_.people.leave(name);
}

Task<> Watching::follow(Agent& me) {
  DirectoryChanges changes(me);
  Task<> beginning = changes.begin();
  co_await beginning;
  bool is_all = true;
  std::vector<Name> names;
  while (!feed_.browsers.empty()) {
    if (is_all) {
      Task<> finding = find_all(me);
      co_await finding;
    }
    for (const Name& name : names) {
      Task<std::optional<Entry>> looking = me.node().directory().look_up(name);
      const std::optional<Entry> entry = co_await looking;
      if (entry) arrive(*entry, me.now());
      else feed_.people.leave(name);
    }
    feed_.send_society();
    co_await me.pause(Deadline(change_interval));
    DirectoryChanges::Changed changed = changes.take();
    is_all = changed.all;
    names = std::move(changed.names);
  }
}

Task<> Watching::survey(Agent& me) {
  const std::function<Survey()> ask = options_.survey;
  while (!feed_.browsers.empty()) {
    Task<Survey> asking = me.compute(ask);
    const Survey survey = co_await asking;
    feed_.people.survey(survey);
    if (!has_agent_) {
      for (const Entry& each : survey.agents) arrive(each, me.now());
      feed_.send_society();
    }
    co_await me.pause(Deadline(survey_interval));
  }
}

void Watching::measure(Time now) {
  Series& series = feed_.series;
  People& people = feed_.people;
  const std::size_t messages =
      series.metric("messages_per_second", "1/s", "Messages that the view has overheard.", "");
  const std::size_t missed =
      series.metric("missed_per_second", "1/s", "Messages that the view has missed.", "");
  const std::size_t agents = series.metric("agents", "", "Agents that are registered.", "");
  const std::size_t sent =
      series.metric("sent_per_second", "1/s", "Messages that an agent sends.", "agent");
  const std::size_t names = series.metric("names", "", "Names that a node has registered.", "node");
  const std::size_t waiting = series.metric(
      "waiting_bytes", "B", "Bytes that a node has not taken yet from the service.", "node");
  const double seconds =
      measured_ == Time{} ? 1 : std::chrono::duration<double>(now - measured_).count();
  const auto per_second = [&](std::uint64_t count, std::uint64_t& before) {
    return static_cast<double>(count - std::exchange(before, count)) / seconds;
  };
  people.measure(now);
  Point point{now, {}};
  const auto add = [&](std::size_t metric, std::string label, double value) {
    point.values.push_back({metric, std::move(label), value});
  };
  add(messages, "", per_second(feed_.seen(), seen_before_));
  add(missed, "", per_second(feed_.missed, missed_before_));
  add(agents, "", static_cast<double>(people.agents().size()));
  for (const NodeRow& each : people.nodes()) {
    const std::string label = each.node.empty() ? std::to_string(each.lease) : each.node;
    add(names, label, static_cast<double>(each.names));
    add(waiting, label, static_cast<double>(each.waiting));
  }
  constexpr std::size_t shown_agents = 50;
  std::vector<const AgentRow*> busy;
  for (const auto& [name, row] : people.agents())
    if (row.rate > 0) busy.push_back(&row);
  std::sort(busy.begin(), busy.end(),
            [](const AgentRow* a, const AgentRow* b) { return a->rate > b->rate; });
  if (busy.size() > shown_agents) busy.resize(shown_agents);
  for (const AgentRow* each : busy) add(sent, each->name.str(), each->rate);
  measured_ = now;
  series.add(std::move(point));
  feed_.send_series();
}

}  // namespace coracle::view
