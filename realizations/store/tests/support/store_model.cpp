#include "store_model.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <thread>

namespace coracle::store::test {

namespace {

std::string key_of(MessageId id) { return fmt::format("message {:020}", id); }

std::string value_of(std::string_view queue, std::string_view content, unsigned deliveries) {
  return fmt::format("{} times to {}: {}", deliveries, queue, content);
}

// The difference between the two, in one line.
std::string difference(const Picture& expected, const Picture& found) {
  for (const auto& [key, value] : expected) {
    const auto other = found.find(key);
    if (other == found.end()) return key + " is missing";
    if (other->second != value)
      return fmt::format("{} is \"{:.60}\" instead of \"{:.60}\"", key, other->second, value);
  }
  for (const auto& [key, value] : found)
    if (!expected.contains(key)) return key + " should not be there";
  return {};
}

std::string content_of(DurableStore& store, const StoredMessage& message, Time now) {
  std::optional<std::string> text;
  store.fetch(message.id, [&](Result<Bytes> bytes) {
    text = bytes ? std::string(text_of(*bytes)) : bytes.error().sentence();
  });
  for (int i = 0; !text && i < 1'000'000; ++i) {
    store.pump(now);
    if (!text) std::this_thread::yield();  // the store's worker may be a thread
  }
  return text.value_or("(not read)");
}

}  // namespace

Picture picture_of(DurableStore& store, Time now) {
  Picture picture;
  const MessageStore& messages = store.messages();
  std::size_t count = 0;
  for (const auto& [name, queue] : messages.queues()) {
    std::size_t here = 0;
    MessageId last = 0;
    for (const StoredMessage* each = queue.first; each != nullptr; each = each->next, ++here) {
      if (each->id <= last) throw std::logic_error("the queue of " + name + " is out of order");
      last = each->id;
      picture[key_of(each->id)] = value_of(name, content_of(store, *each, now), each->deliveries);
    }
    if (here != queue.messages) throw std::logic_error("the queue of " + name + " miscounts");
    count += here;
  }
  if (count != messages.messages()) throw std::logic_error("a message is in no queue");
  for (const std::string& name : messages.registered()) {
    const Registration& value = *messages.registration(name);
    picture["name " + name] =
        fmt::format("{} {} {}", value.incarnation, value.owner, value.present);
  }
  for (const std::string& group : messages.groups())
    for (const std::string& member : messages.members(group))
      picture["member " + group + " " + member] = "";
  return picture;
}

void StoreModel::add(Sequence number, Change change) {
  steps_.push_back({number, std::move(change)});
}

Picture StoreModel::now() const {
  Picture picture = begin_;
  for (const Step& each : steps_) each.change(picture);
  return picture;
}

std::string StoreModel::judge(const Picture& found) const {
  Picture expected = begin_;
  std::size_t i = 0;
  for (; i < steps_.size() && steps_[i].number <= durable_; ++i) steps_[i].change(expected);
  const std::string first = difference(expected, found);
  for (; i < steps_.size() && expected != found; ++i) steps_[i].change(expected);
  return expected == found ? "" : "compared with what was promised, " + first;
}

std::string StoreModel::restart(const Picture& found) {
  std::string verdict = judge(found);
  begin_ = found;
  steps_.clear();
  durable_ = 0;
  return verdict;
}

StoreModel::Change StoreModel::stored(MessageId id, std::string queue, std::string content,
                                      unsigned deliveries) {
  return [=](Picture& picture) { picture[key_of(id)] = value_of(queue, content, deliveries); };
}

StoreModel::Change StoreModel::finished(std::vector<MessageId> ids) {
  return [ids = std::move(ids)](Picture& picture) {
    for (const MessageId id : ids) picture.erase(key_of(id));
  };
}

StoreModel::Change StoreModel::delivered(MessageId id) {
  return [id](Picture& picture) {
    const auto found = picture.find(key_of(id));
    if (found == picture.end()) return;
    const auto deliveries = std::stoul(found->second) + 1;
    found->second = std::to_string(deliveries) + found->second.substr(found->second.find(' '));
  };
}

StoreModel::Change StoreModel::put(std::string name, std::string value) {
  return [=](Picture& picture) { picture[name] = value; };
}

StoreModel::Change StoreModel::gone(std::string name) {
  return [=](Picture& picture) { picture.erase(name); };
}

}  // namespace coracle::store::test
