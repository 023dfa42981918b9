// The content of a message record while it is sent to another node: either its own bytes, without
// counting one more owner, or the encoded bytes of a typed value.
#pragma once

#include "coracle/content.hpp"

namespace coracle::detail {

class BorrowedContent {
 public:
  // `block` outlives this object, and may be nullptr.
  explicit BorrowedContent(ContentBlock* block) : block_(block), content_(bytes_of(block)) {}
  ~BorrowedContent() {
    if (content_.block() == block_) (void)content_.release();
  }
  BorrowedContent(const BorrowedContent&) = delete;
  BorrowedContent& operator=(const BorrowedContent&) = delete;

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
