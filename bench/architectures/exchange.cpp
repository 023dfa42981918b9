#include "architectures/exchange.hpp"

#include <algorithm>
#include <cstddef>

namespace coracle::bench {

namespace {

void leave_out(std::vector<std::uint32_t>& list, std::uint32_t neighbour) {
  const auto found = std::find(list.begin(), list.end(), neighbour);
  *found = list.back();
  list.pop_back();
}

}  // namespace

Exchange::Exchange(std::uint32_t neighbours, std::uint32_t messages, std::uint64_t seed)
    : neighbours_(neighbours, Acquaintance{messages, {1, 1, messages, messages}, 2 + 2 * messages}),
      random_(seed) {
  for (std::uint32_t each = 0; each < neighbours; ++each) reading_.push_back(each);
}

std::optional<Exchange::Turn> Exchange::choose() {
  if (sending_.empty() && reading_.empty()) return std::nullopt;
  const bool wants_to_send = (random_() & 1) != 0;
  const bool is_send = reading_.empty() || (wants_to_send && !sending_.empty());
  const std::vector<std::uint32_t>& active = is_send ? sending_ : reading_;
  std::uniform_int_distribution<std::size_t> any(0, active.size() - 1);
  return Turn{is_send, active[any(random_)]};
}

void Exchange::sent(std::uint32_t neighbour) {
  if (--neighbours_[neighbour].to_send == 0) leave_out(sending_, neighbour);
}

bool Exchange::read(std::uint32_t neighbour, Note note) {
  Acquaintance& from = neighbours_[neighbour];
  std::uint32_t& expected = from.expected[static_cast<std::size_t>(note)];
  if (expected == 0) return false;
  --expected;
  if (note == Note::greeting_answer && from.to_send > 0) sending_.push_back(neighbour);
  if (--from.to_read == 0) leave_out(reading_, neighbour);
  return true;
}

}  // namespace coracle::bench
