#include "subject.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <stdexcept>

namespace coracle::contract {

namespace {

const char* to_string(Need need) {
  switch (need) {
    case Need::nothing: return "nothing";
    case Need::two_workers: return "two workers";
    case Need::second_node: return "a second node";
    case Need::storage: return "durable storage";
    case Need::connection: return "a connection";
    case Need::listener: return "a listener";
    case Need::second_directory: return "a second directory";
  }
  return "?";
}

}  // namespace

Cases all_cases() {
  Cases all;
  for (const auto part : {&name_cases, &order_cases, &outcome_cases, &absent_cases, &reading_cases,
                          &group_cases, &eavesdrop_cases, &bound_cases, &overflow_cases,
                          &ending_cases, &supervision_cases, &bad_input_cases, &failure_cases,
                          &admission_cases}) {
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
  if (sentence.prove == nullptr)
    throw std::logic_error(subject.name + " can be asked about " + sentence.sentence +
                           ", but the case is not written; write it");
  sentence.prove(subject);
}

bool run_contract(const std::string& suite, std::vector<Subject> subjects) {
  namespace unit_test = boost::unit_test;
  auto* const whole = BOOST_TEST_SUITE(suite);
  for (const Subject& subject : subjects) {
    auto* const part = BOOST_TEST_SUITE(subject.name);
    for (const Case& sentence : all_cases())
      part->add(unit_test::make_test_case([sentence, subject] { prove(sentence, subject); },
                                          sentence.sentence, __FILE__, __LINE__));
    whole->add(part);
  }
  unit_test::framework::master_test_suite().add(whole);
  return true;
}

}  // namespace coracle::contract
