// Tools to test societies of agents: in virtual time, under seeds, with expectations about
// messages. They work with any test framework: an unmet expectation is a std::exception, or a
// value.
#pragma once

#include "coracle/testing/actor.hpp"
#include "coracle/testing/expectation.hpp"
#include "coracle/testing/failure.hpp"
#include "coracle/testing/seeds.hpp"
#include "coracle/testing/society.hpp"
