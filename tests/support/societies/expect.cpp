#include "support/societies/expect.hpp"

#include <algorithm>

namespace coracle::test {

namespace detail {

void fail_equal(std::string_view what, const std::string& got, const std::string& wanted,
                const char* file, int line) {
  fail(std::string(what) + ": is " + got + ", should be " + wanted, file, line);
}

void check_errc(Errc wanted, const Error* error, std::string_view what, const char* file,
                int line) {
  const std::string name = make_error_code(wanted).message();
  const std::string should_be = "should be \"" + name + '"';
  if (error == nullptr) fail(std::string(what) + ": went well, " + should_be, file, line);
  if (error->errc() != wanted)
    fail(std::string(what) + ": is \"" + error->what() + "\", " + should_be, file, line);
  // A sentence with the next step has more than a handful of words.
  const std::string& sentence = error->sentence();
  if (std::count(sentence.begin(), sentence.end(), ' ') < 4)
    fail(std::string(what) + ": \"" + sentence + "\" does not say what to do", file, line);
}

}  // namespace detail

}  // namespace coracle::test
