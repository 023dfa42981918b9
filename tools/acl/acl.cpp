// coracle acl: messages of FIPA between their forms and JSON.
#include "acl_json.hpp"
#include "commands.hpp"
#include "files.hpp"

#include "coracle/errors.hpp"

#include <cstdio>

namespace coracle::command {

namespace {

int print(const std::string& bytes) {
  const bool is_out = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
                      std::fflush(stdout) == 0;
  if (!is_out)
    throw Error(Errc::disk_failed, "the output cannot be written; see whether it is full");
  return done;
}

}  // namespace

int run_acl_decode(const AclSettings& settings) {
  const auto message = acl::read_message(form_of(settings.codec), read_file(settings.file));
  return print(json_of(message) + '\n');
}

int run_acl_encode(const AclSettings& settings) {
  const acl::Message message = message_from_json(read_file(settings.file));
  return print(acl::write_message(form_of(settings.codec), message));
}

}  // namespace coracle::command
