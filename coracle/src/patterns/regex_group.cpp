#include "regex_group.hpp"

#include <utility>

namespace coracle::detail {
namespace {

// Fewer expressions than this are tested faster one by one.
constexpr std::size_t few = 8;

}  // namespace

void RegexGroup::add(std::uint32_t slot, SharedExpression expression) {
  if (entry_of_slot_.size() <= slot) entry_of_slot_.resize(std::size_t{slot} + 1);
  entry_of_slot_[slot] = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({slot, 0, true, std::move(expression)});
  ++alive_;
}

void RegexGroup::remove(std::uint32_t slot) {
  const auto index = entry_of_slot_[slot];
  if (index < built_) {
    entries_[index].alive = false;
    --alive_;
    return;
  }
  entries_[index] = std::move(entries_.back());
  entries_.pop_back();
  --alive_;
  if (index < entries_.size()) entry_of_slot_[entries_[index].slot] = index;
}

bool RegexGroup::matches(const Entry& entry, std::string_view text) const {
  if (!entry.alive) return false;
  return where_ == Where::whole ? entry.expression->matches_whole(text)
                                : entry.expression->found_in(text);
}

bool RegexGroup::out_of_date() const noexcept {
  const auto added = entries_.size() - built_;
  const auto removed = entries_.size() - alive_;
  return added > few + built_ / 256 || removed > few + built_ / 4;
}

void RegexGroup::rebuild() {
  std::erase_if(entries_, [](const Entry& entry) { return !entry.alive; });
  std::vector<LiteralTable::Literal> literals;
  plain_.clear();
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    entry_of_slot_[entries_[index].slot] = index;
    const auto& known = entries_[index].expression->literals;
    for (const auto& literal : known) literals.push_back({literal, index});
    if (known.empty()) plain_.push_back(index);
  }
  for (const auto index : literals_.build(literals)) plain_.push_back(index);
  built_ = entries_.size();
  build_set();
}

void RegexGroup::build_set() {
  set_.reset();
  if (plain_.size() <= few) return;
  auto options = expression_options();
  options.set_max_mem(static_cast<std::int64_t>(set_bytes_));
  const auto anchor = where_ == Where::whole ? RE2::ANCHOR_BOTH : RE2::UNANCHORED;
  auto set = std::make_unique<RE2::Set>(options, anchor);
  for (const auto index : plain_) {
    if (set->Add(entries_[index].expression->regex, nullptr) < 0) {
      ++set_failures_;
      return;
    }
  }
  if (set->Compile()) {
    set_ = std::move(set);
  } else {
    ++set_failures_;
  }
}

void RegexGroup::start_turn() {
  if (++turn_ != 0) return;
  for (auto& entry : entries_) entry.tested = 0;
  turn_ = 1;
}

bool RegexGroup::match_set(std::string_view text, std::vector<std::uint32_t>& slots) {
  if (!set_) return false;
  RE2::Set::ErrorInfo error{RE2::Set::kNoError};
  const bool any = set_->Match({text.data(), text.size()}, &set_hits_, &error);
  if (!any && error.kind != RE2::Set::kNoError) {
    ++set_failures_;
    return false;
  }
  for (const int hit : set_hits_) {
    const Entry& entry = entries_[plain_[static_cast<std::size_t>(hit)]];
    if (entry.alive) slots.push_back(entry.slot);
  }
  return true;
}

void RegexGroup::match(std::string_view text, std::vector<std::uint32_t>& slots) {
  if (alive_ == 0) return;
  if (out_of_date()) rebuild();
  start_turn();
  literals_.find(text, [&](std::uint32_t index) {
    Entry& entry = entries_[index];
    if (entry.tested == turn_) return;
    entry.tested = turn_;
    if (matches(entry, text)) slots.push_back(entry.slot);
  });
  if (!match_set(text, slots)) {
    for (const auto index : plain_) {
      if (matches(entries_[index], text)) slots.push_back(entries_[index].slot);
    }
  }
  for (auto index = built_; index < entries_.size(); ++index) {
    if (matches(entries_[index], text)) slots.push_back(entries_[index].slot);
  }
}

}  // namespace coracle::detail
