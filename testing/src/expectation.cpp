#include "coracle/testing/expectation.hpp"

#include "coracle/testing/society.hpp"
#include "watch.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace coracle::testing {

namespace {

constexpr std::size_t misses_shown = 5;
constexpr std::size_t text_shown = 60;

// "2 s", "1.5 ms", "700 us"
std::string shown(Duration span) {
  const auto count = static_cast<double>(span.count());
  struct Unit {
    double nanoseconds;
    const char* name;
  };
  constexpr std::array<Unit, 3> units = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}}};
  std::array<char, 48> text{};
  for (const auto& [size, name] : units) {
    if (count < size && size > 1e3) continue;
    std::snprintf(text.data(), text.size(), "%.6g %s", count / size, name);
    break;
  }
  return text.data();
}

std::string shown(const Seen& seen) {
  std::array<char, 48> time{};
  std::snprintf(time.data(), time.size(), "%.6f s  ",
                std::chrono::duration<double>(seen.at.time_since_epoch()).count());
  std::string text = seen.text();
  if (text.size() > text_shown) text = text.substr(0, text_shown) + "...";
  return time.data() + seen.from + " to " + seen.to + " \"" + text + "\"";
}

std::string placed(const char* file, int line, const std::string& what) {
  const std::string_view path = file;
  const std::size_t slash = path.rfind('/');
  return std::string(path.substr(slash == path.npos ? 0 : slash + 1)) + ":" + std::to_string(line) +
         ": " + what;
}

}  // namespace

MessageExpectation& MessageExpectation::demand(std::string what,
                                               std::function<bool(const Seen&)> fits) {
  demands_.push_back({std::move(what), std::move(fits)});
  return *this;
}

MessageExpectation& MessageExpectation::from(Name sender) {
  return demand("from " + sender.str(),
                [name = sender.str()](const Seen& m) { return m.from == name; });
}

MessageExpectation& MessageExpectation::to(Name target) {
  return demand("to " + target.str(),
                [name = target.str()](const Seen& m) { return m.to == name; });
}

MessageExpectation& MessageExpectation::text(std::string all) {
  std::string what = "with the text \"" + all + "\"";
  return demand(std::move(what), [all = std::move(all)](const Seen& m) { return m.text() == all; });
}

MessageExpectation& MessageExpectation::containing(std::string part) {
  std::string what = "with \"" + part + "\" in its text";
  return demand(std::move(what), [part = std::move(part)](const Seen& m) {
    return m.text().find(part) != std::string::npos;
  });
}

MessageExpectation& MessageExpectation::in_conversation(Conversation which) {
  return demand("in conversation " + std::to_string(which),
                [which](const Seen& m) { return m.conversation == which; });
}

MessageExpectation& MessageExpectation::after(const Seen& earlier) {
  return demand("after that from " + earlier.from + " to " + earlier.to,
                [number = earlier.number](const Seen& m) { return m.number > number; });
}

MessageExpectation& MessageExpectation::that(std::string what,
                                             std::function<bool(const Seen&)> fits) {
  return demand("that is " + what, std::move(fits));
}

bool MessageExpectation::fits(const Seen& seen) const {
  return std::all_of(demands_.begin(), demands_.end(),
                     [&seen](const Demand& demand) { return demand.fits(seen); });
}

std::string MessageExpectation::described(Duration span) const {
  std::string text = wanted_ ? "expected a message" : "expected no message";
  for (const Demand& demand : demands_) text += " " + demand.what;
  return text + " within " + shown(span);
}

// The last of the messages that fit best, and what each of them lacks.
std::string MessageExpectation::near_misses() const {
  struct Miss {
    std::size_t lacks;
    std::string text;
  };
  std::vector<Miss> misses;
  for (const Seen& seen : society_.messages()) {
    Miss miss{0, "\n  " + shown(seen)};
    if (fits(seen)) {
      miss.text += " (has met another expectation)";
    } else {
      for (const Demand& demand : demands_) {
        if (demand.fits(seen)) continue;
        miss.text += (miss.lacks++ == 0 ? " (not " : ", not ") + demand.what;
      }
      miss.text += ")";
    }
    misses.push_back(std::move(miss));
  }
  if (misses.empty()) return ". No message was sent at all";
  // The best ones are kept, the latest among equals, in the order of their sending.
  std::vector<std::size_t> best(misses.size());
  for (std::size_t i = 0; i < best.size(); ++i) best[i] = best.size() - 1 - i;
  std::stable_sort(best.begin(), best.end(),
                   [&](std::size_t a, std::size_t b) { return misses[a].lacks < misses[b].lacks; });
  best.resize(std::min(best.size(), misses_shown));
  std::sort(best.begin(), best.end());
  std::string text = ". The nearest messages:";
  for (const std::size_t place : best) text += misses[place].text;
  return text;
}

Judgement MessageExpectation::judged(std::optional<Seen> found, Duration span) const {
  Judgement judgement;
  judgement.met = found.has_value() == wanted_;
  if (!judgement.met) {
    const std::string instead =
        wanted_ ? ", and none came" + near_misses() : ", and one came:\n  " + shown(*found);
    judgement.what = placed(file_, line_, described(span) + instead);
  }
  judgement.message = std::move(found);
  return judgement;
}

Judgement MessageExpectation::judge_within(Duration span) {
  std::optional<Seen> found;
  const auto met = [&] {
    found = society_.watch_->find([this](const Seen& seen) { return fits(seen); }, wanted_);
    return found.has_value();
  };
  (void)society_.wait_until(met, span, "the message that a test expects");
  return judged(std::move(found), span);
}

Seen MessageExpectation::within(Duration span) {
  Judgement judgement = judge_within(span);
  if (!judgement.met) throw Failure(judgement.what, society_.how_to_repeat());
  return judgement.message.value_or(Seen());
}

Expectation::Expectation(Society& society, std::string what, std::function<bool()> met,
                         std::function<std::string()> instead, const char* file, int line)
    : society_(society),
      what_(std::move(what)),
      met_(std::move(met)),
      instead_(std::move(instead)),
      file_(file),
      line_(line) {}

Judgement Expectation::judge_within(Duration span) {
  Judgement judgement;
  judgement.met = society_.wait_until(met_, span, "what a test expects");
  if (judgement.met) return judgement;
  const std::string instead = instead_ ? ", but " + instead_() : ", and that never happened";
  judgement.what = placed(file_, line_, "expected " + what_ + " within " + shown(span) + instead);
  return judgement;
}

void Expectation::within(Duration span) {
  const Judgement judgement = judge_within(span);
  if (!judgement.met) throw Failure(judgement.what, society_.how_to_repeat());
}

}  // namespace coracle::testing
