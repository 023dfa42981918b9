// The Local realization as a subject of the contract.
#pragma once

#include "subject.hpp"

namespace coracle::contract {

// With so many workers.
Subject local_subject(unsigned workers);

}  // namespace coracle::contract
