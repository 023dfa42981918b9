#include "surroundings.hpp"

#include <algorithm>
#include <stdexcept>

namespace coracle::recording {

namespace {

constexpr const char* turn_name = "replay/turn";
constexpr const char* end_type = "application/x-coracle-exit";
// A worker made each recorded number from here on; such a number gets the bit `foreign`, so that it
// never equals a number of the replay's workers.
constexpr Conversation made = Conversation{1} << 32;
constexpr Conversation foreign = Conversation{1} << 63;

Content content_of(const Said& said) {
  if (said.type == "text/plain") return {said.content};
  if (said.type.empty()) return {};
  return Content::bytes(std::as_bytes(std::span(said.content)), said.type);
}

Realization parts_for(const std::shared_ptr<Prompter>& prompter,
                      const std::shared_ptr<Audience>& audience) {
  sim::Options plain;
  plain.trace_messages = false;
  Realization parts = sim::World(plain).realization();
  parts.clock = std::shared_ptr<Clock>(prompter, &prompter->clock());
  parts.directory = local_directory(*parts.clock);
  parts.driver = prompter;
  parts.observer = transcriber(audience, 0);
  return parts;
}

}  // namespace

Conversation Conversations::told(Conversation recorded) {
  if (recorded == 0) return 0;
  const auto found = replayed_.find(recorded);
  if (found != replayed_.end()) return found->second;
  const Conversation replayed = recorded < made ? recorded : recorded | foreign;
  same(recorded, replayed);
  return replayed;
}

bool Conversations::same(Conversation recorded, Conversation replayed) {
  if (recorded == 0 || replayed == 0) return recorded == replayed;
  const auto one = replayed_.try_emplace(recorded, replayed).first;
  const auto other = recorded_.try_emplace(replayed, recorded).first;
  return one->second == replayed && other->second == recorded;
}

std::string end_of(const Happened& ended) {
  const auto reason = static_cast<EndReason>(ended.detail);
  if (reason == EndReason::fenced) return {};
  return reason == EndReason::crashed ? "it ended by an exception: " + ended.text : std::string();
}

MessageId Audience::say(Said said) noexcept {
  said.id = sent_.empty() ? 1 : sent_.rbegin()->first + 1;
  const MessageId id = said.id;
  sent_.emplace(id, std::move(said));
  return id;
}

void Audience::happen(Happened happened) noexcept {
  if (happened.what == Happening::began) there_.insert(happened.agent);
  if (happened.what == Happening::ended) there_.erase(happened.agent);
  if (happened.agent != agent_) return;
  if (happened.what == Happening::alarm) ++alarms_;
  if (happened.what == Happening::accepted) {
    outputs_.push_back({sent_.at(happened.message), happened.detail, {}});
  }
  if (happened.what == Happening::ended) {
    const std::string end = end_of(happened);
    if (!end.empty()) outputs_.push_back({{}, 0, end});
  }
}

// Takes the messages that it is sent, and keeps the requests until it is given the reply.
class StandIn final : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      Message message = co_await receive();
      if (message.content().type() == end_type) {
        const std::string why(message.text());
        message.acknowledge();
        if (!why.empty()) throw std::runtime_error(why);
        co_return;
      }
      if (message.is_request()) requests_.emplace(message.sequence(), std::move(message));
    }
  }

  // Takes the request with that number; returns nothing when it never arrived.
  Message take(std::uint64_t sequence) {
    auto found = requests_.extract(sequence);
    return found.empty() ? Message() : std::move(found.mapped());
  }

 private:
  std::map<std::uint64_t, Message> requests_;
};

// Sends in the names of the stand-ins, which live on the same worker.
class Turn final : public Agent {
 public:
  Turn(Surroundings& surroundings, std::vector<Cue> cues)
      : surroundings_(surroundings), cues_(std::move(cues)) {}

  Task<> run() override {
    for (const Cue& cue : cues_) {
      Task<> performing = surroundings_.perform(cue, *this);
      co_await performing;
    }
  }

 private:
  Surroundings& surroundings_;
  const std::vector<Cue> cues_;
};

Surroundings::Surroundings(Time begin, Name agent, const NodeOptions& options)
    : agent_(std::move(agent)),
      prompter_(std::make_shared<Prompter>(begin)),
      audience_(std::make_shared<Audience>(agent_)) {
  NodeOptions settings = options;
  settings.balance = false;
  node_ = std::make_unique<Node>(parts_for(prompter_, audience_), settings);
}

Surroundings::~Surroundings() = default;

void Surroundings::enter(const Role& role) {
  AgentSpec spec = role.spec;
  spec.on_worker(1).pinned();
  if (audience_->is_there(agent_)) spec.take_over();
  node_->adopt(std::move(spec), role.make());
}

void Surroundings::stand_in(const Name& who) {
  if (audience_->is_there(who)) return;
  auto made_one = std::make_unique<StandIn>();
  StandIn* const one = made_one.get();
  AgentSpec spec(who);
  spec.on_worker(0).pinned();
  node_->adopt(std::move(spec), std::move(made_one));
  stand_ins_[who] = one;
}

void Surroundings::perform(std::vector<Cue> cues) {
  if (cues.empty()) return;
  AgentSpec spec(turn_name);
  spec.on_worker(0).pinned();
  node_->adopt(std::move(spec), std::make_unique<Turn>(*this, std::move(cues)));
  prompter_->settle();
}

Task<> Surroundings::perform(const Cue& cue, Agent& turn) {
  const auto found = stand_ins_.find(cue.who);
  if (found == stand_ins_.end()) co_return;
  StandIn& one = *found->second;
  try {
    if (cue.act == Cue::Act::say) {
      Task<> saying = cue.said->is_request ? ask(one, *cue.said, turn) : say(one, *cue.said);
      co_await saying;
    } else if (cue.act == Cue::Act::join) {
      Task<> joining = one.join(group(cue.text));
      co_await joining;
    } else if (cue.act == Cue::Act::leave) {
      Task<> leaving = one.leave(group(cue.text));
      co_await leaving;
    } else {
      stand_ins_.erase(found);
      const Content content = Content::bytes(std::as_bytes(std::span(cue.text)), end_type);
      const std::string name = cue.who.str();
      co_await turn.send(name, content);
    }
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped) throw;
    // It was possible then; if the agent prevents it now, that shows in its messages.
  }
}

namespace {

Task<> wait_for_answer(StandIn& speaker, const Said& said, bool& asked) {
  const std::string whom = said.target.str();
  auto asking = speaker.ask_result(whom, content_of(said));
  asked = true;
  const Result<Message> answer = co_await asking;
}

}  // namespace

// The reply is awaited elsewhere; the next cue comes when the request has been sent.
Task<> Surroundings::ask(StandIn& speaker, const Said& said, Agent& turn) {
  bool asked = false;
  speaker.spawn(wait_for_answer(speaker, said, asked));
  while (!asked) co_await turn.yield();
}

Task<> Surroundings::say(StandIn& speaker, const Said& said) {
  const Content content = content_of(said);
  if (said.is_reply) {
    const auto asked = requests_.find(said.conversation);
    if (asked == requests_.end()) co_return;
    const Message request = speaker.take(asked->second);
    if (!request) co_return;
    if (said.is_failure) co_await speaker.refuse(request, said.content);
    else co_await speaker.reply(request, content);
    co_return;
  }
  bool to_group = false;
  if (!said.addressed.empty()) {
    Task<std::vector<Name>> asking = speaker.members(Group(said.addressed));
    const std::vector<Name> members = co_await asking;
    to_group = std::find(members.begin(), members.end(), agent_) != members.end();
  }
  Post post = to_group ? Post(Group(said.addressed), content) : Post(said.target, content);
  post.conversation(conversations_.told(said.conversation));
  for (const auto& [key, value] : said.headers) post.header(key, value);
  if (!said.reply_to.empty()) post.reply_to(said.reply_to);
  if (said.deadline != Time::max()) post.expires(said.deadline - said.at);
  post.trace(said.trace);
  Task<> sending = speaker.send(post);
  co_await sending;
}

}  // namespace coracle::recording
