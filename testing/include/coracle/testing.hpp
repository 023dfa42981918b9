// Testing societies of agents: in virtual time, under seeds, with expectations about messages.
// Works with any test framework: what is not as expected is a std::exception, or a value.
#pragma once

#include "coracle/testing/actor.hpp"
#include "coracle/testing/expectation.hpp"
#include "coracle/testing/failure.hpp"
#include "coracle/testing/seeds.hpp"
#include "coracle/testing/society.hpp"
