// Terms that rapidcheck draws.
#pragma once

#include "coracle/acl/sl/term.hpp"

#include <string>
#include <vector>

namespace coracle::acl::test {

// A term, a formula, or the content of a message, with at most `depth` levels of parentheses. Only
// within rc::check().
sl::Term some_term(int depth);
sl::Term some_formula(int depth);
std::vector<sl::Term> some_content(int depth);
// A text that is hard to write: with quotes, backslashes, blanks, or like a number.
std::string some_text();

}  // namespace coracle::acl::test
