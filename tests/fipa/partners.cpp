#include "partners.hpp"

#include "coracle/errors.hpp"

namespace coracle::acl::test {

Task<> Partner::act() {
  if (!acts) co_return;
  std::string failure;
  try {
    co_await acts(*this);
  } catch (const coracle::test::Failure& failed) {
    failure = failed.what();
  } catch (const Error& error) {
    failure = error.what();
  }
  co_await send("main", failure);
}

Task<> Partner::converse(Talk& talk) {
  if (conversing_) co_await conversing_(*this, talk);
}

bool Partner::serves(const Session& session) const { return !chooses || chooses(session); }

Task<> Partner::on_other(const Message& message) {
  note("hears " + std::string(to_text(message.performative)) + " of " + message.sender.name);
  co_return;
}

Settings Scene::settings() {
  Settings settings;
  settings.ids = random_ids(random_);
  return settings;
}

void Scene::run(std::vector<std::pair<std::string, Partner::Conversing>> partners,
                std::function<Task<>(Agent& me)> body) {
  Place::run([this, partners, body](Agent& me) -> Task<> {
    for (const auto& [name, conversing] : partners) {
      auto partner = std::make_unique<Partner>(conversing, diary_, settings());
      co_await place(me, name, std::move(partner));
    }
    co_await body(me);
  });
}

void Scene::run_both(std::vector<std::pair<std::string, Partner::Conversing>> partners,
                     Partner::Conversing conversing, Partner::Acting acts) {
  run(std::move(partners), [this, conversing, acts](Agent& me) -> Task<> {
    auto ann = std::make_unique<Partner>(conversing, diary_, settings());
    ann->acts = acts;
    co_await place(me, "ann", std::move(ann));
    const coracle::Message over = co_await me.receive(of_type("text/plain"));
    expect_equal(over.text(), std::string(), "what ann says\n" + diary_.all());
  });
}

Partner::Conversing says(std::vector<Act> acts, std::string content) {
  return [acts, content](Partner&, Talk& talk) -> Task<> {
    for (const Act act : acts) {
      Speech speech(act, content);
      expect(co_await talk.say(std::move(speech)), "it may say that");
    }
  };
}

Partner::Conversing bids(int price) {
  return [price](Partner& me, Talk& talk) -> Task<> {
    Speech bid(Act::propose, "((price " + std::to_string(price) + "))", 5s);
    (void)co_await talk.say(std::move(bid));
    const std::optional<Message> decision = co_await talk.next();
    if (!decision || decision->performative != Act::accept_proposal) {
      me.note(decision ? "has lost" : "hears nothing");
      co_return;
    }
    Speech done(Act::inform, "((done " + me.name().str() + "))");
    expect(co_await talk.say(std::move(done)), "it may report");
  };
}

int number_in(const Message& message) {
  std::string digits;
  for (const char each : text_of(message)) {
    if (each >= '0' && each <= '9') digits += each;
  }
  return digits.empty() ? 0 : std::stoi(digits);
}

std::string shown(const Answers& answers) {
  std::string text;
  for (const Answer& each : answers) {
    if (!text.empty()) text += ", ";
    text += each.from.name + ": " + to_string(each.outcome);
    if (has_content(each.message)) text += " " + std::string(text_of(each.message));
  }
  return text;
}

}  // namespace coracle::acl::test
