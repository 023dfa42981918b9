#include "table.hpp"

#include "coracle/realizations/local.hpp"

#include <cctype>

namespace coracle::test {

namespace {

constexpr std::string_view number = "<n>", anything = "<...>";

}  // namespace

bool fits(std::string_view sentence, std::string_view wanted) {
  while (!wanted.empty()) {
    if (wanted.starts_with(number)) {
      std::size_t digits = 0;
      while (digits < sentence.size() && std::isdigit(static_cast<unsigned char>(sentence[digits])))
        ++digits;
      if (digits == 0) return false;
      sentence.remove_prefix(digits);
      wanted.remove_prefix(number.size());
    } else if (wanted.starts_with(anything)) {
      wanted.remove_prefix(anything.size());
      for (std::size_t passed = 0; passed <= sentence.size(); ++passed) {
        if (fits(sentence.substr(passed), wanted)) return true;
      }
      return false;
    } else {
      if (sentence.empty() || sentence.front() != wanted.front()) return false;
      sentence.remove_prefix(1);
      wanted.remove_prefix(1);
    }
  }
  return sentence.empty();
}

std::optional<Error> error_of_agent(Body body, NodeOptions options) {
  std::optional<Error> error;
  Society society(local::realization(), std::move(options));
  society.run([&error, &body](Agent& me) -> Task<> {
    Task<> task = body(me);
    error = co_await error_of(std::move(task));
  });
  society.stop(std::chrono::seconds(0));
  return error;
}

Rows joined(std::initializer_list<Rows> parts) {
  Rows all;
  for (const Rows& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

#ifndef CORACLE_HAS_ACL
Rows rows_of_acl() { return {}; }
Rows rows_of_fipa() { return {}; }
#endif
#ifndef CORACLE_HAS_FIPA
Rows rows_of_contract_nets() { return {}; }
#endif

Rows all_rows() {
  return joined({rows_of_values(), rows_of_settings(), rows_of_agents(), rows_of_requests(),
                 rows_of_societies(), rows_of_disks(), rows_of_decisions(), rows_of_control(),
                 rows_of_keys(), rows_of_outside(), rows_of_acl(), rows_of_fipa(),
                 rows_of_contract_nets()});
}

}  // namespace coracle::test
