#include "coracle/why_waits.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace coracle {

namespace {

constexpr std::size_t longest_chain = 256;

std::string quoted(const Name& name) { return "'" + name.str() + "'"; }

// Returns a number of messages in words, and what they do: "1 message waits".
std::string messages(std::uint64_t count, const char* one_does, const char* many_do) {
  return std::to_string(count) + (count == 1 ? " message " : " messages ") +
         (count == 1 ? one_does : many_do);
}

// Returns a span for people, as in "12.3 s".
std::string in_words(Duration span) {
  const double seconds = std::chrono::duration<double>(span).count();
  std::array<char, 32> text{};
  if (seconds < 1) std::snprintf(text.data(), text.size(), "%.0f ms", seconds * 1000);
  else if (seconds < 120) std::snprintf(text.data(), text.size(), "%.1f s", seconds);
  else std::snprintf(text.data(), text.size(), "%.0f min", seconds / 60);
  return text.data();
}

std::string since(const Wait& wait) {
  if (!wait.since) return {};
  return (wait.is_at_least ? " for at least " : " for ") + in_words(*wait.since);
}

std::string until(const Wait& wait) {
  return wait.left ? ", for " + in_words(*wait.left) + " more" : std::string();
}

std::string message_wanted(const Wait& wait) {
  std::string text = "a message";
  if (!wait.whom.empty()) text += " from " + quoted(wait.whom);
  if (wait.conversation != 0) text += " in conversation " + std::to_string(wait.conversation);
  if (wait.tests_content) text += " that passes a test of its own";
  return text;
}

std::string wait_in_words(const Wait& wait) {
  const std::string waits = "has waited" + since(wait) + " for ";
  switch (wait.what) {
    case WaitFor::message:
      return waits + message_wanted(wait) + until(wait);
    case WaitFor::reply:
      return waits + "the reply of " + quoted(wait.whom) + " in conversation " +
             std::to_string(wait.conversation) + until(wait);
    case WaitFor::room:
      return waits + "room in the mailbox of " + quoted(wait.whom) + until(wait);
    case WaitFor::pause:
      return "has paused" + since(wait) +
             (wait.left ? until(wait) : std::string(", without an end"));
    case WaitFor::computation:
      return waits + "its own computation";
  }
  return {};
}

// Returns the wait that explains most: the longest one for an agent, or else the first.
const Wait* decisive(const std::vector<Wait>& waits) {
  const Wait* best = nullptr;
  const auto rank = [](const Wait& wait) {
    return std::pair(!wait.whom.empty(), wait.since.value_or(Duration::zero()));
  };
  for (const Wait& wait : waits) {
    if (best == nullptr || rank(*best) < rank(wait)) best = &wait;
  }
  return best;
}

bool is_full(const Inspection& found) {
  return found.queued >= found.mailbox.messages() || found.queued_bytes >= found.mailbox.bytes();
}

std::string sentence_of(const WhyStep& step) {
  std::string text = quoted(step.name);
  switch (step.activity) {
    case Activity::absent:
      return "nobody holds the name " + text + "; " + messages(step.queued, "waits", "wait") +
             " for it";
    case Activity::silent:
      return "the node of " + text + " does not reply: it is busy, or cut off";
    case Activity::runs:
      text += " does not wait for an agent: it runs";
      break;
    case Activity::waits:
      text += " " + wait_in_words(*step.wait);
      break;
  }
  if (step.is_unread) text += "; it has not read the request yet";
  if (step.is_full) text += "; its mailbox is full";
  if (step.queued != 0) text += "; " + messages(step.queued, "is", "are") + " in its mailbox";
  if (step.other_waits != 0)
    text += "; it has " + std::to_string(step.other_waits) +
            (step.other_waits == 1 ? " other wait" : " other waits");
  return text;
}

WhyEnd end_of(const Inspection& found, const Wait* wait) {
  switch (found.activity) {
    case Activity::absent:
      return WhyEnd::nobody;
    case Activity::silent:
      return WhyEnd::silent;
    case Activity::runs:
      return WhyEnd::runs;
    case Activity::waits:
      break;
  }
  if (wait->what == WaitFor::computation) return WhyEnd::computes;
  return wait->what == WaitFor::pause ? WhyEnd::pauses : WhyEnd::reads;
}

}  // namespace

const char* to_string(WhyEnd end) noexcept {
  constexpr std::array names = {"circle", "reads",  "runs",        "computes", "pauses",
                                "nobody", "silent", "not_allowed", "too_long"};
  return names[static_cast<std::size_t>(end)];
}

const char* to_string(WaitFor what) noexcept {
  constexpr std::array names = {"message", "reply", "room", "pause", "computation"};
  return names[static_cast<std::size_t>(what)];
}

void WhyChain::end(WhyEnd end) {
  found_.end = end;
  next_ = Name();
}

void WhyChain::go_to(const Name& name) {
  const auto& chain = found_.chain;
  const auto known = std::find_if(chain.begin(), chain.end(),
                                  [&](const WhyStep& step) { return step.name == name; });
  if (known != chain.end()) {
    found_.circle_begins = static_cast<std::size_t>(known - chain.begin());
    found_.is_deadlock =
        std::all_of(known, chain.end(), [](const WhyStep& step) { return step.other_waits == 0; });
    return end(WhyEnd::circle);
  }
  if (chain.size() == longest_chain) return end(WhyEnd::too_long);
  next_ = name;
}

void WhyChain::add(const Inspection& found) {
  WhyStep& step = found_.chain.emplace_back();
  step.name = next_;
  if (!found.is_allowed) {
    step.sentence = "the policy does not let this node inspect " + quoted(next_);
    return end(WhyEnd::not_allowed);
  }
  step.node = found.node;
  step.activity =
      found.activity == Activity::waits && found.waits.empty() ? Activity::runs : found.activity;
  const bool is_here = step.activity == Activity::waits || step.activity == Activity::runs;
  step.queued = is_here ? found.queued : found.waiting;
  step.is_full = is_here && is_full(found);
  const auto& messages = found.messages;
  step.is_unread = request_ != 0 && std::any_of(messages.begin(), messages.end(), [&](auto& each) {
                     return each.kind == MessageKind::request && each.conversation == request_ &&
                            each.source == asker_.view();
                   });
  const Wait* const wait = step.activity == Activity::waits ? decisive(found.waits) : nullptr;
  if (wait != nullptr) {
    step.wait = *wait;
    step.other_waits = found.waits.size() - 1;
  }
  step.sentence = sentence_of(step);
  request_ = wait != nullptr && wait->what == WaitFor::reply ? wait->conversation : 0;
  asker_ = next_;
  if (wait == nullptr || wait->whom.empty()) return end(end_of(found, wait));
  go_to(wait->whom);
}

WhyWaits WhyChain::result() && {
  std::string& all = found_.sentence;
  for (const WhyStep& step : found_.chain) {
    if (!all.empty()) all += "; then ";
    all += step.sentence;
  }
  if (found_.end == WhyEnd::too_long) all += "; and so on, through more than 256 agents";
  if (found_.end == WhyEnd::circle) {
    all += "; so " + quoted(found_.chain.back().name) + " waits for " +
           quoted(found_.chain[found_.circle_begins].name) + " again: a circle";
    all += found_.is_deadlock ? ", in which nobody can go on"
                              : ", in which another task of an agent may go on";
  }
  return std::move(found_);
}

WhyWaits why_waits(const Name& name, const std::function<Inspection(const Name&)>& look_up) {
  WhyChain chain(name);
  while (!chain.next().empty()) chain.add(look_up(chain.next()));
  return std::move(chain).result();
}

WhyWaits why_waits(Node& node, const Name& name) {
  return why_waits(name, [&node](const Name& each) { return inspect(node, each); });
}

Task<WhyWaits> why_waits(Agent& agent, Name name) {
  WhyChain chain(std::move(name));
  while (!chain.next().empty()) {
    Task<Inspection> inspecting = inspect(agent, chain.next());
    const Inspection found = co_await inspecting;
    chain.add(found);
  }
  co_return std::move(chain).result();
}

}  // namespace coracle
