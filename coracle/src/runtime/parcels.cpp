// Making and unmaking the records behind envelopes.
#include "runtime/party.hpp"

#include <cassert>
#include <new>

namespace coracle::detail {

Parcel* new_parcel() { return ::new (pool_allocate(sizeof(Parcel))) Parcel{}; }

void free_parcel(Parcel* parcel) noexcept {
  drop(parcel->content);
  delete parcel->extras;
  pool_free(parcel, sizeof(Parcel));
}

Extras& extras_of(Parcel& parcel) {
  if (parcel.extras == nullptr) parcel.extras = new Extras;
  return *parcel.extras;
}

Parcel* clone_parcel(const Parcel& parcel) {
  Parcel* const copy = new_parcel();
  *copy = parcel;
  copy->next = copy->prev = nullptr;
  clear_flag(*copy, claimed_flag);
  retain(copy->content);
  if (parcel.extras != nullptr) copy->extras = new Extras(*parcel.extras);
  return copy;
}

Party::~Party() {
  Parcel* held = in_hand;
  if (held != nullptr) held->prev->next = nullptr;
  while (held != nullptr) free_parcel(std::exchange(held, held->next));
}

}  // namespace coracle::detail
