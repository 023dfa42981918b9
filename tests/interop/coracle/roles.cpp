#include "roles.hpp"

#include "coracle/acl/protocols/participations.hpp"
#include "coracle/errors.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coracle::player {

namespace {

using acl::Heard;
using acl::Performative;
using acl::Session;

class Reporter final : public Role {
 public:
  bool take(const acl::Message&, Work&) override { return false; }
};

class Echo final : public Role {
 public:
  bool take(const acl::Message& message, Work& work) override {
    if (message.performative != Performative::request) return false;
    acl::Message answer = acl::reply(message, Performative::inform);
    answer.content = message.content;
    work.send(std::move(answer));
    return true;
  }
};

// A role in one protocol.
class Participant : public Role {
 public:
  Participant(std::string protocol, const Work& work)
      : protocol_(std::move(protocol)),
        participations_(work.place.self, message_ids(), work.calendar, {}) {}

  bool take(const acl::Message& message, Work& work) final {
    const acl::Protocol* const protocol = acl::protocol_of(message);
    if (protocol != nullptr && protocol->name != protocol_) return false;
    const auto hearing = participations_.hear(message, work.now);
    switch (hearing.found) {
      case acl::Participations::Found::nothing:
      case acl::Participations::Found::no_room:
        return false;
      case acl::Participations::Found::begun:
        begin(*hearing.session, work);
        break;
      case acl::Participations::Found::session:
        go_on(*hearing.session, hearing.heard, message, work);
        break;
    }
    if (hearing.session->state() == acl::State::over) forget(*hearing.session);
    return true;
  }

 protected:
  virtual void begin(Session& session, Work& work) = 0;
  virtual void go_on(Session&, Heard, const acl::Message&, Work&) {}
  virtual void forget(const Session& session) { participations_.remove(session); }

 private:
  const std::string protocol_;
  acl::Participations participations_;
};

Performative result_in(const json::object& command) {
  const std::string text = command.contains("result") ? text_in(command, "result") : "inform";
  const auto result = acl::performative_of(text);
  if (!result) throw Error(Errc::bad_options, "there is no result " + text);
  return *result;
}

class Responder final : public Participant {
 public:
  Responder(const json::object& command, const Work& work)
      : Participant(command.contains("protocol") ? text_in(command, "protocol") : "fipa-request",
                    work),
        agrees_(bool_in(command, "agrees", false)),
        result_(result_in(command)),
        content_(body_in(command)) {}

 private:
  void begin(Session& session, Work& work) override {
    work.report(session.opening());
    const bool is_done = result_ == Performative::inform || result_ == Performative::failure;
    if (agrees_ && is_done) work.send(session.say({Performative::agree}, work.now));
    work.send(session.say({result_, content_}, work.now));
  }

  const bool agrees_;
  const Performative result_;
  const acl::Body content_;
};

class Bidder final : public Participant {
 public:
  Bidder(const json::object& command, const Work& work)
      : Participant("fipa-contract-net", work),
        price_(text_in(command, "price")),
        result_(result_in(command)),
        content_(body_in(command)) {}

 private:
  void begin(Session& session, Work& work) override {
    if (price_.empty()) work.send(session.say({Performative::refuse, "no price"}, work.now));
    else work.send(session.say({Performative::propose, price_}, work.now));
  }
  void go_on(Session& session, Heard heard, const acl::Message& message, Work& work) override {
    if (heard != Heard::taken) return;
    work.report(message);
    if (message.performative == Performative::accept_proposal)
      work.send(session.say({result_, content_}, work.now));
  }

  const std::string price_;
  const Performative result_;
  const acl::Body content_;
};

class Publisher final : public Participant {
 public:
  Publisher(const json::object& command, const Work& work)
      : Participant("fipa-subscribe", work),
        refuses_(command.contains("refusal")),
        refusal_(text_in(command, "refusal")) {}

  std::size_t publish(const acl::Body& content, Work& work) override {
    for (Session* const each : subscribers_)
      work.send(each->say({Performative::inform, content}, work.now));
    return subscribers_.size();
  }

 private:
  void begin(Session& session, Work& work) override {
    if (refuses_) {
      work.send(session.say({Performative::refuse, refusal_}, work.now));
      return;
    }
    subscribers_.push_back(&session);
    work.report(session.opening());
    work.send(session.say({Performative::agree}, work.now));
  }
  void go_on(Session& session, Heard heard, const acl::Message& message, Work& work) override {
    if (heard != Heard::cancel_asked) return;
    work.report(message);
    session.end(acl::Outcome::cancelled);  // without an answer, as JADE
  }
  void forget(const Session& session) override {
    std::erase_if(subscribers_, [&](const Session* each) { return each == &session; });
    Participant::forget(session);
  }

  const bool refuses_;
  const std::string refusal_;
  std::vector<Session*> subscribers_;
};

}  // namespace

std::size_t Role::publish(const acl::Body&, Work&) {
  throw Error(Errc::bad_options, "the agent is no publisher");
}

std::unique_ptr<Role> make_role(const json::object& command, const Work& work) {
  const std::string name = text_in(command, "plays");
  if (name.empty() || name == "reporter") return std::make_unique<Reporter>();
  if (name == "echo") return std::make_unique<Echo>();
  if (name == "responder") return std::make_unique<Responder>(command, work);
  if (name == "publisher") return std::make_unique<Publisher>(command, work);
  if (name != "bidder") throw Error(Errc::bad_options, "there is no role " + name);
  if (bool_in(command, "silent", false)) return std::make_unique<Reporter>();
  return std::make_unique<Bidder>(command, work);
}

}  // namespace coracle::player
