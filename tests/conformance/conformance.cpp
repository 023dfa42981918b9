#include "subject.hpp"

#include <iostream>
#include <stdexcept>

namespace coracle::conformance {

namespace {

const char* to_string(Need need) {
  switch (need) {
    case Need::nothing:
      return "nothing";
    case Need::two_workers:
      return "two workers";
    case Need::second_node:
      return "a second node";
    case Need::storage:
      return "durable storage";
    case Need::connection:
      return "a connection";
    case Need::turns:
      return "a link on which messages take turns";
    case Need::listener:
      return "a listener";
    case Need::second_directory:
      return "a second directory";
    case Need::threads:
      return "threads";
  }
  return "?";
}

bool is_in_virtual_time(const Subject& subject) { return subject.open().driver != nullptr; }

}  // namespace

Cases all_cases() {
  Cases all;
  for (const auto part :
       {&name_cases, &order_cases, &outcome_cases, &absent_cases, &reading_cases, &group_cases,
        &last_message_cases, &late_joiner_cases, &eavesdrop_cases, &notice_cases, &bound_cases,
        &overflow_cases, &ending_cases, &supervision_cases, &timed_cases, &inspection_cases,
        &bad_input_cases, &failure_cases, &admission_cases}) {
    const Cases some = part();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

void prove(const Case& sentence, const Subject& subject) {
  if (const auto reason = subject.cannot.find(sentence.need); reason != subject.cannot.end()) {
    std::cout << "not applicable to " << subject.name << ": " << sentence.sentence << " needs "
              << to_string(sentence.need) << ": because " << reason->second << '\n';
    return;
  }
  if (sentence.prove != nullptr) return sentence.prove(subject);
  std::cout << "proven elsewhere, for " << subject.name << ": " << sentence.sentence << ": by "
            << sentence.place << '\n';
}

std::string verdict_of(const std::string& sentence, const Subject& subject) {
  for (const Case& known : all_cases()) {
    if (known.sentence != sentence) continue;
    try {
      prove(known, subject);
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }
  throw std::logic_error("the conformance suite has no case " + sentence);
}

bool run_conformance(const std::string& suite, std::vector<Subject> subjects) {
  const std::string first = subjects.front().name;
  for (const Subject& subject : subjects) {
    std::vector<Proof> proofs;
    for (const Case& sentence : all_cases()) {
      const auto proof = [sentence, subject, first] {
        if (!sentence.is_long || subject.name == first || is_in_virtual_time(subject))
          return prove(sentence, subject);
        std::cout << "proven for " << first << " only: " << sentence.sentence << '\n';
      };
      proofs.push_back({sentence.sentence, proof});
    }
    register_suite(suite, subject.name, std::move(proofs));
  }
  return true;
}

}  // namespace coracle::conformance
