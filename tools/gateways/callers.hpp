// The callers of a gateway, as the options of a command name them.
#pragma once

#include "commands.hpp"

#include "coracle/http/loop.hpp"
#include "coracle/http/tls_files.hpp"
#include "coracle/web/callers.hpp"

#include <optional>
#include <string>

namespace coracle::command {

// Fails with the errors of web::Callers::from_file() and jose::token_judge().
web::CallerOptions caller_options(const CallerSettings& settings, http::Loop& loop);
// The files of a server's TLS; nothing if it has none.
std::optional<http::ServerTls> server_tls(const std::string& certificate, const std::string& key,
                                          const CallerSettings& settings);

}  // namespace coracle::command
