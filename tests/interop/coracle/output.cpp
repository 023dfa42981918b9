#include "output.hpp"

#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

namespace coracle::player {

void print(const json::object& line) {
  static std::mutex mutex;
  const std::string text = json::serialize(line) + "\n";
  const std::lock_guard lock(mutex);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void print_answer(std::int64_t id, json::object fields) {
  print({{"id", id}, {"ok", std::move(fields)}});
}

void print_refusal(std::int64_t id, std::string_view reason) {
  print({{"id", id}, {"error", reason}});
}

}  // namespace coracle::player
