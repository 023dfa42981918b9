// Several passes over a recording: each node sees a message for itself, and the outcomes come
// later.
#include "coracle/formats/story_of.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace coracle::formats {

namespace {

using recording::Happened;
using recording::Recording;
using recording::Said;

// The number of messages from one agent to another that are looked through for the one that has
// arrived; they arrive in their order, so that only lost ones are passed over.
constexpr std::size_t longest_search = 256;

Kind kind_of(const Said& said) noexcept {
  if (said.is_failure) return Kind::failure;
  if (said.is_reply) return Kind::reply;
  return said.is_request ? Kind::request : Kind::plain;
}

StoryMessage message_of(const Said& said) {
  StoryMessage message;
  message.id = said.id;
  message.sent = said.at;
  message.source = said.source;
  message.target = said.target;
  message.group = said.addressed;
  message.reply_to = said.reply_to;
  message.life = said.life;
  message.source_node = message.target_node = said.node;
  message.conversation = said.conversation;
  message.kind = kind_of(said);
  message.redelivered = said.redelivered;
  message.earlier = said.earlier;
  message.is_encoded = said.is_encoded;
  message.type = said.type;
  message.content = said.content;
  message.headers = said.headers;
  message.deadline = said.deadline;
  message.trace = said.trace;
  return message;
}

std::optional<Outcome> outcome_of(Happening what) noexcept {
  switch (what) {
    case Happening::consumed:
      return Outcome::consumed;
    case Happening::expired:
      return Outcome::expired;
    case Happening::refused:
      return Outcome::refused;
    case Happening::undeliverable:
      return Outcome::undeliverable;
    case Happening::dropped:
      return Outcome::dropped;
    case Happening::store_lost:
      return Outcome::store_lost;
    default:
      return std::nullopt;
  }
}

// The messages from one agent to another that were handed to another node, oldest first.
struct Departed {
  std::vector<std::size_t> indexes;
  std::size_t first = 0;
};

class Joining {
 public:
  explicit Joining(const Recording& recording)
      : recording_(recording), place_(recording.messages().size() + 1) {}

  Story join() {
    story_.realization = recording_.realization();
    note_departures();
    for (const Said& said : recording_.messages()) add(said);
    for (const Happened& each : recording_.events()) happen(each);
    find_requests();
    set_times();
    return std::move(story_);
  }

 private:
  // Notes which messages their senders' nodes accepted, and which were handed out there.
  void note_departures() {
    accepted_.resize(place_.size());
    taken_.resize(place_.size());
    for (const Happened& each : recording_.events()) {
      if (each.what == Happening::accepted) accepted_[each.message] = true;
      if (each.what == Happening::handed_out) taken_[each.message] = true;
      has_nodes_ |= each.node != 0;
    }
  }

  void add(const Said& said) {
    std::optional<std::size_t> place;
    if (has_nodes_ && !accepted_[said.id]) place = arrival(said);
    if (!place) {
      place = story_.messages.size();
      StoryMessage& message = story_.messages.emplace_back(message_of(said));
      message.from_elsewhere = !accepted_[said.id] && said.life == Incarnation();
      const bool may_go = has_nodes_ && accepted_[said.id] && !taken_[said.id];
      if (may_go) departed_[{said.source, said.target}].indexes.push_back(*place);
    }
    place_[said.id] = *place;
  }

  // Returns the place of the message that arrives as `said`, if its departure was seen.
  std::optional<std::size_t> arrival(const Said& said) {
    const auto found = departed_.find({said.source, said.target});
    if (found == departed_.end()) return std::nullopt;
    Departed& from = found->second;
    const std::size_t last = std::min(from.indexes.size(), from.first + longest_search);
    for (std::size_t i = from.first; i < last; ++i) {
      StoryMessage& message = story_.messages[from.indexes[i]];
      const bool is_same = message.source_node != said.node && message.kind == kind_of(said) &&
                           message.conversation == said.conversation &&
                           message.group == said.addressed && message.type == said.type &&
                           message.content == said.content;
      if (!is_same) continue;
      from.first = i + 1;
      message.target_node = said.node;
      message.kept = said.at;
      message.redelivered |= said.redelivered;
      return from.indexes[i];
    }
    return std::nullopt;
  }

  void happen(const Happened& each) {
    if (each.message != 0 && each.what <= Happening::store_lost)
      return happen(each, story_.messages[place_[each.message]]);
    switch (each.what) {
      case Happening::began:
      case Happening::ended:
      case Happening::joined:
      case Happening::left:
        return live(each);
      case Happening::copy_handed:
        if (each.detail != 0) story_.gaps.push_back({each.at, each.agent, each.detail});
        return;
      default:
        return;
    }
  }

  static void happen(const Happened& each, StoryMessage& message) {
    if (each.what == Happening::kept) {
      if (message.kept == never) message.kept = each.at;
    } else if (each.what == Happening::handed_out) {
      message.taken = each.at;
      if (message.kept == never) message.kept = each.at;
      ++message.handed_out;
    } else if (each.what == Happening::given_back) {
      message.redelivered = true;
    } else if (const auto outcome = outcome_of(each.what); outcome && !message.outcome) {
      message.outcome = outcome;
      message.ended = each.at;
      const auto last = static_cast<std::uint64_t>(DropReason::receiver_gone);
      if (*outcome == Outcome::dropped && each.detail <= last)
        message.reason = static_cast<DropReason>(each.detail);
    }
  }

  void live(const Happened& each) {
    const auto [at, is_new] = living_.try_emplace(each.agent, story_.lives.size());
    if (is_new || each.what == Happening::began) {
      at->second = story_.lives.size();
      StoryLife& life = story_.lives.emplace_back();
      life.agent = each.agent;
      life.life = each.life;
      life.node = each.node;
    }
    StoryLife& life = story_.lives[at->second];
    if (each.what == Happening::began) {
      life.began = each.at;
    } else if (each.what == Happening::joined) {
      life.groups.push_back({Name(each.text), each.at, never});
    } else if (each.what == Happening::left) {
      for (StoryLife::Stay& stay : life.groups) {
        if (stay.left == never && stay.group.view() == each.text) stay.left = each.at;
      }
    } else {
      life.ended = each.at;
      const auto last = static_cast<std::uint64_t>(EndReason::fenced);
      if (each.detail <= last) life.reason = static_cast<EndReason>(each.detail);
      life.text = each.text;
      living_.erase(at);
    }
  }

  // The number of a request's conversation is its own, so a reply in it answers that request.
  void find_requests() {
    std::unordered_map<Conversation, std::size_t> open;
    for (std::size_t i = 0; i < story_.messages.size(); ++i) {
      StoryMessage& message = story_.messages[i];
      if (message.kind == Kind::request) open[message.conversation] = i;
      if (message.kind != Kind::reply && message.kind != Kind::failure) continue;
      const auto asked = open.find(message.conversation);
      if (asked == open.end()) continue;
      const StoryMessage& request = story_.messages[asked->second];
      if (request.source == message.target) message.answers = request.id;
    }
  }

  void set_times() {
    Time begin = never, end = Time::min();
    const auto see = [&](Time at) {
      if (at == never) return;
      begin = std::min(begin, at);
      end = std::max(end, at);
    };
    for (const StoryMessage& each : story_.messages) {
      for (const Time at : {each.sent, each.kept, each.taken, each.ended}) see(at);
    }
    for (const StoryLife& each : story_.lives) see(each.began), see(each.ended);
    for (const StoryGap& each : story_.gaps) see(each.at);
    if (begin != never) story_.begin = begin, story_.end = end;
  }

  const Recording& recording_;
  Story story_;
  std::vector<std::size_t> place_;  // in the story, by the numbers of the recording
  std::vector<bool> accepted_, taken_;
  bool has_nodes_ = false;
  std::map<std::pair<Name, Name>, Departed> departed_;
  std::unordered_map<Name, std::size_t> living_;
};

}  // namespace

Story story_of(const Recording& recording, const Selection& selection) {
  Story story = Joining(recording).join();
  story.keep(selection);
  return story;
}

}  // namespace coracle::formats
