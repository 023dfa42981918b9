#include "coracle/formats/overheard.hpp"

#include "coracle/support/message_key.hpp"

#include "coracle/content.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace coracle::formats {

namespace {

// The time for which a message to a group waits for notices of further members.
constexpr Duration group_patience = std::chrono::seconds(1);

// A message with its receivers: one, or members of a group.
struct Overheard {
  std::string type, content;
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<StoryMessage> receivers;
  detail::MessageKey key;
  Time noticed = never;       // the last notice
  std::uint64_t reply = 0;    // to this request
  bool has_receiver = false;  // a notice has named one

  StoryMessage& first() { return receivers.front(); }
  const StoryMessage& first() const { return receivers.front(); }
  bool has_ended() const {
    return std::all_of(receivers.begin(), receivers.end(),
                       [](const StoryMessage& each) { return each.outcome.has_value(); });
  }
  std::size_t bytes() const {
    std::size_t sum = sizeof(Overheard) + sizeof(StoryMessage) + type.size() + content.size();
    for (const auto& [name, value] : headers) sum += name.size() + value.size();
    return sum;
  }
};

using Messages = std::map<std::uint64_t, Overheard>;  // by the number of the first receiver's

}  // namespace

struct OverheardStory::State {
  Time begin;
  Time end;
  OverheardLimits limits;
  Messages messages = {};
  Messages taken = {};  // the last story refers to them
  std::unordered_map<detail::MessageKey, std::uint64_t, detail::MessageKey::Hash> numbers = {};
  std::unordered_map<Conversation, std::uint64_t> requests = {};
  std::vector<StoryGap> gaps = {};
  std::uint64_t last = 0;  // number
  std::size_t count = 0;   // of receivers
  std::size_t bytes = 0;

  bool add(const MessageView& copy, const Name& hearer, Time at);
  void note(const MessageView& message, const Notice& notice, Time at);
  void add_gap(const Name& hearer, std::uint64_t missed, Time at);
  StoryMessage* receiver(Overheard& message, const Name& name);
  void join(Overheard& message);
  bool is_done(const Overheard& message, Time now) const;
  Messages::iterator move_to_taken(Messages::iterator at);
  Story story(Time now);
};

bool OverheardStory::State::add(const MessageView& copy, const Name& hearer, Time at) {
  Overheard message;
  message.key = detail::key_of(copy);
  const Content content = copy.content();
  message.type = content.type();
  bool is_encoded = true;
  try {
    const auto bytes_of = content.bytes();
    message.content.assign(reinterpret_cast<const char*>(bytes_of.data()), bytes_of.size());
  } catch (const std::exception&) {
    is_encoded = false;  // a type that has no form in bytes
  }
  message.headers = copy.headers();
  const std::size_t size = message.bytes();
  if (count >= limits.messages || size > limits.bytes || bytes > limits.bytes - size) {
    add_gap(hearer, 1, at);
    return false;
  }
  StoryMessage& first = message.receivers.emplace_back();
  first.id = ++last;
  first.sent = at;
  first.source = copy.source().name();
  first.life = copy.source_life();
  first.target = copy.target();
  if (copy.reply_to().name() != first.source) first.reply_to = copy.reply_to().name();
  first.conversation = copy.conversation();
  first.kind = copied_kind(copy);
  first.redelivered = copy.redelivered();
  first.earlier = copy.earlier();
  first.is_encoded = is_encoded;
  first.deadline = copy.deadline();
  first.trace = copy.trace();
  join(message);
  numbers[message.key] = last;
  messages.emplace(last, std::move(message));
  bytes += size;
  ++count;
  return true;
}

// The number of a request's conversation is its own, so a message back in it is the reply.
void OverheardStory::State::join(Overheard& message) {
  StoryMessage& first = message.first();
  if (first.kind == Kind::request) requests[first.conversation] = first.id;
  if (first.kind != Kind::reply && first.kind != Kind::failure) return;
  const auto asked = requests.find(first.conversation);
  if (asked == requests.end()) return;
  const auto request = messages.find(asked->second);
  if (request == messages.end() || request->second.first().source != first.target) return;
  first.answers = asked->second;
  request->second.reply = first.id;
}

StoryMessage* OverheardStory::State::receiver(Overheard& message, const Name& name) {
  if (name.empty() || (!message.has_receiver && message.first().target == name)) {
    message.has_receiver = true;
    return &message.first();
  }
  if (!message.has_receiver) {  // a member of the group that is the target
    message.has_receiver = true;
    message.first().group = std::exchange(message.first().target, name);
    return &message.first();
  }
  for (StoryMessage& each : message.receivers) {
    if (each.target == name) return &each;
  }
  if (count >= limits.messages || message.first().group.empty()) return nullptr;
  StoryMessage& more = message.receivers.emplace_back(message.first());
  more.id = ++last;
  more.target = name;
  more.kept = more.taken = more.ended = never;
  more.handed_out = 0;
  more.outcome = {};
  more.reason = {};
  ++count;
  return &more;
}

void OverheardStory::State::note(const MessageView& message, const Notice& notice, Time at) {
  const auto number = numbers.find(detail::key_of(message));
  if (number == numbers.end()) return;
  Overheard& noted = messages.at(number->second);
  noted.noticed = at;
  StoryMessage* const its = receiver(noted, notice.receiver);
  if (its == nullptr || its->outcome) return;
  switch (notice.stage) {
    case NoticeStage::kept:
      its->kept = at;
      return;
    case NoticeStage::handed_out:
      its->taken = at;
      if (its->kept == never) its->kept = at;
      its->handed_out = 1;
      return;
    case NoticeStage::ended:
      its->ended = at;
      its->outcome = notice.outcome;
      its->reason = notice.drop_reason;
      return;
  }
}

// One gap may stand for many messages for which there was no room.
void OverheardStory::State::add_gap(const Name& hearer, std::uint64_t missed, Time at) {
  constexpr std::size_t most = 10'000;
  const bool is_known = missed != MessageView::unknown_gap;
  const bool joins = !gaps.empty() && is_known && gaps.back().hearer == hearer &&
                     gaps.back().missed != MessageView::unknown_gap &&
                     (gaps.size() >= most || at - gaps.back().at < std::chrono::milliseconds(250));
  if (joins) gaps.back().missed += missed;
  else if (gaps.size() < most) gaps.push_back({at, hearer, missed});
}

bool OverheardStory::State::is_done(const Overheard& message, Time now) const {
  if (!message.has_ended()) return false;
  const StoryMessage& first = message.first();
  if (!first.group.empty() && now - message.noticed < group_patience) return false;
  if (first.kind != Kind::request || *first.outcome != Outcome::consumed) return true;
  const auto reply = messages.find(message.reply);
  return message.reply != 0 && (reply == messages.end() || reply->second.has_ended());
}

Messages::iterator OverheardStory::State::move_to_taken(Messages::iterator at) {
  Overheard& message = at->second;
  bytes -= message.bytes();
  count -= message.receivers.size();
  const auto number = numbers.find(message.key);
  if (number != numbers.end() && number->second == at->first) numbers.erase(number);
  const auto request = requests.find(message.first().conversation);
  if (request != requests.end() && request->second == at->first) requests.erase(request);
  const auto next = std::next(at);
  taken.insert(messages.extract(at));
  return next;
}

Story OverheardStory::State::story(Time now) {
  Story story;
  story.begin = begin;
  story.end = end = std::max(end, now);
  story.gaps = std::exchange(gaps, {});
  for (auto& [number, message] : taken) {
    for (StoryMessage& each : message.receivers) {
      each.type = message.type;
      each.content = message.content;
      each.headers = message.headers;
      story.messages.push_back(each);
    }
  }
  std::sort(story.messages.begin(), story.messages.end(),
            [](const StoryMessage& a, const StoryMessage& b) { return a.id < b.id; });
  return story;
}

OverheardStory::OverheardStory(Time begin, OverheardLimits limits)
    : state_(new State{begin, begin, limits}) {}

OverheardStory::~OverheardStory() = default;

bool OverheardStory::add(const MessageView& overheard, const Name& hearer, Time at) {
  if (overheard.gap() != 0) {
    // Missing notices are no missing messages.
    if (overheard.gap_reason() != GapReason::notices) state_->add_gap(hearer, overheard.gap(), at);
    return true;
  }
  const auto notice = overheard.notice();
  if (!notice) return state_->add(overheard, hearer, at);
  state_->note(overheard, *notice, at);
  return true;
}

std::size_t OverheardStory::waiting() const noexcept { return state_->count; }

bool OverheardStory::has_ended() const noexcept {
  return std::all_of(state_->messages.begin(), state_->messages.end(),
                     [](const auto& each) { return each.second.has_ended(); });
}

Story OverheardStory::take_ended(Time now, std::size_t most) {
  state_->taken.clear();
  std::vector<std::uint64_t> done;  // first: a request and its reply go together
  for (const auto& [number, message] : state_->messages) {
    if (state_->is_done(message, now)) done.push_back(number);
  }
  const auto waits_for_reply = [&](const Overheard& message) {
    const auto request = state_->messages.find(message.first().answers);
    return request != state_->messages.end() && !state_->is_done(request->second, now);
  };
  std::erase_if(done,
                [&](std::uint64_t number) { return waits_for_reply(state_->messages.at(number)); });
  for (const std::uint64_t each : done) state_->move_to_taken(state_->messages.find(each));
  for (auto at = state_->messages.begin(); state_->count > most && at != state_->messages.end();)
    at = state_->move_to_taken(at);
  return state_->story(now);
}

Story OverheardStory::take(Time now) { return take_ended(now, 0); }

}  // namespace coracle::formats
