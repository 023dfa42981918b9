// Files with secrets, which are for their owner only.
// Tests: gateways/web/tests/secret_file_test.cpp
#pragma once

#include <string>

namespace coracle::web {

// Returns the text of a file. `what` names it in errors, as in "file of callers". Fails with
// Errc::no_such_file; with Errc::not_permitted if others may use it, or if it cannot be read; and
// with Errc::too_large beyond 16 MiB.
std::string read_secret_file(const std::string& path, const std::string& what);

}  // namespace coracle::web
