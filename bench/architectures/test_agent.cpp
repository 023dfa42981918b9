#include "architectures/test_agent.hpp"

#include "harness/figures/timing.hpp"
#include "harness/run/failures.hpp"

#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coracle::bench {

namespace {

struct Words {
  static constexpr std::string_view content_type = "coracle/bench/words/v1";

  std::uint8_t note = 0;
  std::uint32_t from = 0;    // the sender's number
  std::int64_t sent_at = 0;  // nanoseconds, by the sender's clock
  std::int64_t transit = 0;  // of an answer: the time that the original took
  std::string padding;
};

constexpr std::size_t bytes_without_padding = 32;

}  // namespace

std::string place_name(const Errand& errand, std::uint32_t number) {
  return fmt::format("{}/{}", errand.prefix, number);
}

std::string observer_name(const Errand& errand) { return errand.prefix + "/observer"; }

Task<> TestAgent::play() {
  const std::vector<std::uint32_t>& numbers = errand_.graph->neighbours[number_];
  const auto count = static_cast<std::uint32_t>(numbers.size());
  set_mailbox(MailboxOptions().messages(count * (2 * errand_.messages + 2)));
  padding_.assign(std::max(errand_.size, bytes_without_padding) - bytes_without_padding, 'x');
  for (const std::uint32_t each : numbers)
    neighbours_.push_back({find(place_name(errand_, each)), {}});
  // An agent that has greeted has registered all its patterns.
  for (std::uint32_t each = 0; each < errand_.patterns; ++each) {
    Pattern pattern = never_said(number_ * errand_.patterns + each);
    co_await overhear(std::move(pattern));
  }
  for (std::uint32_t each = 0; each < count; ++each) {
    co_await tell(each, Note::greeting, {});
  }
  Exchange exchange(count, errand_.messages, errand_.seed * 0x9e3779b97f4a7c15U + number_);
  while (const auto turn = exchange.choose()) {
    if (turn->is_send) {
      co_await tell(turn->neighbour, Note::original, {});
      exchange.sent(turn->neighbour);
    } else {
      co_await read(turn->neighbour, exchange);
    }
    if (errand_.delay > Duration()) co_await pause(errand_.delay);
    else co_await yield();
  }
  errand_.sent->fetch_add(1, std::memory_order_relaxed);
  Content said = Content::of(experience());
  co_await send(find(observer_name(errand_)), std::move(said));
}

Task<> TestAgent::tell(std::uint32_t neighbour, Note note, Duration transit) {
  errand_.sent->fetch_add(1, std::memory_order_relaxed);
  const auto kind = static_cast<std::uint8_t>(note);
  const std::int64_t now = clock_now().time_since_epoch().count();
  Content words = Content::of(Words{kind, number_, now, transit.count(), padding_});
  co_await send(neighbours_[neighbour].address, std::move(words));
}

// Makes one attempt; the turn is over whether there was a message or not.
Task<> TestAgent::read(std::uint32_t neighbour, Exchange& exchange) {
  std::optional<Message> message;
  if (errand_.anywhere) message = try_receive();
  else message = try_receive(from(neighbours_[neighbour].address));
  if (!message) co_return;
  const std::int64_t now = clock_now().time_since_epoch().count();
  const Content content = message->consume();
  const Words& words = content.as<Words>();
  const auto& numbers = errand_.graph->neighbours[number_];
  const auto place = std::find(numbers.begin(), numbers.end(), words.from);
  const auto whose = static_cast<std::uint32_t>(place - numbers.begin());
  const auto note = static_cast<Note>(words.note);
  if (place == numbers.end() || words.note > 3 || !exchange.read(whose, note)) {
    throw NotDone("a message came twice, or to somebody else");
  }
  const Duration took(now - words.sent_at);
  if (note == Note::greeting || note == Note::original) {
    co_await tell(whose, note == Note::original ? Note::answer : Note::greeting_answer, took);
  } else if (note == Note::answer) {
    note_round_trip(neighbours_[whose], took + Duration(words.transit));
  }
}

void TestAgent::note_round_trip(Neighbour& neighbour, Duration round_trip) {
  const std::uint64_t all = std::uint64_t{errand_.messages} * neighbours_.size();
  progress_[round_trips_ * tenths / all].add(nanoseconds(round_trip));
  ++round_trips_;
  neighbour.round_trip.add(nanoseconds(round_trip));
}

Experience TestAgent::experience() const {
  Experience said;
  const std::vector<std::uint32_t>& numbers = errand_.graph->neighbours[number_];
  for (std::size_t each = 0; each < neighbours_.size(); ++each) {
    said.averages.push_back(neighbours_[each].round_trip.value());
    const Bond bond = bond_of(*errand_.graph, number_, numbers[each]);
    said.kinds.push_back(static_cast<std::uint8_t>(bond));
  }
  for (const Average& tenth : progress_) said.progress.push_back(tenth.value());
  said.round_trips = round_trips_;
  return said;
}

}  // namespace coracle::bench
