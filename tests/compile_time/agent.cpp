// The smallest useful agent: the code that every user of the library compiles.
#include <coracle/agent.hpp>
