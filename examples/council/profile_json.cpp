#include "profile_json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace json = boost::json;
using namespace coracle;
using namespace coracle::caf;

namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw Error(Errc::bad_options, "this is not a profile: " + where + ": " + what);
}

const json::array& array_at(const json::value& value, const std::string& where) {
  if (const json::array* list = value.if_array()) return *list;
  refuse(where, "a list is needed here, such as [0, 2, 1]");
}

// Reads a number exactly: 3, 0.25, or "1/3" as text.
Fraction fraction_at(const json::value& value, const std::string& where) {
  Result<Fraction> read = Error(Errc::bad_options, "it is not a number; write 3, 0.25 or \"1/3\"");
  if (value.is_string()) read = Fraction::parse(std::string_view(value.get_string()));
  if (const std::int64_t* whole = value.if_int64()) read = Fraction::parse(std::to_string(*whole));
  if (value.is_uint64()) read = Fraction::parse(std::to_string(value.get_uint64()));
  if (const double* number = value.if_double(); number != nullptr && std::isfinite(*number)) {
    // The shortest text for this number is the text that was written.
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, *number).ptr;
    read = Fraction::parse({text, static_cast<std::size_t>(end - text)});
  }
  if (!read) refuse(where, read.error().sentence());
  return *read;
}

Candidate candidate_at(const json::value& value, const std::string& where) {
  const std::int64_t* number = value.if_int64();
  if (number == nullptr || *number < 0 || *number >= std::int64_t{nobody}) {
    refuse(where, "a candidate is needed here: a whole number, counted from 0");
  }
  return static_cast<Candidate>(*number);
}

std::vector<Candidate> candidates_at(const json::value& value, const std::string& where) {
  std::vector<Candidate> all;
  for (const json::value& each : array_at(value, where)) all.push_back(candidate_at(each, where));
  return all;
}

Ballot ballot_at(const json::value& value, const std::string& where) {
  const json::object* fields = value.if_object();
  if (fields == nullptr) refuse(where, "a ballot is needed here, such as {\"ranking\": [0, 1]}");
  Ballot ballot;
  for (const auto& field : *fields) {
    const std::string key = field.key();
    const std::string inside = where + "." + key;
    if (key == "weight") {
      ballot.weight = fraction_at(field.value(), inside);
    } else if (key == "ranking") {
      ballot.ranking = candidates_at(field.value(), inside);
    } else if (key == "approved") {
      ballot.approved = candidates_at(field.value(), inside);
    } else if (key == "scores") {
      ballot.scores.emplace();
      for (const json::value& each : array_at(field.value(), inside)) {
        ballot.scores->push_back(fraction_at(each, inside));
      }
    } else {
      refuse(inside, "a ballot has only weight, ranking, approved and scores");
    }
  }
  return ballot;
}

json::value as_json(const Fraction& value) {
  if (value.denominator() == 1) return value.numerator();
  return json::value(value.str());
}

template <class List>
json::array as_json_list(const List& list) {
  json::array result;
  for (const auto& each : list) result.emplace_back(each);
  return result;
}

json::object as_json(const Round& round) {
  json::array tally;
  for (const std::string& each : round.tally) {
    if (each.empty()) tally.emplace_back(nullptr);
    else tally.emplace_back(each);
  }
  json::object result{{"tally", std::move(tally)}};
  if (!round.elected.empty()) result["elected"] = as_json_list(round.elected);
  if (!round.eliminated.empty()) result["eliminated"] = as_json_list(round.eliminated);
  return result;
}

// Returns whether any ballot has the data that the rule uses; a profile without ballots is a tie of
// all.
bool is_asked_of(const Profile& profile, const std::string& rule) {
  if (profile.ballots().empty()) return true;
  for (const Ballot& each : profile.ballots()) {
    if (rule == "approval" ? each.approved.has_value()
        : rule == "score"  ? each.scores.has_value()
                           : !each.ranking.empty()) {
      return true;
    }
  }
  return false;
}

// Of several committees, breaks ties one seat after the other until one committee is left.
std::vector<Candidate> one_committee(std::vector<std::vector<Candidate>> committees,
                                     const Ties& ties, const TieContext& context) {
  std::vector<Candidate> taken;
  while (committees.size() > 1) {
    std::vector<Candidate> open;
    for (Candidate c = 0; c < context.profile->candidates(); ++c) {
      const auto with = std::count_if(committees.begin(), committees.end(), [c](const auto& each) {
        return std::binary_search(each.begin(), each.end(), c);
      });
      const bool in_all = static_cast<std::size_t>(with) == committees.size();
      if (with > 0 && !in_all) open.push_back(c);
    }
    const TieOutcome outcome = ties.settle(open, context);
    if (outcome.left.size() != 1) return {};
    std::erase_if(committees, [&](const auto& each) {
      return !std::binary_search(each.begin(), each.end(), outcome.left.front());
    });
  }
  return committees.front();
}

}  // namespace

Profile read_profile(std::string_view text) {
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 8;
  json::stream_parser parser({}, options);
  const std::size_t read = parser.write_some(text.data(), text.size(), wrong);
  if (!wrong) parser.finish(wrong);
  if (!wrong && text.find_first_not_of(" \t\r\n", read) != std::string_view::npos) {
    wrong = json::error::extra_data;
  }
  if (wrong) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<long>(read), '\n') + 1;
    refuse("line " + std::to_string(line), wrong.message() + "; write JSON there");
  }
  const json::value value = parser.release();
  const json::object* fields = value.if_object();
  if (fields == nullptr) {
    refuse("the text", "it should be {\"candidates\": 3, \"ballots\": [...]}");
  }
  for (const auto& field : *fields) {
    if (field.key() != "candidates" && field.key() != "ballots") {
      refuse(field.key(), "a profile has only candidates and ballots");
    }
  }
  const json::value* candidates = fields->if_contains("candidates");
  const json::value* ballots = fields->if_contains("ballots");
  if (candidates == nullptr) refuse("candidates", "it is missing; say how many there are");
  if (ballots == nullptr) refuse("ballots", "it is missing; give a list");
  const Candidate count = candidate_at(*candidates, "candidates");
  std::vector<Ballot> all;
  for (const json::value& each : array_at(*ballots, "ballots")) {
    all.push_back(ballot_at(each, "ballots[" + std::to_string(all.size()) + "]"));
  }
  return Profile(count, std::move(all));
}

json::object count(const Profile& profile, const Rule& rule, const Ties& ties, TieContext context) {
  json::object result{{"co_winners", json::array()}, {"decision", nullptr}};
  if (!is_asked_of(profile, rule.name())) {
    result["why"] = "no ballot says what this rule counts";
    return result;
  }
  Tally tally;
  try {
    tally = rule.count(profile);
  } catch (const Error& error) {
    result["why"] = error.sentence();
    return result;
  }
  context.profile = &profile;
  result["co_winners"] = as_json_list(tally.co_winners);
  if (tally.committees.empty() || tally.committees.front().size() == 1) {
    const TieOutcome outcome = ties.settle(tally.co_winners, context);
    if (outcome.left.size() == 1) result["decision"] = outcome.left.front();
    if (!outcome.by.empty()) result["tie_broken_by"] = as_json_list(outcome.by);
  } else {
    json::array committees;
    for (const auto& each : tally.committees) committees.push_back(as_json_list(each));
    result["committees"] = std::move(committees);
    result["elected"] = as_json_list(one_committee(tally.committees, ties, context));
  }
  if (!tally.why.empty()) result["why"] = tally.why;
  if (!tally.every_way) result["ties_on_the_way"] = "broken in the order of the candidates";
  json::array scores;
  for (const Fraction& each : tally.scores) scores.push_back(as_json(each));
  if (!scores.empty()) result["scores"] = std::move(scores);
  json::array rounds;
  for (const Round& each : tally.rounds) rounds.emplace_back(as_json(each));
  if (!rounds.empty()) result["rounds"] = std::move(rounds);
  return result;
}
