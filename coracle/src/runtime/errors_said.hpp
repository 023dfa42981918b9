// The sentences of errors that several operations report.
#pragma once

#include "coracle/errors.hpp"
#include "coracle/name.hpp"

#include <string>

namespace coracle::detail {

// An error that says what was tried, to whom, why it failed and what to do.
Error said(Errc errc, const char* tried, const Name& whom, const std::string& detail = {});

}  // namespace coracle::detail
