#include "refusals.hpp"

#include "realizations/net/src/society/directory/directory_frames.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace coracle::society {

namespace {

constexpr std::string_view rights[] = {"register", "send", "overhear", "join",
                                       "redirect", "keep", "look"};
constexpr std::size_t longest_text = 255;
constexpr std::uint64_t most_at_once = std::uint64_t{1} << 32;

std::string key_of(const Refusal& refusal) {
  std::string key;
  for (const std::string_view part :
       {std::string_view(refusal.node), std::string_view(refusal.certified),
        std::string_view(refusal.right), refusal.from.view(), refusal.to.view(),
        std::string_view(refusal.by), std::string_view(refusal.by_certified)})
    key.append(part).push_back('\0');
  return key;
}

// A holder of a certificate may run several nodes; they have one share.
std::string reporter_of(const Refusal& refusal) {
  return refusal.by_certified.empty() ? refusal.by : refusal.by_certified + '\0';
}

void write_what(detail::FrameWriter& out, const Refusal& refusal) {
  for (const std::string_view text :
       {std::string_view(refusal.node), std::string_view(refusal.certified),
        std::string_view(refusal.right), refusal.from.view(), refusal.to.view()})
    out.text(text);
  out.number(refusal.count);
}

Refusal read_what(detail::FrameReader& in) {
  Refusal refusal;
  refusal.node = in.text();
  refusal.certified = in.text();
  refusal.right = in.text();
  refusal.from = read_name(in);
  refusal.to = read_name(in);
  refusal.count = in.number();
  return refusal;
}

}  // namespace

Refusal Refusals::remove(std::uint64_t serial) {
  Refusal removed = std::move(by_serial_.extract(serial).mapped());
  serials_.erase(key_of(removed));
  const auto of = of_reporter_.find(reporter_of(removed));
  of->second.erase(serial);
  if (of->second.empty()) of_reporter_.erase(of);
  return removed;
}

void Refusals::make_room(const std::string& reporter) {
  const auto of = of_reporter_.find(reporter);
  if (!reporter.empty() && of != of_reporter_.end() && of->second.size() >= most_reported)
    (void)remove(*of->second.begin());
  else if (by_serial_.size() >= most) (void)remove(by_serial_.begin()->first);
}

void Refusals::note(Refusal refusal) {
  std::string key = key_of(refusal);
  const std::string reporter = reporter_of(refusal);
  if (const auto known = serials_.find(key); known != serials_.end())
    refusal.count += remove(known->second).count;
  else make_room(reporter);
  refusal.serial = ++last_serial_;
  serials_.emplace(std::move(key), refusal.serial);
  of_reporter_[reporter].insert(refusal.serial);
  by_serial_.emplace_hint(by_serial_.end(), refusal.serial, std::move(refusal));
}

std::vector<Refusal> Refusals::after(std::uint64_t serial) const {
  std::vector<Refusal> found;
  for (auto each = by_serial_.upper_bound(serial); each != by_serial_.end(); ++each)
    found.push_back(each->second);
  return found;
}

std::vector<Refusal> Refusals::take() {
  std::vector<Refusal> taken;
  while (!by_serial_.empty() && taken.size() < most_reported)
    taken.push_back(remove(by_serial_.begin()->first));
  return taken;
}

void write(detail::FrameWriter& out, const std::vector<Refusal>& refusals) {
  out.number(refusals.size());
  for (const Refusal& each : refusals) {
    out.number(each.serial);
    write_what(out, each);
    out.text(each.by);
    out.text(each.by_certified);
  }
}

std::vector<Refusal> read_refusals(detail::FrameReader& in) {
  std::vector<Refusal> refusals;
  for (std::uint64_t left = in.number_up_to(Refusals::most); left > 0 && in.ok(); --left) {
    const std::uint64_t serial = in.number();
    Refusal each = read_what(in);
    each.serial = serial;
    each.by = in.text();
    each.by_certified = in.text();
    refusals.push_back(std::move(each));
  }
  return refusals;
}

void write(detail::FrameWriter& out, const RefusalReport& report) {
  out.number(report.count);
  out.number(report.refusals.size());
  for (const Refusal& each : report.refusals) write_what(out, each);
}

RefusalReport read_refusal_report(detail::FrameReader& in) {
  RefusalReport report;
  report.count = in.number_up_to(most_at_once);
  for (std::uint64_t left = in.number_up_to(Refusals::most_reported); left > 0 && in.ok(); --left) {
    Refusal each = read_what(in);
    const bool is_sensible = std::ranges::find(rights, each.right) != std::end(rights) &&
                             each.node.size() <= longest_text &&
                             each.certified.size() <= longest_text && each.count <= most_at_once;
    if (!is_sensible) in.fail();
    report.refusals.push_back(std::move(each));
  }
  return report;
}

}  // namespace coracle::society
