#include "top/state.hpp"

#include "coracle/support/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coracle::command {

namespace {

// The cells of a terminal that a character takes: two in the scripts of East Asia, none for marks
// on another character.
std::size_t cells_of(std::uint32_t code) noexcept {
  constexpr std::pair<std::uint32_t, std::uint32_t> wide[] = {
      {0x1100, 0x115f},   {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},  {0xf900, 0xfaff},
      {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
      {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  if ((code >= 0x300 && code <= 0x36f) || detail::is_shaping(code)) return 0;
  for (const auto& [first, last] : wide) {
    if (code >= first && code <= last) return 2;
  }
  return 1;
}

// The first parts of a name, with a slash if some are left out.
std::string prefix_of(const std::string& name, std::size_t parts) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t slash = name.find('/', at);
    if (slash == std::string::npos) return name;
    at = slash + 1;
  }
  return name.substr(0, at);
}

void add_row(TopRow& sum, const TopRow& row) {
  sum.agents += row.agents;
  sum.rate += row.rate;
  sum.queued += row.queued;
  sum.errors += row.errors;
  sum.restarts += row.restarts;
  if (row.cpu) sum.cpu = sum.cpu.value_or(0) + *row.cpu;
  if (sum.node != row.node) sum.node.clear();
  if (sum.does != row.does) sum.does.clear();
  sum.is_known |= row.is_known;
}

// The widths of the columns on a screen; a column of width 0 is left out.
struct Widths {
  explicit Widths(std::size_t columns) {
    rate = columns >= 40 ? 10 : 7;
    queue = columns >= 30 ? 7 : 0;
    cpu = columns >= 50 ? 6 : 0;
    errors = columns >= 40 ? 5 : 0;
    does = columns >= 70 ? std::min<std::size_t>(columns / 3, 40) : 0;
    node = columns >= 100 ? 16 : 0;
    std::size_t others = 0;
    for (const std::size_t each : {rate, queue, cpu, errors, does, node}) {
      if (each != 0) others += each + 1;
    }
    name = columns > others ? columns - others : columns;
  }
  std::size_t name = 0, rate = 0, queue = 0, cpu = 0, errors = 0, does = 0, node = 0;
};

struct Cells {
  std::string_view name, rate, queue, cpu, errors, does, node;
};

std::string line_of(const Widths& widths, const Cells& cells, std::size_t columns) {
  std::string line = fitted(cells.name, widths.name, true);
  const auto add_number = [&](std::string_view text, std::size_t width) {
    if (width != 0) line += fmt::format(" {:>{}}", text, width);
  };
  add_number(cells.rate, widths.rate);
  add_number(cells.queue, widths.queue);
  add_number(cells.cpu, widths.cpu);
  add_number(cells.errors, widths.errors);
  if (widths.does != 0) line += " " + fitted(cells.does, widths.does, widths.node != 0);
  if (widths.node != 0) line += " " + fitted(cells.node, widths.node, false);
  line = fitted(line, columns, false);
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string heading(const Widths& widths, std::size_t columns) {
  return line_of(widths, {"NAME", "RATE/s", "QUEUE", "CPU%", "ERR", "DOES", "NODE"}, columns);
}

std::string line_of(const Widths& widths, const TopRow& row, std::size_t columns) {
  std::string name = detail::shown(row.name);
  if (row.agents > 1) name += fmt::format(" ({})", row.agents);
  const auto count = [&](std::uint64_t number) {
    return row.is_known ? std::to_string(number) : std::string("?");
  };
  const std::string rate = row.is_known ? fmt::format("{:.1f}", row.rate) : "?";
  const std::string cpu = row.cpu ? fmt::format("{:.1f}", *row.cpu * 100) : "?";
  const std::string queue = count(row.queued), errors = count(row.errors);
  const std::string does = detail::shown(row.does), node = detail::shown(row.node);
  const Cells cells{name, rate, queue, cpu, errors, does, node};
  return line_of(widths, cells, columns);
}

}  // namespace

std::string fitted(std::string_view text, std::size_t cells, bool fill) {
  std::string out;
  std::size_t used = 0;
  std::size_t room = 0;       // the bytes of `out` that leave a cell for the '~'
  std::size_t room_used = 0;  // their cells
  for (std::size_t at = 0; at < text.size();) {
    const detail::Utf8Character each = detail::utf8_at(text, at);
    if (each.bytes == 0) break;  // it is not escaped
    const std::size_t its = cells_of(each.code);
    if (used + its > cells) {
      out.resize(room);
      used = room_used;
      if (cells != 0) out += '~', ++used;
      break;
    }
    out += text.substr(at, each.bytes);
    used += its;
    if (used < cells) room = out.size(), room_used = used;
    at += each.bytes;
  }
  if (fill) out.append(cells - used, ' ');
  return out;
}

double Top::rate_of(const Measured& now, const Counted* former) {
  const auto seconds = [](Duration span) { return std::chrono::duration<double>(span).count(); };
  const bool goes_on = former != nullptr && former->counts.is_known &&
                       former->counts.life == now.life && former->counts.handled <= now.handled;
  if (goes_on) {
    if (now.at <= former->counts.at) return former->rate;
    return static_cast<double>(now.handled - former->counts.handled) /
           seconds(now.at - former->counts.at);
  }
  if (!now.age || *now.age <= Duration::zero()) return 0;
  return static_cast<double>(now.handled) / seconds(*now.age);
}

std::optional<double> Top::cpu_of(const Measured& now, const Counted* former) {
  if (former == nullptr || !former->counts.is_known) return now.running.share_since({});
  if (now.at <= former->counts.at) return former->cpu;
  return now.running.share_since(former->counts.running);
}

void Top::take(std::vector<Measured> all) {
  if (is_paused_) return;
  std::map<std::string, Counted> agents;
  for (Measured& each : all) {
    const auto former = agents_.find(each.name);
    Counted& now = agents[each.name];
    const Counted* const before = former == agents_.end() ? nullptr : &former->second;
    if (each.is_known) now.rate = rate_of(each, before), now.cpu = cpu_of(each, before);
    now.counts = std::move(each);
  }
  agents_ = std::move(agents);
}

bool Top::obey(int key) {
  constexpr std::size_t most_parts = 3;
  switch (key) {
    case 'q':
      return false;
    case 'r':
      order_ = Order::rate;
      break;
    case 'm':
      order_ = Order::queue;
      break;
    case 'c':
      order_ = Order::cpu;
      break;
    case 'e':
      order_ = Order::errors;
      break;
    case 'n':
      order_ = Order::name;
      break;
    case 'f':
      parts_ = (parts_ + 1) % (most_parts + 1);
      break;
    case ' ':
      is_paused_ = !is_paused_;
      break;
    case up:
      first_ -= std::min<std::size_t>(first_, 1);
      break;
    case down:
      ++first_;
      break;
    case page_up:
      first_ -= std::min(first_, page_);
      break;
    case page_down:
      first_ += page_;
      break;
    case home:
      first_ = 0;
      break;
    default:
      break;
  }
  return true;
}

std::vector<TopRow> Top::rows() const {
  std::map<std::string, TopRow> sums;
  for (const auto& [name, its] : agents_) {
    const Measured& counts = its.counts;
    TopRow row{name,          counts.node,   counts.does,     1,      counts.is_known, its.rate,
               counts.queued, counts.errors, counts.restarts, its.cpu};
    if (parts_ != 0) row.name = prefix_of(name, parts_);
    const auto [at, is_new] = sums.try_emplace(row.name, row);
    if (!is_new) add_row(at->second, row);
  }
  std::vector<TopRow> rows;
  for (auto& [name, row] : sums) rows.push_back(std::move(row));
  const auto key = [this](const TopRow& row) -> double {
    if (order_ == Order::rate) return row.rate;
    if (order_ == Order::queue) return static_cast<double>(row.queued);
    if (order_ == Order::cpu) return row.cpu.value_or(0);
    return order_ == Order::errors ? static_cast<double>(row.errors) : 0;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const TopRow& a, const TopRow& b) { return key(a) > key(b); });
  return rows;
}

std::vector<std::string> Top::table(std::size_t columns) const {
  const Widths widths(columns);
  std::vector<std::string> lines = {heading(widths, columns)};
  for (const TopRow& each : rows()) lines.push_back(line_of(widths, each, columns));
  return lines;
}

std::vector<std::string> Top::lines(std::size_t columns, std::size_t height) {
  constexpr std::size_t heads = 2;
  constexpr const char* orders[] = {"rate", "mailbox", "processor", "errors", "name"};
  const std::vector<TopRow> all = rows();
  page_ = height > heads ? height - heads : 1;
  first_ = std::min(first_, all.size() > page_ ? all.size() - page_ : 0);
  const std::string head = fmt::format(
      "{} agents, by {}{}{} | r m c e n sort, f folds, space pauses, q ends", agents_.size(),
      orders[static_cast<std::size_t>(order_)],
      parts_ != 0 ? fmt::format(", folded at {}", parts_) : "", is_paused_ ? ", paused" : "");
  const Widths widths(columns);
  std::vector<std::string> lines = {fitted(head, columns, false), heading(widths, columns)};
  for (std::size_t i = first_; i < all.size() && lines.size() < height; ++i)
    lines.push_back(line_of(widths, all[i], columns));
  if (lines.size() > height) lines.resize(height);
  return lines;
}

}  // namespace coracle::command
