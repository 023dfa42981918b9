#include "coracle/detail/access.hpp"
#include "sink.hpp"

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
  Transcriber(std::shared_ptr<Sink> sink, unsigned node) : sink_(std::move(sink)), node_(node) {}

  std::uint64_t meet(const MessageView& message, const Name& to, Incarnation source_life,
                     unsigned worker, Time at) noexcept override {
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

 private:
  const std::shared_ptr<Sink> sink_;
  const unsigned node_;
};

}  // namespace

std::shared_ptr<Observer> transcriber(std::shared_ptr<Sink> sink, unsigned node) {
  return std::make_shared<Transcriber>(std::move(sink), node);
}

}  // namespace coracle::recording
