// Messages that the program has received.
#include "base/convert.hpp"
#include "base/shown.hpp"
#include "coracle/message_kind.hpp"

using namespace coracle;
using namespace coracle::c;

namespace {

const char* kept(std::string& place, std::string_view text) {
  if (place.empty()) place = text;
  return place.c_str();
}

// The enumerations of C have zero for what is not there.
template <class To, class From>
To after_none(From value) noexcept {
  return static_cast<To>(static_cast<int>(value) + 1);
}

void describe_overheard(MessageObject& object, coracle_message_info& filled) {
  const Message& read = object.message;
  if (read.gap() != 0) filled.gap_reason = after_none<coracle_gap_reason>(read.gap_reason());
  filled.copied_kind = static_cast<coracle_copied_kind>(copied_kind(read));
  const std::optional<Notice> notice = read.notice();
  if (!notice) return;
  filled.receiver = kept(object.receiver, notice->receiver.view());
  filled.notice = after_none<coracle_notice>(notice->stage);
  if (notice->outcome) filled.outcome = after_none<coracle_outcome>(*notice->outcome);
  if (notice->drop_reason)
    filled.drop_reason = after_none<coracle_drop_reason>(*notice->drop_reason);
}

static_assert(static_cast<int>(GapReason::unknown) + 1 == CORACLE_GAP_UNKNOWN);
static_assert(static_cast<int>(NoticeStage::ended) + 1 == CORACLE_NOTICE_ENDED);
static_assert(static_cast<int>(Outcome::store_lost) + 1 == CORACLE_OUTCOME_STORE_LOST);
static_assert(static_cast<int>(DropReason::receiver_gone) + 1 == CORACLE_DROPPED_RECEIVER_GONE);
static_assert(static_cast<int>(MessageKind::failure) == CORACLE_COPIED_FAILURE);

// Does something that the message's worker must know of. Nobody picks afterwards: a collector may
// free the message.
template <class Act>
void settle(const MessageObject& object, const Act& act) {
  const NodePtr node = object.node;
  std::exception_ptr error;
  const auto caught = [&] {
    try {
      act();
    } catch (...) {
      error = std::current_exception();
    }
  };
  if (!detail::FromOutside::at_once(*node->node, std::ref(caught))) act();
  if (error) std::rethrow_exception(error);
}

}  // namespace

coracle_error* coracle_message_read(const coracle_message* message, coracle_message_info* info) {
  return guarded([&] {
    if (info == nullptr) fail_argument("coracle_message_read: `info` is NULL");
    if (info->size < sizeof(std::size_t))
      fail_argument("coracle_message_info: the field `size` is not set; use CORACLE_INIT");
    const Reading object(message);
    const Message& read = object->message;
    coracle_message_info filled{};
    filled.size = info->size;
    object->has_texts = true;
    filled.source = kept(object->source, read.source().name().view());
    filled.target = kept(object->target, read.target().view());
    filled.type = kept(object->type, read.content().type());
    filled.reply_to = kept(object->reply_to, read.reply_to().name().view());
    const auto bytes = read.text();
    filled.content = bytes.data();
    filled.content_size = bytes.size();
    filled.conversation = read.conversation();
    filled.sequence = read.sequence();
    filled.tap = read.tap();
    filled.gap = read.gap();
    filled.is_request = read.is_request();
    filled.redelivered = read.redelivered();
    filled.earlier = read.earlier();
    if (read.overheard()) describe_overheard(*object, filled);
    std::memcpy(static_cast<void*>(info), &filled, std::min(info->size, sizeof(filled)));
  });
}

coracle_error* coracle_message_content(const coracle_message* message, const void** content,
                                       size_t* size) {
  return guarded([&] {
    if (content == nullptr || size == nullptr)
      fail_argument("coracle_message_content: `content` or `size` is NULL");
    const auto bytes = Reading(message)->message.text();
    *content = bytes.data();
    *size = bytes.size();
  });
}

coracle_error* coracle_message_header(const coracle_message* message, const char* key,
                                      const char** out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_message_header: `out` is NULL");
    *out = nullptr;
    const std::string_view wanted = text_of(key, "coracle_message_header: `key`");
    for (const auto& [name, value] : Reading(message)->message.headers()) {
      if (name != wanted) continue;
      *out = value.c_str();
      return;
    }
  });
}

coracle_error* coracle_message_header_at(const coracle_message* message, size_t number,
                                         const char** key, const char** value) {
  return guarded([&] {
    if (key == nullptr || value == nullptr)
      fail_argument("coracle_message_header_at: `key` or `value` is NULL");
    const auto& headers = Reading(message)->message.headers();
    const bool is_there = number < headers.size();
    *key = is_there ? headers[number].first.c_str() : nullptr;
    *value = is_there ? headers[number].second.c_str() : nullptr;
  });
}

coracle_error* coracle_message_acknowledge(coracle_message* message) {
  return guarded([&] {
    const Reading object(message);
    settle(*object, [&] { object->message.acknowledge(); });
  });
}

coracle_error* coracle_message_keep(coracle_message* message) {
  return guarded([&] { Reading(message)->message.keep(); });
}

coracle_error* coracle_message_give_back(coracle_message* message) {
  return guarded([&] {
    const Reading object(message);
    settle(*object, [&] { object->message.give_back(); });
    if (!object.is_shown()) (void)remove_handle<MessageObject>(message);
  });
}

void coracle_message_free(coracle_message* message) {
  coracle_error_free(guarded([&] {
    auto removed = remove_handle<MessageObject>(message);  // not one that is shown
    if (removed) settle(*removed, [&] { removed.reset(); });
  }));
}
