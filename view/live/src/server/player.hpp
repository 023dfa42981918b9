// Plays a story: in the order of the times, its messages, stages and lives become part of a feed.
// Pure but for the feed. Tests: view/live/tests/player_test.cpp
#pragma once

#include "server/feed.hpp"

#include "coracle/formats/story.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coracle::view {

class Player {
 public:
  // `story` outlives the player.
  Player(Feed& feed, const formats::Story& story);

  // Lets `passed` go by, times the speed.
  void advance(Duration passed);
  void play(double speed);
  void pause() { speed_ = 0; }
  // Goes to a time since the beginning, or to a message.
  void seek(double seconds);
  // Returns false if there is no such message.
  bool seek_message(Number n);
  // Goes to the next or, if `forward` is false, the previous error. Returns false if there is none.
  bool seek_error(bool forward);
  // Goes over that many messages.
  void step(std::int64_t by);

  double at() const { return feed_.times.seconds(now_); }
  double length() const { return feed_.times.seconds(story_.end); }
  double speed() const noexcept { return speed_; }
  Time now() const noexcept { return now_; }
  json::object state() const;

 private:
  struct Event {
    enum class What : std::uint8_t { began, sent, kept, taken, ended, life_ended, gap };
    Time at{};
    What what = What::sent;
    std::size_t place = 0;  // in the messages, the lives or the gaps of the story
  };

  void go_to(std::size_t event, Time at);
  void happen(const Event& event, bool keeps);
  bool is_error(const Event& event) const;
  std::size_t first_after(Time at) const;

  Feed& feed_;
  const formats::Story& story_;
  std::vector<Event> events_;
  std::size_t next_ = 0;  // the first event that has not happened
  Time now_{};
  double speed_ = 0;
};

}  // namespace coracle::view
