#include "coracle/web/secret_file.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace coracle::web {

std::string read_secret_file(const std::string& path, const std::string& what) {
  namespace fs = std::filesystem;
  constexpr std::uintmax_t largest = std::uintmax_t{16} << 20;
  const std::string file = what + " " + coracle::detail::quoted(path, 200);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::is_regular_file(status))
    throw Error(Errc::no_such_file, "there is no " + file + "; write one, or correct its path");
  if ((status.permissions() & (fs::perms::group_all | fs::perms::others_all)) != fs::perms::none)
    throw Error(Errc::not_permitted,
                "others may use the " + file + ", which has secrets; run chmod 600");
  if (fs::file_size(path, error) > largest && !error)
    throw Error(Errc::too_large, "the " + file + " has more than 16 MiB; write less");
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in && !in.eof())
    throw Error(Errc::not_permitted, "the " + file + " cannot be read; run as its owner");
  return text;
}

}  // namespace coracle::web
