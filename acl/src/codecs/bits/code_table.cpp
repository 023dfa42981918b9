#include "codecs/bits/code_table.hpp"

#include "coracle/errors.hpp"

#include <algorithm>

namespace coracle::acl {

CodeTable::CodeTable(unsigned bits) : bits_(bits) {
  if (bits < 8 || bits > 16) {
    throw Error(Errc::bad_options, "a code table cannot have 2^" + std::to_string(bits) +
                                       " places; give a number from 8 to 16");
  }
}

std::optional<CodeTable::Code> CodeTable::find(std::string_view text) const {
  const auto found = codes_.find(text);
  if (found == codes_.end()) return std::nullopt;
  return found->second;
}

const CodeTable::Entry* CodeTable::at(Code code) const noexcept {
  if (code >= entries_.size()) return nullptr;
  const Entry& entry = entries_[code];
  const bool is_free = code != newest_ && entry.newer == none;
  return is_free ? nullptr : &entry;
}

void CodeTable::use(Code code) noexcept {
  unlink(code);
  link_newest(code);
}

void CodeTable::add(std::string_view text, bool is_string) {
  const std::size_t places = std::size_t{1} << bits_;
  if (free_.empty() && entries_.size() == places) make_room();
  Code code = 0;
  if (free_.empty()) {
    code = static_cast<Code>(entries_.size());
    entries_.emplace_back();
  } else {
    code = free_.back();
    free_.pop_back();
  }
  Entry& entry = entries_[code];
  entry.text = text;
  entry.is_string = is_string;
  codes_.emplace(entry.text, code);
  bytes_ += text.size();
  link_newest(code);
}

void CodeTable::unlink(Code code) noexcept {
  Entry& entry = entries_[code];
  (entry.newer == none ? newest_ : entries_[entry.newer].older) = entry.older;
  (entry.older == none ? oldest_ : entries_[entry.older].newer) = entry.newer;
  entry.newer = entry.older = none;
}

void CodeTable::link_newest(Code code) noexcept {
  entries_[code].older = newest_;
  (newest_ == none ? oldest_ : entries_[newest_].newer) = code;
  newest_ = code;
}

void CodeTable::make_room() {
  for (std::size_t left = entries_.size() >> 3; left > 0; --left) {
    const Code code = oldest_;
    unlink(code);
    Entry& entry = entries_[code];
    codes_.erase(entry.text);
    bytes_ -= entry.text.size();
    entry.text = std::string();
    free_.push_back(code);
  }
  std::ranges::sort(free_, std::greater());
}

}  // namespace coracle::acl
