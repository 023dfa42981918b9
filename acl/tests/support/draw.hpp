// Random messages and envelopes for properties of the codecs: texts of pieces that have broken a
// codec somewhere.
#pragma once

#include "coracle/acl/envelope.hpp"
#include "coracle/acl/message.hpp"

#include <string>
#include <vector>

namespace coracle::acl::test {

// The kinds of texts that a form can carry.
struct Texts {
  // The pieces of which values and contents are made, and those of names and addresses.
  std::vector<std::string> in_values;
  std::vector<std::string> in_names;
};

// Any bytes.
Texts any_texts();
// No zero byte.
Texts texts_without_zero();
// UTF-8 without control characters other than blanks, as XML has it.
Texts texts_of_xml();

// The functions below draw from the running property.
std::string draw_text(const std::vector<std::string>& pieces);
AgentId draw_agent(const Texts& texts, std::size_t depth = 0);
DateTime draw_date();
// `keys`: names of user parameters.
Message draw_message(const Texts& texts, const std::vector<std::string>& keys);
// Without what the XML form leaves out and the bit-efficient form needs: with a date, and only
// properties that are strings.
Envelope draw_envelope(const Texts& texts);
// Names of user parameters that every form can carry.
std::vector<std::string> plain_keys();

}  // namespace coracle::acl::test
