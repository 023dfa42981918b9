// coracle draw, send, listen: the actions of an agent of its own in a society.
#include "commands.hpp"
#include "content_json.hpp"
#include "coracle/support/content_text.hpp"
#include "coracle/support/error_texts.hpp"
#include "coracle/support/quote.hpp"
#include "errand.hpp"
#include "service_view.hpp"

#include "coracle/coracle.hpp"
#include "coracle/dispel/architecture.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <chrono>
#include <cstdio>

namespace coracle::command {

namespace {

namespace json = boost::json;

void print_message(const Place& place, const Message& message) {
  const std::string from(message.source().name().view());
  const Content content = message.content();
  if (place.json) {
    json::object line = {{"from", from}};
    add_content(line, content.type(), content.bytes());
    if (message.redelivered()) line["redelivered"] = true;
    return print_json(json::serialize(line));
  }
  print_line(from + ": " + detail::content_text(content.type(), content.bytes()));
}

void print_drawing(const dispel::Architecture& drawing) {
  for (const dispel::DrawnAgent& each : drawing.agents) {
    print_json(json::serialize(json::object{
        {"name", each.name}, {"roles", json::array(each.roles.begin(), each.roles.end())}}));
  }
  for (const dispel::DrawnArrow& each : drawing.arrows) {
    print_json(
        json::serialize(json::object{{"from", each.from}, {"to", each.to}, {"what", each.what}}));
  }
}

// The output consists of lines, so the texts that agents publish must have no line ends.
std::string shown_drawing(dispel::Architecture drawing, bool is_dot) {
  for (dispel::DrawnAgent& each : drawing.agents)
    for (std::string& role : each.roles) role = detail::shown(role);
  for (dispel::DrawnArrow& each : drawing.arrows) {
    each.to = detail::shown(each.to);
    each.what = detail::shown(each.what);
  }
  return is_dot ? drawing.to_dot() : drawing.to_text();
}

}  // namespace

int run_draw(const DrawSettings& settings) {
  const ServicePlace service = service_to_ask(settings.place.realization, patience_with_service);
  const Name prefix = settings.prefix.empty() ? Name() : Name(settings.prefix);
  ServiceView view = look_at(service, patience_with_service, nullptr).value();
  std::vector<Entry> entries;
  for (auto& [name, entry] : view.agents) {
    if (entry.name.within(prefix)) entries.push_back(std::move(entry));
  }
  const dispel::Architecture drawing = dispel::drawn(std::move(entries));
  if (drawing.agents.empty())
    fmt::print(stderr,
               "coracle: none of these agents describes its role, so there is nothing to draw; "
               "the agents of pipelines, servers and other architectures describe it, any other "
               "agent does so by describe(); coracle ls lists all agents\n");
  if (settings.place.json) print_drawing(drawing);
  else fmt::print("{}", shown_drawing(drawing, settings.dot));
  return done;
}

namespace {

Error not_permitted(const SendSettings& settings, const char* otherwise) {
  return Error(Errc::not_permitted, "the society's policy does not allow that '" + settings.as +
                                        "' sends to '" + settings.to + "'" + otherwise +
                                        "; ask its operator");
}

}  // namespace

// A present target receives the message from this command; for an absent one, the society's message
// store takes the message over when this node stops.
int run_send(const SendSettings& settings) {
  const Content content = settings.json.empty() ? Content(settings.text)
                                                : content_from_json(settings.type, settings.json);
  bool delivered = false, has_message_store = false;
  const StopReport report = do_as(settings.place, settings.as, [&](Agent& me) -> Task<> {
    Name to(settings.to);
    Post post(to, content);
    Receipt receipt = co_await me.track(std::move(post));
    const auto there = co_await me.node().directory().look_up(std::move(to));
    has_message_store = me.node().message_store().has_value();
    if (!there && has_message_store) co_return;
    const Deadline deadline(std::chrono::duration<double>(settings.within));
    delivered = co_await receipt.reached(Stage::delivered, deadline);
    if (!delivered && receipt.first().outcome == Outcome::refused) {
      throw not_permitted(settings, ", or its mailbox refuses");
    }
  });
  const char* stage = delivered ? "delivered" : nullptr;
  std::optional<Errc> why;
  for (const StopReport::Undelivered& left : report.undelivered) {
    if (left.why) why = left.why;
    if (left.kept) stage = *left.kept == Stage::stored ? "stored" : "accepted";
  }
  if (stage == nullptr && report.ledger.passed_on != 0) stage = "accepted";
  if (stage != nullptr) {
    print_line(stage);
    return done;
  }
  if (why == Errc::not_permitted) throw not_permitted(settings, "");
  if (has_message_store) {
    fmt::print(stderr,
               "coracle: the message for '{}' is lost with this command: {}; then try again\n",
               settings.to, detail::why_not_kept(why));
  } else {
    fmt::print(stderr,
               "coracle: no agent took the message for '{}' within {} s; it is lost with this "
               "command; start the agent, or give --within more time\n",
               settings.to, settings.within);
  }
  return too_late;
}

int run_listen(const ListenSettings& settings) {
  do_as(settings.place, settings.as, [&settings](Agent& me) -> Task<> {
    for (std::uint64_t got = 0; settings.count == 0 || got < settings.count; ++got) {
      const Message message = co_await me.receive();
      print_message(settings.place, message);
    }
  });
  return done;
}

}  // namespace coracle::command
