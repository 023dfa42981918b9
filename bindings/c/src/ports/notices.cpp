// Notices of the tuples that come to a space.
#include "base/convert.hpp"
#include "base/fields.hpp"
#include "operation.hpp"

#include <chrono>

using namespace coracle;
using namespace coracle::c;

namespace {

// The time for which the end of notices waits for a space that may have gone.
constexpr Duration patience = std::chrono::seconds(1);

detail::FieldNotices& notices_of(PortNotices& notices, std::uint64_t number) {
  const auto found = notices.all.find(number);
  if (found == notices.all.end())
    fail_argument("this port has no notices of that number; coracle_tuple_notify() gives it");
  return found->second;
}

}  // namespace

coracle_error* coracle_tuple_notify(coracle_port* port, const char* space,
                                    const coracle_field* pattern, size_t count, coracle_span lease,
                                    uint64_t* notices, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, notices);
    if (lease < 0) fail_argument("coracle_tuple_notify: the lease is negative");
    const bool is_for_ever = lease == 0 || lease == CORACLE_NEVER;
    const PortPtr object = object_of<PortObject>(port);
    const Operation::Work notify = [name = std::string(text_of(space, "the name of the space")),
                                    fields = fields_of(pattern, count),
                                    span = is_for_ever ? Lease() : Lease{Duration(lease)},
                                    all = object->notices()](Agent* me, Operation& self) -> Task<> {
      Space at(*me, name);
      Task<detail::FieldNotices> listening = detail::SpaceAccess::listen(at, span, fields);
      detail::FieldNotices begun = co_await listening;
      self.number = ++all->last;
      all->all.emplace(self.number, std::move(begun));
    };
    const auto done = operate(object, begin, notices, notify);
    if (done) *notices = done->number;
  });
}

coracle_error* coracle_tuple_next(coracle_port* port, uint64_t notices, coracle_span longest,
                                  coracle_tuple** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const PortPtr object = object_of<PortObject>(port);
    const Operation::Work next = [notices, all = object->notices(), until = limit_of(longest)](
                                     Agent* me, Operation& self) -> Task<> {
      detail::ReceivingUntil receiving = me->receive(notices_of(*all, notices).wanted(), until);
      const detail::MayBeCalledOff may(self, [&receiving] { receiving.call_off(); });
      std::optional<Message> message = co_await receiving;
      if (message) self.result = notices_of(*all, notices).fields_of(*message);
    };
    const auto done = operate(object, begin, out, next);
    if (done) *out = done->take_tuple();
  });
}

coracle_error* coracle_tuple_missed(coracle_port* port, uint64_t notices, uint64_t* out,
                                    const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const PortPtr object = object_of<PortObject>(port);
    const Operation::Work count = [notices, all = object->notices()](Agent*,
                                                                     Operation& self) -> Task<> {
      self.number = notices_of(*all, notices).missed();
      co_return;
    };
    const auto done = operate(object, begin, out, count);
    if (done) *out = done->number;
  });
}

coracle_error* coracle_tuple_unnotify(coracle_port* port, uint64_t notices,
                                      const coracle_begin* begin) {
  return guarded([&] {
    const PortPtr object = object_of<PortObject>(port);
    const Operation::Work end = [notices, all = object->notices()](Agent* me,
                                                                   Operation&) -> Task<> {
      detail::FieldNotices ended = notices_of(*all, notices);
      all->all.erase(notices);
      Task<> ending = ended.end(Deadline(patience));
      co_await ending;
      while (std::optional<Message> message = me->try_receive(ended.wanted())) message->consume();
    };
    (void)operate(object, begin, nullptr, end);
  });
}
