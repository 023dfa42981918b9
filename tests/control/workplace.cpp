#include "workplace.hpp"

#include <exception>
#include <string>

namespace coracle::dispel::test {

Task<> tell_main(Agent& me, Task<> task) {
  std::string said = "done";
  try {
    co_await task;
  } catch (const std::exception& error) {
    said = error.what();
  }
  co_await me.send("main", said);
}

}  // namespace coracle::dispel::test
