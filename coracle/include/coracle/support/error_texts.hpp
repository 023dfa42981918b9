// The sentences of errors that several operations report.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/errors.hpp"
#include "coracle/name.hpp"

#include <exception>
#include <optional>
#include <string>

namespace coracle::detail {

// Makes an error whose text names the attempt, the other agent, the reason, and the remedy.
Error make_error(Errc errc, const char* tried, const Name& whom, const std::string& detail = {});
Error may_not_overhear(const Name& who);
Error lease_ended(LeaseId lease);
// Returns why the society's message store does not take a message, as far as it has given a reason,
// and what to do.
std::string why_not_kept(std::optional<Errc> why);
// Returns the exception that a receive throws when its node stops. All receives share it: there may
// be a million.
const std::exception_ptr& reads_end() noexcept;

}  // namespace coracle::detail
