// A policy as people write it: a text with a rule on each line. The first rule that fits decides,
// and what none fits is refused.
//
//   # who           may do   what
//   allow lab-*     register lab/**      a node with such a certificate may hold such names
//   allow lab/**    send     lab/**      such an agent may send messages to such agents
//   deny  lab/spy   overhear lab/boss    such an agent may not hear what is to or from such agents
//   allow lab/**    join     teams/*     such an agent may become a member of such groups
//   allow lab/desk  redirect lab/**      such a mailbox may hand on what others sent to it, in
//   their
//                                        names, to agents of other nodes
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

// How long such a text may be, in bytes.
inline constexpr std::size_t policy_text_limit = std::size_t{1} << 20;
// How many rules it may have.
inline constexpr std::size_t policy_rules_limit = 10'000;

// The policy that a text describes. Fails with Errc::bad_options; the sentence begins with the line
// that cannot be understood.
Result<std::shared_ptr<const Policy>> parse_policy(std::string_view text);

// The policy in a file. Fails likewise, and with Errc::no_such_file; the sentence begins with the
// file.
Result<std::shared_ptr<const Policy>> read_policy(const std::string& file);
// The same; `text` becomes what the file holds.
Result<std::shared_ptr<const Policy>> read_policy(const std::string& file, std::string* text);

}  // namespace coracle
