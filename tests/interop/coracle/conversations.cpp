#include "conversations.hpp"

#include "coracle/acl/ontology/contents.hpp"
#include "coracle/clock.hpp"
#include "coracle/errors.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

namespace coracle::player {

namespace {

using acl::Performative;
using acl::State;

// Collects all replies.
class Replies : public Conversation {
 public:
  Replies(std::int64_t command, const acl::Protocol& protocol, acl::Message opening, Work& work)
      : Conversation(protocol, std::move(opening), work), command_(command) {}

  void finish() final { print_answer(command_, {{"replies", std::move(replies_)}}); }

 protected:
  void on_reply(const acl::Message& reply, Work&) final { replies_.push_back(to_json(reply)); }

 private:
  const std::int64_t command_;
  json::array replies_;
};

class ContractNet final : public Replies {
 public:
  ContractNet(std::int64_t command, acl::Message opening, bool accepts, Work& work)
      : Replies(command, acl::contract_net_protocol, std::move(opening), work), accepts_(accepts) {}

 private:
  void go_on(Work& work) override {
    if (has_decided_ || initiation().count(State::asked) != 0) return;
    has_decided_ = true;
    std::optional<std::size_t> best;
    const auto sessions = initiation().sessions();
    const auto price = [&](std::size_t i) {
      return std::stod(std::string(acl::text_of(sessions[i].heard())));
    };
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      if (sessions[i].state() != State::proposed) continue;
      if (!best || price(i) < price(*best)) best = i;
    }
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      const auto act =
          accepts_ && best == i ? Performative::accept_proposal : Performative::reject_proposal;
      const acl::Body content = sessions[i].heard().content;
      (void)initiation().say(i, {act, content}, work.now);
    }
  }

  const bool accepts_;
  bool has_decided_ = false;
};

class Subscription final : public Conversation {
 public:
  Subscription(acl::Message opening, Work& work)
      : Conversation(acl::subscribe_protocol, std::move(opening), work) {}

 private:
  void on_reply(const acl::Message& reply, Work& work) override { work.report(reply); }
};

class DfSubscription final : public Conversation {
 public:
  DfSubscription(acl::AgentId df, acl::Message opening, Work& work)
      : Conversation(acl::subscribe_protocol, std::move(opening), work), df_(std::move(df)) {}

 private:
  void on_reply(const acl::Message& reply, Work& work) override {
    if (reply.performative != Performative::inform) {
      work.report(reply);
      return;
    }
    json::object line = {
        {"event", "found"}, {"agent", work.place.agent}, {"message", to_json(reply)}};
    const auto results = acl::read_notification(acl::text_of(reply));
    if (results) line["entries"] = entries_in<fm::DfAgentDescription>(*results);
    else line["error"] = results.error().sentence();
    print(line);
  }
  std::string cancel_content() const override { return acl::cancel_content(df_, opening()); }
  const acl::Message& opening() const { return sessions()[0].opening(); }

  const acl::AgentId df_;
};

class Question final : public Conversation {
 public:
  Question(std::int64_t command, acl::Message opening, FieldsOf fields_of, Work& work)
      : Conversation(acl::request_protocol, std::move(opening), work),
        command_(command),
        fields_of_(std::move(fields_of)) {}

  void finish() override {
    if (reply_.performative != Performative::inform) {
      print_refusal(command_, std::string(acl::to_text(reply_.performative)) + ": " +
                                  std::string(acl::text_of(reply_)));
      return;
    }
    try {
      print_answer(command_, fields_of_(reply_));
    } catch (const std::exception& problem) {
      print_refusal(command_, problem.what());
    }
  }

 private:
  void on_reply(const acl::Message& reply, Work&) override { reply_ = reply; }

  const std::int64_t command_;
  const FieldsOf fields_of_;
  acl::Message reply_;
};

acl::Message opening_to(const acl::AgentId& whom, Performative performative, std::string content) {
  acl::Message opening;
  opening.performative = performative;
  opening.receivers = {whom};
  opening.content = std::move(content);
  opening.language = performative == Performative::subscribe ? "fipa-sl" : "fipa-sl0";
  opening.ontology = fm::ontology;
  return opening;
}

acl::Message sent_by(const Work& work, acl::Message opening) {
  opening.sender = work.place.self;
  return opening;
}

}  // namespace

acl::MessageIds message_ids() {
  return [] {
    return std::to_string(machine_random().next()) + "-" + std::to_string(machine_random().next());
  };
}

Conversation::Conversation(const acl::Protocol& protocol, acl::Message opening, Work& work)
    : initiation_(protocol, sent_by(work, std::move(opening)), message_ids(), std::nullopt,
                  work.calendar, work.now) {
  pass_on(work);
}

void Conversation::pass_on(Work& work) {
  for (auto& each : initiation_.take_outgoing()) work.send(std::move(each.message));
}

bool Conversation::hear(const acl::Message& message, Work& work) {
  const acl::Heard heard = initiation_.hear(message, work.now).heard;
  if (heard == acl::Heard::foreign) return false;
  if (heard == acl::Heard::taken && !is_cancelled_) on_reply(message, work);
  go_on(work);
  pass_on(work);
  return true;
}

void Conversation::on_time(Work& work) {
  initiation_.on_time(work.now);
  go_on(work);
  pass_on(work);
}

void Conversation::cancel(Work& work) {
  is_cancelled_ = true;
  acl::Speech speech(acl::Performative::cancel);
  speech.content = cancel_content();
  speech.reply_within = std::chrono::seconds(5);  // not all participants answer
  initiation_.cancel_all(speech, work.now);
  pass_on(work);
}

std::unique_ptr<Conversation> begin_request(std::int64_t command, acl::Message opening,
                                            Work& work) {
  const acl::Protocol* const protocol =
      opening.protocol.empty() ? &acl::request_protocol : acl::protocol_named(opening.protocol);
  if (protocol == nullptr)
    throw Error(Errc::bad_options, "there is no protocol " + opening.protocol);
  return std::make_unique<Replies>(command, *protocol, std::move(opening), work);
}

std::unique_ptr<Conversation> begin_call(std::int64_t command, acl::Message opening, bool accepts,
                                         Work& work) {
  return std::make_unique<ContractNet>(command, std::move(opening), accepts, work);
}

std::unique_ptr<Conversation> begin_subscription(acl::Message opening, Work& work) {
  return std::make_unique<Subscription>(std::move(opening), work);
}

std::unique_ptr<Conversation> begin_df_subscription(const acl::AgentId& df,
                                                    const fm::Search& search, Work& work) {
  acl::Message opening =
      opening_to(df, Performative::subscribe, acl::subscription_content(df, acl::to_term(search)));
  return std::make_unique<DfSubscription>(df, std::move(opening), work);
}

std::unique_ptr<Conversation> begin_question(std::int64_t command, const acl::AgentId& whom,
                                             const acl::sl::Term& act, FieldsOf fields_of,
                                             Work& work) {
  acl::Message opening = opening_to(whom, Performative::request, acl::request_content(whom, act));
  return std::make_unique<Question>(command, std::move(opening), std::move(fields_of), work);
}

}  // namespace coracle::player
