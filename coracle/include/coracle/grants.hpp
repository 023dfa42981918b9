// A policy in the form in which people write it: a text with a rule on each line. The first rule
// that fits decides; an action that no rule fits is refused.
//
//   # who           may do   what
//   allow lab-*     register lab/**      nodes with such a certificate may hold such names
//   allow lab/**    send     lab/**      such agents may send messages to such agents
//   deny  lab/spy   overhear lab/boss    such agents may not overhear messages to or from those
//   allow lab/**    join     teams/*     such agents may become members of such groups
//   allow ops       inspect  lab/**      nodes with such a certificate may inspect such agents
//   allow lab/desk  redirect lab/**      such mailboxes may redirect other agents' messages, in
//                                        the senders' names, to agents of other nodes
//
// `*` stands for anything within one part of a name, `**` for anything at all.
#pragma once

#include "coracle/policy.hpp"
#include "coracle/result.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace coracle {

// The length limit of such a text, in bytes.
inline constexpr std::size_t policy_text_limit = std::size_t{1} << 20;
// The largest number of rules in it.
inline constexpr std::size_t policy_rules_limit = 10'000;

// The policy that a text describes. Fails with Errc::bad_options; the sentence of the error begins
// with the line that cannot be understood.
Result<std::shared_ptr<const Policy>> parse_policy(std::string_view text);

// The policy in a file. Fails as parse_policy() does, and with Errc::no_such_file; the sentence of
// the error begins with the name of the file.
Result<std::shared_ptr<const Policy>> read_policy(const std::string& file);
// The same; also copies the contents of the file to `text`.
Result<std::shared_ptr<const Policy>> read_policy(const std::string& file, std::string* text);

}  // namespace coracle
