#include "refusals.hpp"

#include "realizations/net/src/society/directory/directory_frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

namespace {

std::string key_of(const Refusal& refusal) {
  std::string key;
  for (const std::string_view part :
       {std::string_view(refusal.node), std::string_view(refusal.right), refusal.from.view(),
        refusal.to.view()})
    key.append(part).push_back('\0');
  return key;
}

}  // namespace

void Refusals::note(Refusal refusal) {
  std::string key = key_of(refusal);
  const auto known = known_.find(key);
  if (known != known_.end()) {
    latest_.splice(latest_.end(), latest_, known->second);
  } else {
    if (latest_.size() >= most) {
      known_.erase(key_of(latest_.front()));
      latest_.pop_front();
    }
    latest_.push_back(std::move(refusal));
    known_.emplace(std::move(key), std::prev(latest_.end()));
  }
  latest_.back().serial = ++last_serial_;
  ++latest_.back().count;
}

std::vector<Refusal> Refusals::after(std::uint64_t serial) const {
  std::vector<Refusal> found;
  for (auto each = latest_.rbegin(); each != latest_.rend() && each->serial > serial; ++each)
    found.push_back(*each);
  std::reverse(found.begin(), found.end());
  return found;
}

void write(detail::FrameWriter& out, const std::vector<Refusal>& refusals) {
  out.number(refusals.size());
  for (const Refusal& each : refusals) {
    out.number(each.serial);
    for (const std::string_view text :
         {std::string_view(each.node), std::string_view(each.certified),
          std::string_view(each.right), each.from.view(), each.to.view()})
      out.text(text);
    out.number(each.count);
  }
}

std::vector<Refusal> read_refusals(detail::FrameReader& in) {
  std::vector<Refusal> refusals;
  for (std::uint64_t left = in.number_up_to(Refusals::most); left > 0 && in.ok(); --left) {
    Refusal each;
    each.serial = in.number();
    each.node = in.text();
    each.certified = in.text();
    each.right = in.text();
    each.from = read_name(in);
    each.to = read_name(in);
    each.count = in.number();
    refusals.push_back(std::move(each));
  }
  return refusals;
}

}  // namespace coracle::society
