#include "model/choice.hpp"

#include "coracle/support/content_text.hpp"
#include "coracle/support/glob.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <cctype>
#include <span>

namespace coracle::view {

namespace {

bool is_same(char a, char b) noexcept {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

bool contains(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), is_same) != text.end();
}

}  // namespace

bool Choice::names_one(std::string_view name) const noexcept {
  return detail::fits_one(names, name);
}

bool Choice::fits(const Seen& message) const {
  if (conversation != 0 && message.conversation != conversation) return false;
  if (!types.empty() && !detail::fits_one(types, message.type)) return false;
  const bool has_name = names.empty() || detail::fits_one(names, message.from.view()) ||
                        detail::fits_one(names, message.to.view()) ||
                        (!message.group.empty() && detail::fits_one(names, message.group.view()));
  return has_name && (text.empty() || contains(readable(message), text));
}

std::string readable(const Seen& message) {
  if (!message.is_encoded) return {};
  return detail::decoded_content(message.type, std::as_bytes(std::span(message.content))).value;
}

std::string preview(const Seen& message, std::size_t most) {
  std::string text;
  if (!message.is_encoded) return text;
  // A text is cut before it is decoded; other contents have no meaning in parts.
  const bool is_text = detail::is_text(message.type);
  const std::size_t enough =
      is_text ? std::min(message.content.size(), 4 * most + 4) : message.content.size();
  const auto bytes = std::as_bytes(std::span(message.content.data(), enough));
  text = detail::decoded_content(message.type, bytes).value;
  std::size_t end = 0;
  for (std::size_t count = 0; count < most && end < text.size(); ++count)
    end += std::max<std::size_t>(1, detail::utf8_at(text, end).bytes);
  text.resize(std::min(end, text.size()));
  return text;
}

void Cursor::move_to_end(const Messages& messages) {
  next_ = messages.next();
  news_ = messages.first_news() + messages.news().size();
  gaps_ = messages.first_gap() + messages.gaps().size();
}

void Cursor::move_back(const Messages& messages, std::size_t count) {
  const auto& all = messages.all();
  if (!all.empty()) next_ = all[all.size() - std::min(all.size(), count)].n;
}

Batch Cursor::take(const Messages& messages, const Choice& choice, std::size_t most) {
  Batch batch;
  const Number before = next_;
  std::map<std::pair<Name, Name>, Batch::Pair> pairs;
  const auto& all = messages.all();
  // Messages that went before they could be passed on count as folded.
  if (!all.empty() && all.front().n > next_) batch.folded += all.front().n - next_;
  for (std::size_t i = messages.place_of(next_); i < all.size(); ++i) {
    const Seen& each = all[i];
    if (!choice.fits(each)) continue;
    if (batch.messages.size() < most) {
      batch.messages.push_back(&each);
      continue;
    }
    ++batch.folded;
    if (pairs.size() >= 4 * most_pairs && !pairs.contains({each.from, each.to})) continue;
    Batch::Pair& pair = pairs[{each.from, each.to}];
    pair.from = each.from, pair.to = each.to;
    ++pair.count, pair.bytes += each.size;
  }
  next_ = messages.next();
  for (const auto& [names, pair] : pairs) batch.pairs.push_back(pair);
  std::sort(batch.pairs.begin(), batch.pairs.end(),
            [](const auto& a, const auto& b) { return a.count > b.count; });
  if (batch.pairs.size() > most_pairs) batch.pairs.resize(most_pairs);

  const auto& news = messages.news();
  news_ = std::max(news_, messages.first_news());
  for (std::size_t i = news_ - messages.first_news(); i < news.size(); ++i) {
    const Seen* const each = news[i] < before ? messages.find(news[i]) : nullptr;
    if (each != nullptr && batch.changed.size() < most && choice.fits(*each))
      batch.changed.push_back(each);
  }
  news_ = messages.first_news() + news.size();
  std::sort(batch.changed.begin(), batch.changed.end());
  batch.changed.erase(std::unique(batch.changed.begin(), batch.changed.end()), batch.changed.end());
  gaps_ = std::max(gaps_, messages.first_gap());
  for (std::size_t i = gaps_ - messages.first_gap(); i < messages.gaps().size(); ++i)
    batch.gaps.push_back(&messages.gaps()[i]);
  gaps_ = messages.first_gap() + messages.gaps().size();
  return batch;
}

}  // namespace coracle::view
