// The sentences of errors that several operations report.
#pragma once

#include "coracle/errors.hpp"
#include "coracle/name.hpp"

#include <exception>
#include <string>

namespace coracle::detail {

// An error that says what was tried, to whom, why it failed and what to do.
Error said(Errc errc, const char* tried, const Name& whom, const std::string& detail = {});
// What a receive throws when its node stops. It is the same for all: they may be a million.
const std::exception_ptr& reads_end() noexcept;

}  // namespace coracle::detail
