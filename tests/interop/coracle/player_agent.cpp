#include "player_agent.hpp"

#include "coracle/acl/ontology/contents.hpp"
#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

namespace coracle::player {

namespace {

// The entry in the answer of a directory facilitator, which may have changed it; else the wanted.
fm::DfAgentDescription entered(const acl::Message& inform, const fm::DfAgentDescription& wanted) {
  const auto done = acl::read_done(acl::text_of(inform));
  const auto* const action = done ? done->as_compound("action") : nullptr;
  fm::Action act;
  if (action == nullptr || action->arguments.size() != 2 ||
      acl::from_term(action->arguments[1].value, act))
    return wanted;
  const auto* const made = std::get_if<fm::Register>(&act);
  const auto* const changed = std::get_if<fm::Modify>(&act);
  const fm::AgentDescription description = made != nullptr      ? made->description
                                           : changed != nullptr ? changed->description
                                                                : wanted;
  const auto* const entry = std::get_if<fm::DfAgentDescription>(&description);
  return entry == nullptr ? wanted : *entry;
}

template <class Description>
json::object result_of(const acl::Message& inform) {
  return {{"entries", entries_in<Description>(acl::read_result(acl::text_of(inform)).value())}};
}

}  // namespace

Task<> PlayerAgent::run() {
  for (;;) {
    const Time next = deadline();
    const Deadline until = next == Time::max() ? Deadline::never() : Deadline(next);
    const std::optional<Message> message = co_await receive(Match(), until);
    work_.now = now();
    for (const auto& each : conversations_) each->on_time(work_);
    if (message && message->source().name().view() == console_name) {
      obey(json::parse(message->text()).as_object());
    } else if (message) {
      if (const auto* const said = message->content().try_as<acl::Message>()) take(*said);
    }
    for (acl::Message& each : work_.take_outgoing()) {
      const Content content = Content::of(std::move(each));
      co_await send("fipa", content);
    }
    for (Answer& each : answers_) print_answer(each.command, std::move(each.fields));
    answers_.clear();
    finish_conversations();
    if (is_ending_) co_return;
  }
}

Time PlayerAgent::deadline() const noexcept {
  Time next = Time::max();
  for (const auto& each : conversations_) next = std::min(next, each->deadline());
  return next;
}

void PlayerAgent::take(const acl::Message& message) {
  for (const auto& each : conversations_) {
    if (each->hear(message, work_)) return;
  }
  if (!role_->take(message, work_)) work_.report(message);
}

void PlayerAgent::finish_conversations() {
  for (const auto& each : conversations_) {
    if (each->is_over()) each->finish();
  }
  std::erase_if(conversations_, [](const auto& each) { return each->is_over(); });
}

// --- commands ---

void PlayerAgent::obey(const json::object& command) {
  const std::int64_t id = command.at("id").as_int64();
  try {
    obey(id, text_in(command, "do"), command);
  } catch (const std::exception& problem) {
    print_refusal(id, problem.what());
  }
}

void PlayerAgent::obey(std::int64_t id, const std::string& verb, const json::object& command) {
  const auto message = [&] { return message_from(object_in(command, "message")); };
  const auto begin = [&](std::unique_ptr<Conversation> conversation) {
    answers_.push_back({id, {{"conversation-id", conversation->id()}}});
    conversations_.push_back(std::move(conversation));
  };
  if (verb == "end") {
    is_ending_ = true;
    answers_.push_back({id, {}});
  } else if (verb == "send") {
    work_.send(message());
    answers_.push_back({id, {}});
  } else if (verb == "request") {
    conversations_.push_back(begin_request(id, message(), work_));
  } else if (verb == "call-for-proposals") {
    const bool accepts = bool_in(command, "accepts", true);
    conversations_.push_back(begin_call(id, message(), accepts, work_));
  } else if (verb == "subscribe") {
    begin(begin_subscription(message(), work_));
  } else if (verb == "df-subscribe") {
    const fm::Search search{entry_from(object_in(command, "entry")),
                            constraints_from(object_in(command, "constraints"))};
    begin(begin_df_subscription(agent_id_in(command, "df", work_.place.df), search, work_));
  } else if (verb == "cancel") {
    cancel(text_in(command, "conversation-id"));
    answers_.push_back({id, {}});
  } else if (verb == "publish") {
    const std::size_t subscribers = role_->publish(body_in(command), work_);
    answers_.push_back({id, {{"subscribers", subscribers}}});
  } else if (verb.starts_with("df-")) {
    ask_df(id, verb, command);
  } else {
    ask_ams(id, verb, command);
  }
}

void PlayerAgent::cancel(const std::string& conversation) {
  for (const auto& each : conversations_) {
    if (each->id() == conversation) return each->cancel(work_);
  }
  throw Error(Errc::bad_options, "there is no conversation " + conversation);
}

void PlayerAgent::ask_df(std::int64_t id, const std::string& verb, const json::object& command) {
  const acl::AgentId df = agent_id_in(command, "df", work_.place.df);
  fm::DfAgentDescription entry = entry_from(object_in(command, "entry"));
  const auto ask = [&](const acl::sl::Term& act, FieldsOf fields_of) {
    conversations_.push_back(begin_question(id, df, act, std::move(fields_of), work_));
  };
  if (verb == "df-search") {
    const fm::Search search{entry, constraints_from(object_in(command, "constraints"))};
    return ask(acl::to_term(search), &result_of<fm::DfAgentDescription>);
  }
  if (!entry.name) entry.name = work_.place.self;
  const auto changed = [entry](const acl::Message& inform) -> json::object {
    return {{"entry", to_json(entered(inform, entry))}};
  };
  if (verb == "df-register") return ask(acl::to_term(fm::Register{entry}), changed);
  if (verb == "df-modify") return ask(acl::to_term(fm::Modify{entry}), changed);
  if (verb == "df-deregister") return ask(acl::to_term(fm::Deregister{entry}), changed);
  throw Error(Errc::bad_options, "there is no verb " + verb);
}

void PlayerAgent::ask_ams(std::int64_t id, const std::string& verb, const json::object& command) {
  const acl::AgentId ams = agent_id_in(command, "ams", work_.place.ams);
  const auto ask = [&](const acl::sl::Term& act, FieldsOf fields_of) {
    conversations_.push_back(begin_question(id, ams, act, std::move(fields_of), work_));
  };
  if (verb == "ams-describe") {
    return ask(acl::to_term(fm::GetDescription()), [](const acl::Message& inform) -> json::object {
      return {{"content", acl::text_of(inform)}};
    });
  }
  if (verb != "ams-search") throw Error(Errc::bad_options, "there is no verb " + verb);
  fm::AmsAgentDescription entry;
  if (command.contains("name")) entry.name = agent_id_in(command, "name", {});
  if (command.contains("state")) entry.state = text_in(command, "state");
  const fm::Search search{entry, constraints_from(object_in(command, "constraints"))};
  ask(acl::to_term(search), &result_of<fm::AmsAgentDescription>);
}

}  // namespace coracle::player
