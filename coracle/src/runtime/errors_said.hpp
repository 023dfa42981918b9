// The sentences of errors that several operations report.
#pragma once

#include "coracle/errors.hpp"
#include "coracle/name.hpp"

#include <exception>
#include <optional>
#include <string>

namespace coracle::detail {

// An error that says what was tried, to whom, why it failed and what to do.
Error said(Errc errc, const char* tried, const Name& whom, const std::string& detail = {});
Error may_not_overhear(const Name& who);
// Why the society's custodian does not take a message, as far as it has said, and what to do.
std::string why_not_kept(std::optional<Errc> why);
// What a receive throws when its node stops. It is the same for all: they may be a million.
const std::exception_ptr& reads_end() noexcept;

}  // namespace coracle::detail
