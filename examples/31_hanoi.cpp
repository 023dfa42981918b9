// The benchmark of the paper's section 2.3.1: red and green pieces, one arm, two agents that want
// different things of the arm, and an arbiter that finds a plan that suits both:
//   hanoi --colours GRGR --layout rail --K 3 --target C --deadlines 48,100
#include "hanoi/show.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

using namespace coracle;

// The options of the command line.
struct Wanted {
  hanoi::Setting setting;
  std::string layout = "rail";
  std::string deadlines = ",";
  std::string then;
  std::string rule = "mutual";
  bool is_json = false;
  bool is_optimal = false;
  caf::ArbiterOptions options;
  // The values that are read from the texts above.
  std::int64_t red = hanoi::whenever;
  std::int64_t green = hanoi::whenever;
  hanoi::Change change;
};

bool read_number(const std::string& text, std::int64_t& number) {
  if (text.empty() || text.size() > 9) return false;
  if (text.find_first_not_of("0123456789") != std::string::npos) return false;
  number = std::min<std::int64_t>(std::stoll(text), hanoi::whenever);
  return true;
}

// Reads a text such as "48,100"; a missing number means that there is no deadline.
bool read_deadlines(const std::string& text, std::int64_t& red, std::int64_t& green) {
  const auto comma = text.find(',');
  if (comma == std::string::npos) return false;
  const std::string first = text.substr(0, comma);
  const std::string second = text.substr(comma + 1);
  return (first.empty() || read_number(first, red)) &&
         (second.empty() || read_number(second, green));
}

void read(Wanted& wanted) {
  std::string fault = wanted.setting.fault();
  if (wanted.layout == "flat") wanted.setting.layout = hanoi::Layout::flat;
  else if (wanted.layout != "rail") fault = "the layout is rail or flat";
  if (!read_deadlines(wanted.deadlines, wanted.red, wanted.green)) {
    fault = "deadlines are two numbers of cycles, such as 48,100";
  }
  const auto colon = wanted.then.find(':');
  if (!wanted.then.empty() &&
      (colon == std::string::npos ||
       !read_number(wanted.then.substr(0, colon), wanted.change.cycle) ||
       !read_deadlines(wanted.then.substr(colon + 1), wanted.change.red, wanted.change.green))) {
    fault = "--then takes a cycle and two deadlines, such as 7:5,100";
  }
  if (!fault.empty()) throw Error(Errc::bad_options, fault);
  wanted.options.negotiation.rule = caf::Selection::named(wanted.rule).value();
}

void print(const char* colour, std::int64_t time, std::int64_t deadline) {
  std::cout << colour;
  if (time < 0) std::cout << " is never complete";
  else std::cout << " is complete after " << time << " cycles";
  const bool is_in_time = time >= 0 && time <= deadline;
  if (deadline != hanoi::whenever) std::cout << (is_in_time ? ", in time" : ", too late");
  std::cout << '\n';
}

void print(const hanoi::Optimum& best) {
  std::cout << "exactly: red alone " << best.red << ", green alone " << best.green << ", both "
            << best.both << "; front";
  for (const auto& [red, green] : best.front) std::cout << " (" << red << ", " << green << ")";
  std::cout << '\n';
}

// Lets the agents make a plan and carry it out, and prints what they do.
void negotiate(const Wanted& wanted, const std::optional<hanoi::Optimum>& best) {
  const hanoi::Setting& setting = wanted.setting;
  hanoi::Story story;
  if (!wanted.is_json) {
    hanoi::draw(std::cout, setting, hanoi::Board::start(setting));
    story.on_plan = [](const caf::Plan& plan) {
      std::cout << "agreed: " << plan.moves.size() << " moves, until cycle " << plan.cost << '\n';
    };
    story.on_move = [&](const hanoi::Moved& moved, std::int64_t cycle, const hanoi::Board& board) {
      std::cout << "cycle " << cycle << ": " << moved.piece << " from " << moved.from << " to "
                << moved.to << '\n';
      hanoi::draw(std::cout, setting, board);
    };
  }
  hanoi::play(setting, wanted.options, wanted.red, wanted.green, wanted.change, story);
  const bool has_changed = wanted.change.cycle >= 0;
  const std::int64_t red = has_changed ? wanted.change.red : wanted.red;
  const std::int64_t green = has_changed ? wanted.change.green : wanted.green;
  if (wanted.is_json) {
    std::cout << hanoi::to_json(setting, red, green, story, best ? &*best : nullptr) << '\n';
    return;
  }
  if (!story.fault.empty()) std::cout << story.fault << '\n';
  const hanoi::Outcome outcome = hanoi::outcome_of(setting, story.moves);
  print("red", outcome.red, red);
  print("green", outcome.green, green);
  if (best) print(*best);
}

int main(int argc, char** argv) {
  CLI::App app("Moves red pieces to a peg and green ones to the far table, as agents agree.");
  Wanted wanted;
  caf::GrowthLimits& limits = wanted.options.negotiation.limits;
  limits.nodes = 4'000'000;
  app.add_option("--colours", wanted.setting.colours, "R or G for each piece, the smallest first");
  app.add_option("--layout", wanted.layout, "rail: pegs in a row; flat: the last equally far");
  app.add_option("--K", wanted.setting.far, "The cycles between the tables");
  app.add_option("--target", wanted.setting.target, "The target of red: B, C or any");
  const auto* deadlines =
      app.add_option("--deadlines", wanted.deadlines, "For red and green, in cycles: 48,100");
  app.add_option("--then", wanted.then, "Other deadlines from some cycle on: 7:5,100");
  app.add_option("--rule", wanted.rule, "The rule that selects a plan, such as mutual or nash");
  app.add_option("--budget", limits.nodes, "The largest number of nodes in the tree");
  app.add_flag("--reconsider", wanted.options.reconsiders, "Negotiate again in every cycle");
  app.add_flag("--json", wanted.is_json, "Print JSON");
  app.add_flag("--optimal", wanted.is_optimal, "Search exactly, too; without deadlines, only that");
  CLI11_PARSE(app, argc, argv);
  try {
    read(wanted);
    std::optional<hanoi::Optimum> best;
    if (wanted.is_optimal) best = hanoi::optimum(wanted.setting);
    if (!best || deadlines->count() > 0) negotiate(wanted, best);
    else if (wanted.is_json) std::cout << hanoi::to_json(wanted.setting, *best) << '\n';
    else print(*best);
    return 0;
  } catch (const Error& error) {
    std::cerr << "hanoi: " << error.what() << '\n';
    return 2;
  }
}
