#include "preference.hpp"

#include <algorithm>

namespace coracle::society {

namespace {

// The pause before the next check whether a place has sent anything.
constexpr Duration look_again = std::chrono::milliseconds(100);

std::size_t first_open(std::span<const Standing> places) {
  const auto found = std::find_if(places.begin(), places.end(),
                                  [](const Standing& place) { return place.is_open; });
  return found == places.end() ? nowhere : static_cast<std::size_t>(found - places.begin());
}

}  // namespace

Choice choose(std::span<const Standing> places, std::size_t used, Time since, Time now) {
  Choice chosen;
  const auto is_past = [&](Time when) {
    if (when > now) chosen.next = std::min(chosen.next, when);
    return when <= now;
  };
  chosen.use = used;
  if (used != nowhere && !places[used].is_open && is_past(places[used].since + silence)) {
    chosen.use = nowhere;
    since = now;
  }
  if (chosen.use == nowhere) {
    chosen.use = first_open(places);
  } else {
    for (std::size_t i = 0; i < used && chosen.use == used; ++i) {
      if (!places[i].is_open) continue;
      const Time proved = places[i].since + proving_time;
      const bool is_due = is_past(proved);
      if (is_due && places[i].received >= proved) chosen.use = i;
      if (is_due) chosen.next = std::min(chosen.next, now + look_again);
      // A move to the next place now would soon be followed by another one.
      if (now < proved + proving_time) break;
    }
  }
  if (chosen.use != used && chosen.use != nowhere) since = now;
  const bool is_served = chosen.use != nowhere && places[chosen.use].is_open;
  const Time begun = is_served || chosen.use == nowhere ? since : places[chosen.use].since;
  int waited_for = 0;  // places that have the first right to answer
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool is_due = is_served ? i <= chosen.use : is_past(begun + head_start * waited_for);
    chosen.dial.push_back(is_due || i == chosen.use);
    if (!places[i].has_failed) ++waited_for;
  }
  chosen.may_stay = !is_past(since + parting_time);
  return chosen;
}

}  // namespace coracle::society
