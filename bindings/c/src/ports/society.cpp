// Groups, eavesdropping, and the directory.
#include "base/convert.hpp"
#include "operation.hpp"

using namespace coracle;
using namespace coracle::c;

namespace {

const EntriesObject::One& entry_of(const EntriesObject& entries, std::size_t number) {
  if (number >= entries.all.size())
    fail_argument("this list of entries has no entry of that number; they count from 0");
  return entries.all[number];
}

coracle_property property_of(const std::pair<std::string, Value>& from) {
  coracle_property property{};
  property.key = from.first.c_str();
  if (const auto* const truth = std::get_if<bool>(&from.second)) {
    property.kind = CORACLE_BOOLEAN;
    property.integer = *truth;
  } else if (const auto* const whole = std::get_if<std::int64_t>(&from.second)) {
    property.kind = CORACLE_INTEGER;
    property.integer = *whole;
  } else if (const auto* const number = std::get_if<double>(&from.second)) {
    property.kind = CORACLE_NUMBER;
    property.number = *number;
  } else {
    property.kind = CORACLE_TEXT;
    property.text = std::get<std::string>(from.second).c_str();
  }
  return property;
}

}  // namespace

coracle_error* coracle_join(coracle_port* port, const char* group, size_t last,
                            const coracle_begin* begin) {
  return guarded([&] {
    const Operation::Work join = [group = Group(Name(text_of(group, "coracle_join: `group`"))),
                                  last](Agent* me, Operation&) -> Task<> {
      Task<> joining = last == 0 ? me->join(group) : me->join(group, Last{last});
      co_await joining;
    };
    (void)operate(object_of<PortObject>(port), begin, nullptr, join);
  });
}

coracle_error* coracle_leave(coracle_port* port, const char* group, const coracle_begin* begin) {
  return guarded([&] {
    const Operation::Work leave = [group = Group(Name(text_of(group, "coracle_leave: `group`")))](
                                      Agent* me, Operation&) -> Task<> {
      Task<> leaving = me->leave(group);
      co_await leaving;
    };
    (void)operate(object_of<PortObject>(port), begin, nullptr, leave);
  });
}

coracle_error* coracle_members(coracle_port* port, const char* group, coracle_entries** out,
                               const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const Operation::Work look = [group = Group(Name(text_of(group, "coracle_members: `group`")))](
                                     Agent* me, Operation& self) -> Task<> {
      Task<std::vector<Name>> looking = me->members(group);
      const std::vector<Name> members = co_await looking;
      auto& entries = self.result.emplace<std::vector<EntriesObject::One>>();
      for (const Name& member : members) entries.push_back({member.str(), {}});
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, look);
    if (done) *out = done->take_entries();
  });
}

coracle_error* coracle_overhear(coracle_port* port, const coracle_pattern* given, uint64_t* tap,
                                const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, tap);
    const coracle_pattern options = options_of(given, "coracle_pattern");
    const Operation::Work overhear = [pattern = pattern_of(options), how = tap_options_of(options)](
                                         Agent* me, Operation& self) -> Task<> {
      Task<Tap> overhearing = me->overhear(pattern, how);
      const Tap opened = co_await overhearing;
      self.number = opened.id;
    };
    const auto done = operate(object_of<PortObject>(port), begin, tap, overhear);
    if (done) *tap = done->number;
  });
}

coracle_error* coracle_stop_overhearing(coracle_port* port, uint64_t tap,
                                        const coracle_begin* begin) {
  return guarded([&] {
    const Operation::Work stop = [tap = Tap{tap}](Agent* me, Operation&) -> Task<> {
      Task<> stopping = me->stop_overhearing(tap);
      co_await stopping;
    };
    (void)operate(object_of<PortObject>(port), begin, nullptr, stop);
  });
}

coracle_error* coracle_describe(coracle_port* port, const coracle_property* properties,
                                size_t count, const coracle_begin* begin) {
  return guarded([&] {
    const Operation::Work describe = [all = properties_of(properties, count)](
                                         Agent* me, Operation&) -> Task<> {
      Task<> describing = me->describe(all);
      co_await describing;
    };
    (void)operate(object_of<PortObject>(port), begin, nullptr, describe);
  });
}

coracle_error* coracle_search(coracle_port* port, const coracle_query* query, coracle_entries** out,
                              const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const Operation::Work search = [query = query_of(query)](Agent* me, Operation& self) -> Task<> {
      Task<std::vector<Entry>> searching = me->search(query);
      std::vector<Entry> found = co_await searching;
      auto& entries = self.result.emplace<std::vector<EntriesObject::One>>();
      for (Entry& entry : found) entries.push_back({entry.name.str(), std::move(entry.properties)});
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, search);
    if (done) *out = done->take_entries();
  });
}

coracle_error* coracle_entries_count(const coracle_entries* entries, size_t* out) {
  return guarded([&] {
    require_place(nullptr, out);
    *out = object_of<EntriesObject>(entries)->all.size();
  });
}

coracle_error* coracle_entries_at(const coracle_entries* entries, size_t number, const char** name,
                                  size_t* property_count) {
  return guarded([&] {
    const auto object = object_of<EntriesObject>(entries);
    const EntriesObject::One& entry = entry_of(*object, number);
    if (name != nullptr) *name = entry.name.c_str();
    if (property_count != nullptr) *property_count = entry.properties.all().size();
  });
}

coracle_error* coracle_entries_property(const coracle_entries* entries, size_t number,
                                        size_t property, coracle_property* out) {
  return guarded([&] {
    require_place(nullptr, out);
    const auto object = object_of<EntriesObject>(entries);
    const auto& all = entry_of(*object, number).properties.all();
    if (property >= all.size())
      fail_argument("this entry has no property of that number; they count from 0");
    *out = property_of(all[property]);
  });
}

void coracle_entries_free(coracle_entries* entries) {
  coracle_error_free(guarded([&] { (void)remove_handle<EntriesObject>(entries); }));
}

coracle_error* coracle_watch(coracle_port* port, const char* name, coracle_end_reason* out,
                             const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const Operation::Work watch = [name = Name(text_of(name, "coracle_watch: `name`"))](
                                      Agent* me, Operation& self) -> Task<> {
      Task<Ending> watching = me->watch(name);
      const Ending ending = co_await watching;
      self.number = static_cast<std::uint64_t>(ending.reason);
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, watch);
    if (done) *out = static_cast<coracle_end_reason>(done->number);
  });
}
