#include "variants.hpp"

namespace coracle::bench {

namespace {

bool is_open(const std::string& realization) {
  return realization.starts_with("central") && realization.find("delivery=") == std::string::npos &&
         realization.find("matching=") == std::string::npos;
}

std::string with(const std::string& realization, const char* setting) {
  return realization + (realization.find('?') == std::string::npos ? '?' : '&') + setting;
}

}  // namespace

std::vector<Variant> delivery_variants(const std::string& realization) {
  std::vector<Variant> all = {{realization}};
  if (!is_open(realization)) return all;
  all.push_back({with(realization, "delivery=notify")});
  all.push_back({with(realization, "delivery=poll")});
  return all;
}

std::vector<Variant> matching_variants(const std::string& realization, std::uint32_t patterns) {
  if (!is_open(realization)) return {};
  return {{with(realization, "matching=set"), patterns},
          {with(realization, "matching=linear"), patterns}};
}

}  // namespace coracle::bench
