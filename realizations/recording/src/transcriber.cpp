#include "coracle/detail/access.hpp"
#include "sink.hpp"

#include <mutex>
#include <set>

namespace coracle::recording {

namespace {

void take_content(Said& said, const Content& content) {
  said.type = content.type();
  try {
    said.content = content.text();
  } catch (const std::exception&) {  // thrown by a user's own encode function
    said.is_encoded = false;
  }
}

class Transcriber final : public Observer {
 public:
  Transcriber(std::shared_ptr<Sink> sink, unsigned node, bool only_marked)
      : sink_(std::move(sink)), node_(node), only_marked_(only_marked) {}

  std::uint64_t meet(const MessageView& message, const Name& to, Incarnation source_life,
                     unsigned worker, Time at) noexcept override {
    if (only_marked_ && !is_marked(message.source().name()) && !is_marked(to)) return 0;
    Said said;
    said.at = at;
    said.node = node_;
    said.worker = worker;
    said.source = message.source().name();
    said.life = source_life;
    said.target = to;
    if (message.target() != to) said.addressed = message.target();
    said.conversation = message.conversation();
    said.is_request = message.is_request();
    said.is_reply = (detail::Access::record(message)->flags & detail::reply_flag) != 0;
    said.is_failure = (detail::Access::record(message)->flags & detail::failure_flag) != 0;
    said.redelivered = message.redelivered();
    said.earlier = message.earlier();
    take_content(said, message.content());
    said.headers = message.headers();
    if (message.reply_to() != message.source()) said.reply_to = message.reply_to().name();
    said.deadline = message.deadline();
    said.trace = message.trace();
    return sink_->say(std::move(said));
  }

  void observe(const Observation& seen) noexcept override {
    if (only_marked_ && seen.message == 0 &&
        (seen.agent == nullptr || is_of_message(seen.what) || !is_marked(*seen.agent)))
      return;
    Happened happened;
    happened.what = seen.what;
    happened.at = seen.at;
    happened.node = node_;
    happened.worker = seen.worker;
    happened.message = seen.message;
    if (seen.agent != nullptr) happened.agent = *seen.agent;
    happened.life = seen.life;
    happened.detail = seen.detail;
    happened.text = seen.text;
    sink_->happen(std::move(happened));
  }

  bool mark(const Name& agent, bool is_marked) noexcept override {
    if (!only_marked_) return false;
    const std::lock_guard lock(mutex_);
    if (!is_marked) return marked_.erase(agent), true;
    if (marked_.size() >= most_marked && !marked_.contains(agent)) return false;
    marked_.insert(agent);
    return true;
  }

 private:
  static constexpr std::size_t most_marked = 4096;

  static bool is_of_message(Happening what) noexcept { return what < Happening::began; }
  bool is_marked(const Name& agent) noexcept {
    const std::lock_guard lock(mutex_);
    return marked_.contains(agent);
  }

  const std::shared_ptr<Sink> sink_;
  const unsigned node_;
  const bool only_marked_;
  std::mutex mutex_;  // guards what follows
  std::set<Name> marked_;
};

}  // namespace

std::shared_ptr<Observer> transcriber(std::shared_ptr<Sink> sink, unsigned node, bool only_marked) {
  return std::make_shared<Transcriber>(std::move(sink), node, only_marked);
}

}  // namespace coracle::recording
