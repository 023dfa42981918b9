#include "show.hpp"

#include <ostream>

namespace hanoi {

namespace json = boost::json;

namespace {

// A piece of half-width `half`, such as "<==3==>"; red is drawn with '=', green with '#'.
std::string piece_text(const Setting& setting, int piece, std::size_t width) {
  const std::size_t half = static_cast<std::size_t>(piece) + 1;
  const char fill = setting.colour(static_cast<std::size_t>(piece)) == Colour::red ? '=' : '#';
  const std::string side(half, fill);
  const std::string pad(width - half, ' ');
  return pad + side + std::to_string(piece) + side + pad;
}

json::array plan_json(const std::vector<Moved>& moves) {
  json::array plan;
  for (const Moved& each : moves) {
    plan.push_back(
        json::array{each.piece, std::string_view(&each.from, 1), std::string_view(&each.to, 1)});
  }
  return plan;
}

json::value time_json(std::int64_t time) {
  if (time < 0) return nullptr;
  return time;
}

json::object setting_json(const Setting& setting) {
  return {{"colours", setting.colours},
          {"layout", setting.layout == Layout::rail ? "rail" : "flat"},
          {"K", setting.far},
          {"target", setting.target}};
}

void add_exact(json::object& all, const Optimum& optimum) {
  all["red"] = optimum.red;
  all["green"] = optimum.green;
  all["both"] = optimum.both;
  json::array front;
  for (const auto& [red, green] : optimum.front) front.push_back(json::array{red, green});
  all["front"] = std::move(front);
}

// Returns whether each negotiation has the same result when its messages are read again.
bool is_recomputed(const Setting& setting, const Story& story) {
  const Rules rules(setting);
  for (const coracle::caf::NegotiationRecord& each : story.negotiations) {
    if (!coracle::caf::renegotiate(each, rules).empty()) return false;
  }
  return true;
}

}  // namespace

void draw(std::ostream& out, const Setting& setting, const Board& board) {
  const std::size_t width = setting.pieces() + 1;
  const std::string gap(4, ' ');
  std::string arm;
  for (int peg = 0; peg < pegs; ++peg) {
    if (peg == 3) arm += gap;
    const bool is_here = board.arm == setting.place(peg);
    arm += std::string(width, ' ') + (is_here ? (board.is_low ? 'v' : '^') : ' ') +
           std::string(width, ' ');
  }
  out << arm.substr(0, arm.find_last_not_of(' ') + 1) << '\n';
  // From the highest level to the table.
  for (std::size_t level = setting.pieces(); level-- > 0;) {
    std::string line;
    for (int peg = 0; peg < pegs; ++peg) {
      std::vector<int> stack;  // the largest first
      for (std::size_t i = setting.pieces(); i-- > 0;) {
        if (board.where[i] == 'A' + peg) stack.push_back(static_cast<int>(i));
      }
      if (peg == 3) line += gap;
      if (level < stack.size()) line += piece_text(setting, stack[level], width);
      else line += std::string(width, ' ') + '|' + std::string(width, ' ');
    }
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  }
  std::string table;
  for (int peg = 0; peg < pegs; ++peg) {
    if (peg == 3) table += gap;
    table += std::string(width, '-') + static_cast<char>('A' + peg) + std::string(width, '-');
  }
  out << table << '\n';
}

json::object to_json(const Setting& setting, std::int64_t red_deadline, std::int64_t green_deadline,
                     const Story& story, const Optimum* optimum) {
  const Outcome outcome = outcome_of(setting, story.moves);
  const auto deadline = [](std::int64_t time) { return time_json(time == whenever ? -1 : time); };
  const auto is_met = [](std::int64_t time, std::int64_t until) {
    return time >= 0 && time <= until;
  };
  json::object all = setting_json(setting);
  all["deadlines"] = json::array{deadline(red_deadline), deadline(green_deadline)};
  all["plan"] = plan_json(outcome.moves);
  all["times"] = json::object{{"red", time_json(outcome.red)}, {"green", time_json(outcome.green)}};
  all["met"] = json::object{{"red", is_met(outcome.red, red_deadline)},
                            {"green", is_met(outcome.green, green_deadline)}};
  const bool has_both = outcome.red >= 0 && outcome.green >= 0;
  all["red"] = time_json(outcome.red);
  all["green"] = time_json(outcome.green);
  all["both"] = time_json(has_both ? std::max(outcome.red, outcome.green) : -1);
  if (optimum != nullptr) add_exact(all, *optimum);
  std::uint64_t nodes = 0;
  double seconds = 0;
  for (const auto& each : story.negotiations) {
    nodes += each.nodes;
    if (!each.heard.empty()) seconds += std::chrono::duration<double>(each.heard.back().at).count();
  }
  all["negotiations"] = story.negotiations.size();
  all["nodes"] = nodes;
  all["seconds"] = seconds;
  all["recomputed"] = is_recomputed(setting, story);
  return all;
}

json::object to_json(const Setting& setting, const Optimum& optimum) {
  json::object all = setting_json(setting);
  add_exact(all, optimum);
  all["plan"] = plan_json(carry_out(setting, optimum.plan).moves);
  return all;
}

}  // namespace hanoi
