// The contract of the Directory seam.
#pragma once

#include "coracle/directory.hpp"
#include "subject.hpp"

namespace coracle::contract {

// What is tested: makes an empty directory that judges leases by `clock`.
using DirectoryFactory =
    std::function<std::shared_ptr<Directory>(Clock& clock, std::uint32_t epoch)>;

// What every directory must do, proved of those that `factory` makes.
std::vector<Proof> directory_proofs(DirectoryFactory factory);

}  // namespace coracle::contract
