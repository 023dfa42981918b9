#include "server/feed.hpp"

#include "coracle/support/log.hpp"

#include <cmath>
#include <exception>
#include <utility>

namespace coracle::view {

void Feed::see(Seen message) {
  ++seen_;
  people.count(message);
  if (const AgentRow* const row = people.find(message.from); row != nullptr && message.node == 0)
    message.node = row->node;
  const Number n = messages.add(std::move(message));
  if (const Seen* const kept = messages.find(n)) decisions.see(*kept);
}

void Feed::send_batches(Time now) {
  constexpr double batches_per_second = 20;
  for (Browser* const browser : browsers) {
    if (!keeps_up(*browser)) continue;
    const auto most =
        static_cast<std::size_t>(std::ceil(browser->choice.rate / batches_per_second));
    const std::size_t some = browser->starts_anew ? 1000 : most;
    const Batch batch = browser->cursor.take(messages, browser->choice, some);
    send_decisions(*browser);
    if (batch.empty() && !browser->starts_anew) continue;
    json::object frame = json_of(batch, times, now);
    if (std::exchange(browser->starts_anew, false)) frame["all"] = true;
    send(*browser, frame);
  }
}

void Feed::send_decisions(Browser& browser) {
  constexpr std::size_t most = 100;
  const auto& records = decisions.records();
  browser.decisions = std::max(browser.decisions, decisions.first());
  for (std::size_t sent = 0; sent < most && browser.decisions < decisions.first() + records.size();
       ++sent, ++browser.decisions) {
    const DecisionRecord& each = records[browser.decisions - decisions.first()];
    json::object frame{{"is", "decision"},
                       {"kind", each.kind},
                       {"id", each.id},
                       {"at", times.seconds(each.at)},
                       {"what", each.what}};
    for (const auto& [key, value] : each.more) frame[key] = value;
    send(browser, frame);
  }
}

void Feed::send_society(Browser& browser) {
  if (!keeps_up(browser) || browser.people == people.changes()) return;
  constexpr std::size_t most_rows = 5000;  // of one frame
  json::object frame{{"is", "society"}};
  const bool is_all = browser.people == 0 || !people.is_complete_since(browser.people);
  if (is_all) frame["all"] = true;
  const std::uint64_t since = is_all ? 0 : browser.people;
  json::array agents, gone, nodes, groups;
  for (const auto& [name, row] : people.agents()) {
    if (row.change <= since) continue;
    agents.push_back(json_of(row, times));
    if (agents.size() < most_rows) continue;
    frame["agents"] = std::exchange(agents, {});
    send(browser, frame);
    frame = {{"is", "society"}};
  }
  if (!is_all)
    for (const Name& name : people.gone_since(since)) gone.emplace_back(name.view());
  if (people.surveyed() > since) {
    for (const NodeRow& each : people.nodes()) nodes.push_back(json_of(each));
    for (const auto& [group, members] : people.groups()) {
      json::array names;
      for (const std::string& each : members) names.emplace_back(utf8(each));
      groups.push_back(json::array{utf8(group), std::move(names)});
    }
    frame["nodes"] = std::move(nodes);
    frame["groups"] = std::move(groups);
  }
  if (!agents.empty()) frame["agents"] = std::move(agents);
  if (!gone.empty()) frame["gone"] = std::move(gone);
  browser.people = people.changes();
  send(browser, frame);
}

void Feed::send_society() {
  for (Browser* const browser : browsers) send_society(*browser);
}

void Feed::send_series() {
  if (series.points().empty()) return;
  const json::object point = json_of(series.points().back(), series.metrics(), times);
  for (Browser* const browser : browsers) {
    if (!keeps_up(*browser)) continue;
    if (std::exchange(browser->metrics, series.metrics().size()) != series.metrics().size())
      send(*browser, {{"is", "metrics"}, {"metrics", json_of(series.metrics())}});
    send(*browser, point);
  }
}

void Feed::send_panels() {
  for (const Panel& panel : panels) {
    json::object frame{{"is", "panels"}};
    try {
      json::value data = json::parse(panel.data());
      frame["panel"] = json::object{{"id", panel.id}, {"data", std::move(data)}};
    } catch (const std::exception& failure) {
      frame["panel"] = json::object{{"id", panel.id}, {"error", utf8(failure.what())}};
    }
    send_to_all(frame);
  }
}

void Feed::record_act(const Browser& who, Time at, std::string_view what, std::string_view to) {
  json::object act{
      {"at", times.seconds(at)}, {"who", utf8(who.peer)}, {"what", what}, {"to", utf8(to)}};
  send_to_all({{"is", "acts"}, {"acts", json::array{act}}});
  detail::log(LogLevel::info, detail::LogPart::gateway,
              "an operator at " + who.peer + " did '" + std::string(what) + "' to '" +
                  std::string(to) + "'");
  acts_.push_back(std::move(act));
  if (acts_.size() > most_acts) acts_.pop_front();
}

void Feed::show_held(json::array holds) {
  if (holds == held_) return;
  held_ = std::move(holds);
  send_to_all({{"is", "held"}, {"holds", held_}});
}

void Feed::greet(Browser& browser) {
  constexpr std::size_t most_points = 60;
  if (!panels.empty()) {
    json::array all;
    for (const Panel& each : panels) {
      constexpr std::string_view views[] = {"table", "series", "graph", "text", "script"};
      json::object panel{{"id", each.id},
                         {"name", utf8(each.name)},
                         {"view", views[static_cast<std::size_t>(each.view)]}};
      if (each.view == PanelView::script) panel["src"] = "panel/" + each.id;
      all.push_back(std::move(panel));
    }
    send(browser, {{"is", "panels"}, {"panels", std::move(all)}});
  }
  if (!acts_.empty())
    send(browser, {{"is", "acts"}, {"acts", json::array(acts_.begin(), acts_.end())}});
  if (!held_.empty()) send(browser, {{"is", "held"}, {"holds", held_}});
  if (!series.metrics().empty()) {
    browser.metrics = series.metrics().size();
    send(browser, {{"is", "metrics"}, {"metrics", json_of(series.metrics())}});
    const auto& points = series.points();
    for (std::size_t i = points.size() - std::min(points.size(), most_points); i < points.size();
         ++i)
      send(browser, json_of(points[i], series.metrics(), times));
  }
  send_society(browser);
}

void Feed::begin_anew() {
  constexpr Number some = 1000;
  for (Browser* const browser : browsers) {
    browser->cursor = Cursor(messages);
    browser->cursor.move_back(messages, some);
    browser->starts_anew = true;
    browser->people = 0;
    browser->decisions = decisions.first();
  }
}

void Feed::send_to_all(const json::object& frame) {
  const std::string text = json::serialize(frame);
  for (Browser* const browser : browsers) browser->socket.send_text(text);
}

}  // namespace coracle::view
