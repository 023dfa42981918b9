// Counts ballots by any rule and breaks ties by any strategy:
//   council --rule schulze --ties lexical profile.json
#include "council/profile_json.hpp"

#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <iterator>

using namespace coracle;
using namespace coracle::caf;

// Everything in a file, or from standard input.
std::string read_all(const std::string& file) {
  std::ifstream opened;
  if (file != "-") opened.open(file, std::ios::binary);
  std::istream& in = file == "-" ? std::cin : opened;
  if (!in)
    throw Error(Errc::no_such_file, "cannot read '" + file + "'; give a file or - for stdin");
  return {std::istreambuf_iterator<char>(in), {}};
}

int main(int argc, char** argv) {
  CLI::App app("Counts the ballots of a profile and prints who wins, as JSON.");
  std::string file = "-";
  std::string rule = "all";
  std::string ties = "lexical";
  std::string seed;
  Candidate incumbent = nobody;
  std::optional<std::size_t> chair;
  std::uint32_t seats = 1;
  app.add_option("profile", file, "A JSON file; otherwise standard input");
  app.add_option("--rule", rule, "A rule, such as irv or supermajority:2/3, or all");
  app.add_option("--ties", ties, "Tie strategies, such as status_quo,second:borda,random");
  app.add_option("--seed", seed, "The seed of the strategy random");
  app.add_option("--incumbent", incumbent, "The candidate that status_quo prefers");
  app.add_option("--chair", chair, "The ballot that chair follows, counted from 0");
  app.add_option("--seats", seats, "The number of seats that stv fills");
  CLI11_PARSE(app, argc, argv);
  try {
    const Ties strategies = Ties::named(ties).value();
    std::vector<std::string> names = {rule};
    if (rule == "all") names.assign(rule_names().begin(), rule_names().begin() + 16);
    std::vector<Rule> rules;
    for (const std::string& each : names) {
      rules.push_back(each == "stv" ? stv(seats) : Rule::named(each).value());
    }
    const Profile profile = read_profile(read_all(file));
    TieContext context;
    context.seed = seed;
    context.incumbent = incumbent;
    if (chair && *chair >= profile.ballots().size()) {
      throw Error(Errc::bad_options, "there is no ballot " + std::to_string(*chair) +
                                         " for --chair; give a smaller number");
    }
    if (chair) context.chair = &profile.ballots()[*chair];
    boost::json::object results;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      results[names[i]] = count(profile, rules[i], strategies, context);
    }
    std::cout << boost::json::object{{"rules", std::move(results)}} << '\n';
    return 0;
  } catch (const Error& error) {
    std::cerr << "council: " << error.what() << '\n';
    return 2;
  }
}
