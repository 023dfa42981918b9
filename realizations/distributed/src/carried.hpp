// The directory of the societies of one user on one host, which one of their nodes carries.
#pragma once

#include "coracle/realizations/distributed.hpp"

#include <memory>
#include <string>

namespace coracle::distributed {

class Carried {
 public:
  // The directory listens at the Unix socket `path`, and at the other places that `options` give.
  Carried(std::string path, DirectoryOptions options);

  // Serves the directory, unless another process already does.
  void carry();

 private:
  const std::string path_;
  DirectoryOptions options_;
  std::unique_ptr<DirectoryServer> server_;
};

}  // namespace coracle::distributed
