// The directory of the societies of one user on one host, which one of their nodes carries.
#pragma once

#include "coracle/realizations/distributed.hpp"

#include <memory>
#include <string>

namespace coracle::distributed {

class Carried {
 public:
  // At the Unix socket `path`, and where else `options` say.
  Carried(std::string path, DirectoryOptions options);

  // Serves, unless somebody does.
  void carry();

 private:
  const std::string path_;
  DirectoryOptions options_;
  std::unique_ptr<DirectoryServer> server_;
};

}  // namespace coracle::distributed
