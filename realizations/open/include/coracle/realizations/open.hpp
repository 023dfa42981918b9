// Opens a realization by its name, so that a program can run on any of them unchanged.
#pragma once

#include "coracle/realization.hpp"

#include <string_view>

namespace coracle {

// Makes the realization that `text` names, such as "local:" or "local:names=1000". An empty text
// means the environment variable CORACLE_REALIZATION, and "local:" when that is not set either.
// With the key `record=FILE`, the events of the realization are recorded in that file; this fails
// as Recorder does. Fails with Errc::bad_realization, whose text names the schemes that exist or
// the key that does not.
Realization open(std::string_view text = {});

}  // namespace coracle
