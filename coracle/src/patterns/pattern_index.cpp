#include "pattern_index.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {
namespace {

using Slots = std::vector<std::uint32_t>;

// Fewer texts than this are tested faster one by one. So are few texts out of many, because a group
// tests all of them.
constexpr std::size_t few = 8;
constexpr std::size_t group_ratio = 64;

bool contains(const Slots& sorted, std::uint32_t slot) {
  return std::binary_search(sorted.begin(), sorted.end(), slot);
}

const SharedExpression& indexed_text(const PatternParts& parts) {
  return parts.format ? parts.format : parts.text;
}

}  // namespace

void NameConditions::forget_answers() {
  cache_.clear();
  cached_slots_ = 0;
}

void NameConditions::add(std::uint32_t slot, const Name& name, const SharedExpression& expression) {
  if (name.empty()) {
    expressions_.add(slot, expression);
  } else {
    literals_[name].push_back(slot);
  }
  ++size_;
  forget_answers();
}

void NameConditions::remove(std::uint32_t slot, const Name& name) {
  if (name.empty()) {
    expressions_.remove(slot);
  } else {
    const auto found = literals_.find(name);
    std::erase(found->second, slot);
    if (found->second.empty()) literals_.erase(found);
  }
  --size_;
  forget_answers();
}

const Slots& NameConditions::look_up(const Name& name) {
  Slots slots;
  if (const auto found = literals_.find(name); found != literals_.end()) slots = found->second;
  expressions_.match(name.view(), slots);
  std::sort(slots.begin(), slots.end());
  slots.shrink_to_fit();
  if (cache_.size() >= max_cached_names || cached_slots_ + slots.size() > max_cached_slots) {
    forget_answers();
  }
  cached_slots_ += slots.size();
  return cache_.emplace(name, std::move(slots)).first->second;
}

PatternIndex::PatternIndex(Matching matching, std::size_t set_bytes)
    : is_linear_(matching == Matching::linear),
      sources_(set_bytes),
      targets_(set_bytes),
      named_texts_(RegexGroup::Where::anywhere, set_bytes),
      texts_(RegexGroup::Where::anywhere, set_bytes) {}

void PatternIndex::add(std::uint64_t id, Pattern pattern) {
  remove(id);
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const auto slot = free_slots_.back();
  free_slots_.pop_back();
  Entry& entry = entries_[slot];
  entry.id = id;
  entry.is_there = true;
  entry.pattern = std::move(pattern);
  const PatternParts* parts = entry.pattern.parts();
  entry.by_source = parts && parts->has_source();
  entry.by_target = parts && parts->has_target();
  entry.by_text = parts && parts->has_text();
  slot_of_id_.emplace(id, slot);
  link(slot);
  ++version_;
}

void PatternIndex::remove(std::uint64_t id) {
  const auto found = slot_of_id_.find(id);
  if (found == slot_of_id_.end()) return;
  const auto slot = found->second;
  slot_of_id_.erase(found);
  unlink(slot);
  entries_[slot] = Entry{};
  free_slots_.push_back(slot);
  ++version_;
}

void PatternIndex::link(std::uint32_t slot) {
  const Entry& entry = entries_[slot];
  if (is_linear_) {
    ++sourceless_;  // each pattern is tried, whatever the source is
    return;
  }
  const PatternParts* parts = entry.pattern.parts();
  if (entry.by_source) sources_.add(slot, parts->source_name, parts->source);
  if (entry.by_target) targets_.add(slot, parts->target_name, parts->target);
  if (!entry.by_source) ++sourceless_;
  if (!entry.by_source && entry.by_target) ++target_only_;
  if (entry.by_text) {
    (entry.named() ? named_texts_ : texts_).add(slot, indexed_text(*parts));
  } else if (!entry.named()) {
    (parts && !parts->components.empty() ? headers_home(*parts) : everything_).push_back(slot);
  }
}

void PatternIndex::unlink(std::uint32_t slot) {
  const Entry& entry = entries_[slot];
  if (is_linear_) {
    --sourceless_;
    return;
  }
  const PatternParts* parts = entry.pattern.parts();
  if (entry.by_source) sources_.remove(slot, parts->source_name);
  if (entry.by_target) targets_.remove(slot, parts->target_name);
  if (!entry.by_source) --sourceless_;
  if (!entry.by_source && entry.by_target) --target_only_;
  if (entry.by_text) {
    (entry.named() ? named_texts_ : texts_).remove(slot);
  } else if (!entry.named()) {
    if (parts && !parts->components.empty()) {
      drop_headers_home(*parts, slot);
    } else {
      std::erase(everything_, slot);
    }
  }
}

PatternIndex::Slots& PatternIndex::headers_home(const PatternParts& parts) {
  const auto& [key, value] = parts.components.front();
  return by_header_[key][value];
}

void PatternIndex::drop_headers_home(const PatternParts& parts, std::uint32_t slot) {
  const auto& [key, value] = parts.components.front();
  const auto values = by_header_.find(key);
  const auto slots = values->second.find(value);
  std::erase(slots->second, slot);
  if (slots->second.empty()) values->second.erase(slots);
  if (values->second.empty()) by_header_.erase(values);
}

std::uint64_t PatternIndex::set_failures() const noexcept {
  return sources_.set_failures() + targets_.set_failures() + named_texts_.set_failures() +
         texts_.set_failures();
}

void PatternIndex::find(const Name& source, const Name& target, const Text& text,
                        const HeaderView& headers) {
  if (is_linear_) return try_each(source, target, text, headers);
  picked_.clear();
  pick_by_names(source, target);
  pick_by_headers(headers);
  keep_by_text(text, headers);
  for (const auto slot : picked_) ids_.push_back(entries_[slot].id);
  std::sort(ids_.begin(), ids_.end());
}

// Tries each pattern alone. Nothing is prepared for all patterns together, and nothing is kept from
// message to message.
void PatternIndex::try_each(const Name& source, const Name& target, const Text& text,
                            const HeaderView& headers) {
  std::optional<std::string_view> content;
  for (const Entry& entry : entries_) {
    if (!entry.is_there) continue;
    const PatternParts* const parts = entry.pattern.parts();
    if (parts != nullptr) {
      if (!parts->source_matches(source.view()) || !parts->target_matches(target.view()) ||
          !parts->components_match(headers))
        continue;
      if (entry.by_text && !content) content = text.get();
      if (entry.by_text && !parts->text_matches(*content)) continue;
    }
    ids_.push_back(entry.id);
  }
  std::sort(ids_.begin(), ids_.end());
}

// Picks the patterns with conditions on names, if these conditions hold.
void PatternIndex::pick_by_names(const Name& source, const Name& target) {
  const Slots& from_source = sources_.holding_for(source);
  if (from_source.empty() && target_only_ == 0) return;
  const Slots& to_target = targets_.holding_for(target);
  for (const auto slot : from_source) {
    if (!entries_[slot].by_target || contains(to_target, slot)) picked_.push_back(slot);
  }
  if (target_only_ == 0) return;
  for (const auto slot : to_target) {
    if (!entries_[slot].by_source) picked_.push_back(slot);
  }
}

// Adds the patterns without conditions on names or text, and drops the patterns whose components
// are missing.
void PatternIndex::pick_by_headers(const HeaderView& headers) {
  picked_.insert(picked_.end(), everything_.begin(), everything_.end());
  for (const auto& [key, values] : by_header_) {
    const auto value = headers.find(key);
    if (!value) continue;
    const auto found = values.find(*value);
    if (found == values.end()) continue;
    picked_.insert(picked_.end(), found->second.begin(), found->second.end());
  }
  std::erase_if(picked_, [&](std::uint32_t slot) {
    const PatternParts* parts = entries_[slot].pattern.parts();
    return parts && !parts->components_match(headers);
  });
}

// Drops the patterns whose text does not match, and adds the patterns without conditions on names
// whose text matches.
void PatternIndex::keep_by_text(const Text& text, const HeaderView& headers) {
  const auto count = static_cast<std::size_t>(std::count_if(
      picked_.begin(), picked_.end(), [&](std::uint32_t slot) { return entries_[slot].by_text; }));
  if (count == 0 && texts_.size() == 0) return;
  const std::string_view content = text.get();
  keep_named_by_text(content, count);
  if (texts_.size() == 0) return;
  hits_.clear();
  texts_.match(content, hits_);
  for (const auto slot : hits_) {
    const PatternParts& parts = *entries_[slot].pattern.parts();
    const bool both = parts.text && parts.format;
    if (parts.components_match(headers) && (!both || parts.text->found_in(content))) {
      picked_.push_back(slot);
    }
  }
}

void PatternIndex::keep_named_by_text(std::string_view text, std::size_t count) {
  if (count == 0) return;
  const bool grouped = count > few && count >= named_texts_.size() / group_ratio;
  if (grouped) {
    hits_.clear();
    named_texts_.match(text, hits_);
    std::sort(hits_.begin(), hits_.end());
  }
  std::erase_if(picked_, [&](std::uint32_t slot) {
    if (!entries_[slot].by_text) return false;
    const PatternParts& parts = *entries_[slot].pattern.parts();
    if (!grouped) return !parts.text_matches(text);
    const bool both = parts.text && parts.format;
    return !contains(hits_, slot) || (both && !parts.text->found_in(text));
  });
}

}  // namespace coracle::detail
