// A parcel's content while another node is told of it: its bytes as they are, which are not counted
// as one more owner's, or those of a value.
#pragma once

#include "coracle/content.hpp"

namespace coracle::detail {

class Lent {
 public:
  // `block` outlives it, and may be nullptr.
  explicit Lent(ContentBlock* block) : block_(block), content_(bytes_of(block)) {}
  ~Lent() {
    if (content_.block() == block_) (void)content_.release();
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  const Content& content() const noexcept { return content_; }

 private:
  static Content bytes_of(ContentBlock* block) {
    if (block == nullptr || !block->is_typed()) return Content::adopt(block);
    retain(block);
    return Content::adopt(block).encoded();
  }

  ContentBlock* const block_;
  Content content_;
};

}  // namespace coracle::detail
