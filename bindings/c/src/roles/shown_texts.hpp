// Texts of the library, as C reads them.
#pragma once

#include "coracle.h"

#include <string>
#include <utility>
#include <vector>

namespace coracle::c {

// A list of texts. It does not move, because the program has pointers into it.
class ShownTexts {
 public:
  explicit ShownTexts(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (const std::string& each : texts_) pointers_.push_back(each.c_str());
  }
  ShownTexts(const ShownTexts&) = delete;
  coracle_texts view() const noexcept { return {pointers_.data(), pointers_.size()}; }

 private:
  const std::vector<std::string> texts_;
  std::vector<const char*> pointers_;
};

}  // namespace coracle::c
