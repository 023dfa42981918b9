#include "coracle/testing/failure.hpp"

namespace coracle::testing {

void fail(std::string_view what, const char* file, int line) {
  const std::string_view path = file;
  const std::size_t slash = path.rfind('/');
  const std::string_view short_name = slash == path.npos ? path : path.substr(slash + 1);
  throw Failure(std::string(short_name) + ":" + std::to_string(line) + ": " + std::string(what));
}

}  // namespace coracle::testing
