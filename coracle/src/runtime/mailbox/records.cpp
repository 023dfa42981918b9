// Makes and frees the records behind envelopes.
#include "runtime/groups/late_joiners.hpp"
#include "runtime/remote/remote.hpp"

#include <memory>
#include <utility>

namespace coracle::detail {

[[gnu::tls_model("initial-exec")]] constinit thread_local RecordCache record_cache;

void RecordCache::keep_up_to(std::uint32_t most) noexcept {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  most = 0;  // so that the sanitizer sees every use of a freed record
#endif
  limit = most;
  while (count > limit) {
    --count;
    pool_free(std::exchange(first, first->next), sizeof(MessageRecord));
  }
}

OptionalFields& fields_of(MessageRecord& record) {
  if (record.fields == nullptr) record.fields = new OptionalFields;
  return *record.fields;
}

MessageRecord* clone_record(const MessageRecord& record) {
  // The fields come first: if there is no memory for them, no record exists that nobody owns.
  std::unique_ptr<OptionalFields> fields;
  if (record.fields != nullptr) fields = std::make_unique<OptionalFields>(*record.fields);
  MessageRecord* const copy = new_record();
  *copy = record;
  copy->next = copy->prev = nullptr;
  copy->fields = fields.release();
  clear_flag(*copy, claimed_flag);
  retain(copy->content);
  return copy;
}

Extension::Extension() = default;
Extension::~Extension() = default;

Mailbox::~Mailbox() {
  if (extension && extension->remote) {
    extension->remote->under_way.each([](const UnderWay& message) { free_record(message.record); });
  }
  for (MessageRecord* list : {in_hand, waiting.first}) {
    while (list != nullptr) free_record(std::exchange(list, list->next));
  }
}

}  // namespace coracle::detail
