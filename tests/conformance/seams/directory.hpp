// The conformance suite of the Directory seam.
#pragma once

#include "coracle/directory.hpp"
#include "subject.hpp"

namespace coracle::conformance {

// The factory of the subject: makes an empty directory that judges leases by `clock`.
using DirectoryFactory =
    std::function<std::shared_ptr<Directory>(Clock& clock, std::uint32_t epoch)>;

// The requirements on every directory, proved of the directories that `factory` makes.
std::vector<Proof> directory_proofs(DirectoryFactory factory);

}  // namespace coracle::conformance
