// Feeds any bytes to the reader of events, as a whole and in pieces. Both must give the same; an
// event that was read must be the same once it is written and read again.
#include "coracle/errors.hpp"
#include "coracle/http/events.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace coracle::http;

std::vector<Event> read_in(std::string_view text, std::size_t piece, bool& is_too_large) {
  std::vector<Event> events;
  EventReader reader(EventLimits{.event_bytes = 1000});
  try {
    for (std::size_t at = 0; at < text.size(); at += piece)
      reader.read(text.substr(at, piece), [&](Event event) { events.push_back(std::move(event)); });
  } catch (const coracle::Error& error) {
    if (error.errc() != coracle::Errc::too_large) std::abort();
    is_too_large = true;
  }
  return events;
}

bool same(const Event& a, const Event& b) {
  return a.data == b.data && a.name == b.name && a.id == b.id;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  bool whole_failed = false, pieces_failed = false;
  const auto whole = read_in(text, size, whole_failed);
  const auto pieces = read_in(text, data[0] % 16 + 1U, pieces_failed);
  if (whole_failed != pieces_failed || whole.size() != pieces.size()) std::abort();
  if (!std::equal(whole.begin(), whole.end(), pieces.begin(), same)) std::abort();
  for (const Event& each : whole) {
    bool failed = false;
    const auto again = read_in(write_event(each), 7, failed);
    if (!failed && (again.size() != 1 || !same(again[0], each))) std::abort();
  }
  return 0;
}
