// Includes everything of this layer that an agent program needs.
#pragma once

#include "coracle/acquaintances.hpp"
#include "coracle/agent.hpp"
#include "coracle/forms.hpp"
#include "coracle/node.hpp"
#include "coracle/port.hpp"
#include "coracle/receipt.hpp"
#include "coracle/supervisor.hpp"
#include "coracle/timer.hpp"
#include "coracle/typed.hpp"
