// The smallest useful agent: what every user of the library compiles.
#include <coracle/agent.hpp>
