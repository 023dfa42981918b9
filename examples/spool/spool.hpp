// A realization of a user: the processes of one host exchange messages as files in a folder.
#pragma once

#include <coracle/realization.hpp>

#include <string>

namespace spool {

// The parts of a node whose society meets in `folder`, which exists. Whoever may write there is
// trusted.
coracle::Realization realization(const std::string& folder);

}  // namespace spool
