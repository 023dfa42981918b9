// Making and unmaking the records behind envelopes.
#include "runtime/late_joiners.hpp"
#include "runtime/remote.hpp"

#include <memory>
#include <utility>

namespace coracle::detail {

constinit thread_local ParcelCache parcel_cache;

void ParcelCache::keep_up_to(std::uint32_t most) noexcept {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  most = 0;  // so that every use of a freed record is seen
#endif
  limit = most;
  while (count > limit) {
    --count;
    pool_free(std::exchange(first, first->next), sizeof(Parcel));
  }
}

Extras& extras_of(Parcel& parcel) {
  if (parcel.extras == nullptr) parcel.extras = new Extras;
  return *parcel.extras;
}

Parcel* clone_parcel(const Parcel& parcel) {
  // First: without memory for them there is no record that nobody would own.
  std::unique_ptr<Extras> extras;
  if (parcel.extras != nullptr) extras = std::make_unique<Extras>(*parcel.extras);
  Parcel* const copy = new_parcel();
  *copy = parcel;
  copy->next = copy->prev = nullptr;
  copy->extras = extras.release();
  clear_flag(*copy, claimed_flag);
  retain(copy->content);
  return copy;
}

Extension::Extension() = default;
Extension::~Extension() = default;

Party::~Party() {
  if (extension && extension->remote) {
    extension->remote->under_way.each(
        [](const UnderWay& message) { free_parcel(message.parcel); });
  }
  for (Parcel* list : {in_hand, waiting.first}) {
    while (list != nullptr) free_parcel(std::exchange(list, list->next));
  }
}

}  // namespace coracle::detail
