// Checks of codecs with bad input: the error, and input that is cut off.
#pragma once

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace coracle::acl::test {

// The sentence of the error of `action`, which must have that code; empty if it does not fail so.
template <class Action>
std::string refusal(Errc errc, Action action) {
  try {
    action();
  } catch (const Error& error) {
    BOOST_TEST((error.errc() == errc), error.sentence());
    return error.sentence();
  }
  return "";
}

// The sentence of Errc::bad_encoding.
template <class Action>
std::string refusal(Action action) {
  return refusal(Errc::bad_encoding, action);
}

// Requires that no part of `bytes` from its beginning is read, except all of it.
template <class Read>
void check_cut_off(std::string_view bytes, Read read) {
  BOOST_TEST(refusal([&] { read(bytes); }) == "");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // A copy of its own size, so that the sanitizer finds what is read behind its end.
    const std::string part(bytes.substr(0, size));
    BOOST_TEST(refusal([&] { read(std::string_view(part)); }) != "", "cut off after " << size);
  }
}

}  // namespace coracle::acl::test
