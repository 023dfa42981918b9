#include "draws.hpp"

#include "coracle/node.hpp"
#include "coracle/support/core_frames.hpp"

namespace coracle::test::lying {

namespace {

constexpr std::uint64_t huge[] = {~std::uint64_t{0},        std::uint64_t{1} << 63,
                                  ~std::uint32_t{0},        std::uint64_t{1} << 32,
                                  0xffff'0000'0000'0000ULL, 1000,
                                  std::uint64_t{1} << 60};

}  // namespace

Temper a_temper(Random& random) {
  const auto below = [&random](std::uint64_t count) { return random.next() % count; };
  Temper temper;
  constexpr unsigned weights[] = {0, 1, 1, 1, 2, 4, 30};
  for (const std::size_t kind :
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28})
    temper.kinds[kind] = weights[below(std::size(weights))];
  temper.kinds[coracle::detail::message_frame] += 2;
  for (std::size_t request = 1; request <= 17; ++request)
    temper.requests[request] = weights[below(std::size(weights))];
  // These requests restart everything; if they were frequent, hardly any other would be sent.
  for (const std::size_t rare : {1, 2, 4, 14, 22}) temper.requests[rare] %= 2;
  temper.requests[5] += 2;
  temper.repeats = weights[below(std::size(weights))] * 4;
  temper.asks = weights[below(std::size(weights))] * 3;
  temper.manners = static_cast<unsigned>(below(5));
  temper.heads = static_cast<unsigned>(below(4));
  temper.is_honest = static_cast<unsigned>(below(40));
  temper.answers = below(4) == 0 ? static_cast<unsigned>(below(2) * below(100)) : 100;
  temper.lies_back = static_cast<unsigned>(below(3) * 20);
  temper.reads = below(6) == 0 ? static_cast<unsigned>(below(100)) : 100;
  temper.is_seen = below(6) == 0 ? static_cast<unsigned>(below(2) * below(100)) : 100;
  temper.ill_formed = below(4) == 0 ? 2 : 0;
  temper.acts = 20 + static_cast<unsigned>(below(400));
  temper.pause = std::chrono::microseconds(100 + below(8000));
  // These draw no numbers of their own, so that other societies stay as they are.
  if (temper.acts % 8 == 0) temper.kinds[coracle::detail::last_frame] = 30;
  temper.invents = temper.acts % 8 == 1;
  temper.disguises = temper.acts % 8 == 2;
  temper.complains = temper.acts % 8 == 3;
  temper.is_ahead = temper.acts % 8 == 4;
  if (temper.is_ahead) {
    for (const auto kind : {coracle::detail::act_frame, coracle::detail::acted_frame})
      temper.kinds[kind] = 4;
    temper.requests[20] = 2;
  }
  temper.misreports = temper.acts % 8 == 5;
  if (temper.acts % 8 == 7) {
    for (const auto kind : {coracle::detail::step_frame, coracle::detail::stepped_frame})
      temper.kinds[kind] = 8;
  }
  if (temper.acts % 8 == 6) temper.requests[19] = 4;
  if (temper.misreports) temper.kinds[coracle::detail::reports_frame] = 30;
  return temper;
}

std::string Draws::own_name() {
  const std::vector<std::string> names = known_.own_names();
  if (!names.empty() && !chance(10)) return one_of(names);
  return known_.own_prefix + static_cast<char>('a' + below(6));
}

std::string Draws::others_name() {
  std::vector<std::string> names;
  for (const auto& [name, holder] : known_.held) {
    if (holder.lease != known_.lease) names.push_back(name);
  }
  return names.empty() ? own_name() : one_of(names);
}

std::string Draws::name() {
  switch (below(12)) {
    case 0:
    case 1:
    case 2:
      return own_name();
    case 3:
    case 4:
    case 5:
    case 6:
      return others_name();
    case 7:
    case 8:
      return known_.absent.empty() ? own_name() : one_of(known_.absent);
    case 9:
      return Node::dead_letters().str();
    case 10:
      return group();
    default:
      return unused_name();
  }
}

std::string Draws::unused_name() { return others_name() + "/" + std::to_string(++last_); }

std::string Draws::group() {
  if (known_.groups.empty() || chance(20)) return known_.own_prefix + "group";
  return one_of(known_.groups);
}

LeaseId Draws::other() {
  if (known_.others.empty()) return 0;
  auto at = known_.others.begin();
  std::advance(at, below(known_.others.size()));
  return at->first;
}

LeaseId Draws::lease() {
  switch (below(8)) {
    case 0:
    case 1:
    case 2:
      return known_.lease;
    case 3:
    case 4:
      return other();
    case 5:
      return known_.earlier.empty() ? known_.lease + 1 : one_of(known_.earlier);
    case 6:
      return known_.ended.empty() ? 0 : one_of(known_.ended);
    default:
      return number_near(other());
  }
}

std::uint64_t Draws::number_near(std::uint64_t truth) {
  switch (below(8)) {
    case 0:
      return truth + 1;
    case 1:
      return truth - 1;
    case 2:
      return truth + (std::uint64_t{1} << 32);
    case 3:
      return huge[below(std::size(huge))];
    case 4:
      return below(16);
    default:
      return truth;
  }
}

Incarnation Draws::life_of(const std::string& name) {
  const auto held = known_.held.find(name);
  const std::uint64_t truth =
      held != known_.held.end() ? coracle::detail::number_of_life(held->second.life) : 0;
  return coracle::detail::life_of_number(number_near(truth));
}

std::uint64_t Draws::seen(const std::vector<std::uint64_t>& list) {
  if (list.empty() || chance(15)) return number_near(1 + below(8));
  return chance(80) ? one_of(list) : number_near(one_of(list));
}

std::uint64_t Draws::count() { return chance(95) ? below(4) : huge[below(std::size(huge))]; }

std::string Draws::text() {
  switch (below(8)) {
    case 0:
      return {};
    case 1:
      return std::string(below(3000), 'x');
    case 2:
      return "\x1b[31m\xc2\x9b\xff\n";
    default:
      return "lie " + std::to_string(++last_);
  }
}

}  // namespace coracle::test::lying
