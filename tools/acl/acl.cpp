// coracle acl: messages of FIPA between their forms and JSON.
#include "acl_json.hpp"
#include "commands.hpp"

#include "coracle/acl/representation.hpp"
#include "coracle/errors.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace coracle::command {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// All bytes of the file, or of standard input for "-"; as many as a codec reads at most.
std::string read_file(const std::string& name) {
  const bool is_input = name == "-";
  const std::unique_ptr<std::FILE, Close> opened(is_input ? nullptr
                                                          : std::fopen(name.c_str(), "rb"));
  if (!is_input && !opened) {
    throw Error(Errc::no_such_file, "the file '" + name +
                                        "' cannot be opened: " + std::strerror(errno) +
                                        "; give the file of a message, or -");
  }
  std::FILE* const file = is_input ? stdin : opened.get();
  const std::size_t most = acl::Limits().bytes;
  std::string bytes;
  char part[65'536];
  while (const std::size_t size = std::fread(part, 1, sizeof part, file)) {
    bytes.append(part, size);
    if (bytes.size() > most) {
      throw Error(Errc::too_large, "the file '" + name + "' has more than " + std::to_string(most) +
                                       " bytes; give the file of one message");
    }
  }
  if (std::ferror(file) != 0) {
    throw Error(Errc::disk_failed, "the file '" + name + "' cannot be read: " +
                                       std::strerror(errno) + "; give the file of a message, or -");
  }
  return bytes;
}

acl::Representation form_of(const std::string& codec) {
  if (codec == "bit-efficient") return acl::Representation::bit_efficient;
  if (codec == "xml") return acl::Representation::xml;
  return acl::Representation::string;
}

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
