#include "server/player.hpp"

#include <algorithm>
#include <utility>

namespace coracle::view {

using formats::never;

Player::Player(Feed& feed, const formats::Story& story)
    : feed_(feed), story_(story), now_(story.begin) {
  using What = Event::What;
  const auto add = [&](Time at, What what, std::size_t place) {
    if (at != never) events_.push_back({at, what, place});
  };
  for (std::size_t i = 0; i < story.lives.size(); ++i) {
    add(story.lives[i].began, What::began, i);
    add(story.lives[i].ended, What::life_ended, i);
  }
  for (std::size_t i = 0; i < story.messages.size(); ++i) {
    const formats::StoryMessage& each = story.messages[i];
    add(each.sent, What::sent, i);
    add(each.kept, What::kept, i);
    add(each.taken, What::taken, i);
    add(each.ended, What::ended, i);
  }
  for (std::size_t i = 0; i < story.gaps.size(); ++i) add(story.gaps[i].at, What::gap, i);
  std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return a.at != b.at ? a.at < b.at : a.what < b.what;
  });
  feed_.times.begin = story.begin;
}

void Player::happen(const Event& event, bool keeps) {
  using What = Event::What;
  if (event.what == What::began || event.what == What::life_ended) {
    const formats::StoryLife& life = story_.lives[event.place];
    if (event.what == What::life_ended) return feed_.people.leave(life.agent);
    return feed_.people.arrive(life.agent, life.node, {}, {}, event.at);
  }
  if (event.what == What::gap) {
    const std::uint64_t missed = story_.gaps[event.place].missed;
    const bool is_known = missed != MessageView::unknown_gap;
    return feed_.messages.add(Gap{event.at, missed, is_known ? "mailbox" : "unknown", {}});
  }
  const formats::StoryMessage& message = story_.messages[event.place];
  if (event.what == What::sent) {
    Seen seen = seen_of(message, keeps ? feed_.messages.limits().content : 0);
    // Its stages come later.
    seen.kept = seen.taken = seen.ended = never;
    seen.outcome.reset(), seen.reason.reset();
    seen.headers.assign(message.headers.begin(), message.headers.end());
    if (keeps) return feed_.see(std::move(seen));
    return feed_.people.count(seen);
  }
  if (event.what == What::ended && is_error(event)) feed_.people.count_error(message.source);
  if (!keeps) return;
  const auto what = event.what == What::kept    ? StageNews::What::kept
                    : event.what == What::taken ? StageNews::What::taken
                                                : StageNews::What::ended;
  feed_.messages.note(message.id, {what, event.at, message.outcome, message.reason});
}

void Player::go_to(std::size_t event, Time at) {
  if (event < next_) {  // from the beginning
    feed_.messages.clear(true);
    feed_.people.clear();
    feed_.decisions.clear();
    next_ = 0;
  }
  // Messages that would go at once to make room are only counted.
  std::size_t keeps_from = next_, kept = 0;
  for (std::size_t i = event; i > next_ && kept < feed_.messages.limits().messages; --i) {
    keeps_from = i - 1;
    if (events_[i - 1].what == Event::What::sent) ++kept;
  }
  for (; next_ < event; ++next_) happen(events_[next_], next_ >= keeps_from);
  now_ = std::clamp(at, story_.begin, story_.end);
  feed_.begin_anew();
}

std::size_t Player::first_after(Time at) const {
  const auto found = std::upper_bound(events_.begin(), events_.end(), at,
                                      [](Time time, const Event& each) { return time < each.at; });
  return static_cast<std::size_t>(found - events_.begin());
}

void Player::advance(Duration passed) {
  if (speed_ == 0 || now_ == story_.end) return;
  const double most = std::chrono::duration<double>(story_.end - now_).count();
  const double moved = std::min(std::chrono::duration<double>(passed).count() * speed_, most);
  now_ += std::chrono::duration_cast<Duration>(std::chrono::duration<double>(moved));
  if (moved == most) now_ = story_.end, speed_ = 0;
  for (; next_ < events_.size() && events_[next_].at <= now_; ++next_) happen(events_[next_], true);
}

void Player::play(double speed) {
  if (now_ == story_.end) go_to(0, story_.begin);
  speed_ = std::clamp(speed, 0.001, 10'000.0);
}

void Player::seek(double seconds) {
  const double length = std::chrono::duration<double>(story_.end - story_.begin).count();
  const std::chrono::duration<double> since(std::clamp(seconds, 0.0, length));
  const Time at = story_.begin + std::chrono::duration_cast<Duration>(since);
  go_to(first_after(at), at);
}

bool Player::seek_message(Number n) {
  const formats::StoryMessage* const message = story_.find(n);
  if (message == nullptr) return false;
  const auto place = static_cast<std::size_t>(message - story_.messages.data());
  const auto found = std::find_if(events_.begin(), events_.end(), [&](const Event& each) {
    return each.what == Event::What::sent && each.place == place;
  });
  go_to(static_cast<std::size_t>(found - events_.begin()) + 1, message->sent);
  return true;
}

bool Player::is_error(const Event& event) const {
  if (event.what == Event::What::sent)
    return story_.messages[event.place].kind == formats::Kind::failure;
  if (event.what == Event::What::life_ended) {
    const auto& reason = story_.lives[event.place].reason;
    return reason && *reason == EndReason::crashed;
  }
  if (event.what != Event::What::ended) return event.what == Event::What::gap;
  const auto& outcome = story_.messages[event.place].outcome;
  return outcome && *outcome != Outcome::consumed;
}

bool Player::seek_error(bool forward) {
  if (forward) {
    for (std::size_t i = next_; i < events_.size(); ++i) {
      if (is_error(events_[i])) return go_to(i + 1, events_[i].at), true;
    }
    return false;
  }
  for (std::size_t i = next_; i-- > 0;) {
    if (is_error(events_[i]) && events_[i].at < now_) return go_to(i + 1, events_[i].at), true;
  }
  return false;
}

void Player::step(std::int64_t by) {
  pause();
  std::size_t place = next_;
  const auto is_message = [&](std::size_t at) { return events_[at].what == Event::What::sent; };
  for (; by > 0 && place < events_.size(); ++place)
    if (is_message(place)) --by;
  if (by < 0) {
    // The message before which it stops is the last one that is taken back.
    while (place > 0 && by < 0)
      if (is_message(--place)) ++by;
  }
  go_to(place, place == 0 ? story_.begin : events_[place - 1].at);
}

json::object Player::state() const {
  json::object state{{"is", "player"}, {"at", at()}, {"speed", speed_}};
  if (now_ == story_.end) state["ended"] = true;
  return state;
}

}  // namespace coracle::view
