// Reads the text that opens a realization: "central://lab:1?society=a&key=KEY,KEY", "sim:seed=4".
// Each realization has a table of the settings that it knows.
#pragma once

#include "coracle/errors.hpp"
#include "realizations/net/src/shown_setting.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::settings {

// A setting as a text gives it. `subject` begins the sentence about an error of it.
struct Given {
  std::string name, value;
  bool has_value = true;
  std::string subject = name;

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(Errc::bad_realization, subject + " " + why);
  }
  // Refuses the value or a part of it: "delivery is push, notify or poll, not 'pigeon'".
  [[noreturn]] void refuse(const std::string& needs, std::string_view part) const {
    refuse(needs + ", not " + net::shown_setting(part));
  }
  [[noreturn]] void refuse_unknown(const std::string& realization, const std::string& forms) const {
    throw Error(Errc::bad_realization, realization + ": does not know the setting " +
                                           net::shown_setting(name) + "; it knows " + forms);
  }
};

// A text in its parts: the scheme, the address if the text behind the scheme begins with "//", and
// the settings, which have a comma or "&" between them.
struct RealizationText {
  struct Item {
    char before;
    std::string_view text;
  };

  std::string_view scheme;
  std::optional<std::string_view> address;
  std::vector<Item> items;

  explicit RealizationText(std::string_view text)
      : RealizationText(text.substr(0, text.find(':')),
                        text.substr(std::min(text.find(':'), text.size() - 1) + 1)) {}
  RealizationText(std::string_view its_scheme, std::string_view behind_scheme)
      : scheme(its_scheme) {
    std::string_view rest = behind_scheme;
    const auto cut = [&rest](std::string_view ends) {
      const std::string_view begin = rest.substr(0, rest.find_first_of(ends));
      rest.remove_prefix(begin.size());
      return begin;
    };
    if (rest.starts_with("//")) address = cut("?").substr(2);
    char before = '?';
    if (rest.starts_with('?')) rest.remove_prefix(1);
    while (!rest.empty()) {
      items.push_back({before, cut(",&")});
      if (rest.empty()) break;
      before = rest.front();
      rest.remove_prefix(1);
    }
  }

  // Removes the first setting of that name, and returns its value.
  std::optional<std::string> take(std::string_view name) {
    const auto found = std::find_if(items.begin(), items.end(), [name](const Item& item) {
      return item.text.substr(0, item.text.find('=') + 1) == std::string(name) + "=";
    });
    if (found == items.end()) return std::nullopt;
    const std::string value(found->text.substr(name.size() + 1));
    items.erase(found);
    return value;
  }

  // Returns the settings. An item without "=" is part of the value before it if `joins` says so.
  using Joins = bool (*)(const Given& before, std::string_view item);
  std::vector<Given> settings(Joins joins = nullptr) const {
    std::vector<Given> found;
    for (const Item& item : items) {
      const std::size_t equals = std::min(item.text.find('='), item.text.size());
      const bool has_value = equals < item.text.size();
      if (!has_value && joins && !found.empty() && joins(found.back(), item.text)) {
        found.back().value += "," + std::string(item.text);
        continue;
      }
      found.push_back({.name = std::string(item.text.substr(0, equals)),
                       .value = std::string(item.text.substr(equals + has_value)),
                       .has_value = has_value});
    }
    return found;
  }

  // Returns the text behind the scheme.
  std::string behind_scheme() const {
    std::string text = address ? "//" + std::string(*address) : "";
    for (const Item& item : items) {
      if (&item != &items.front()) text += item.before;
      else if (address) text += '?';
      text += item.text;
    }
    return text;
  }
};

// A setting that a realization knows: "names=N", which errors show, and its reader, which fails
// with Errc::bad_realization.
template <class Options>
struct Setting {
  std::string_view form;
  void (*read)(Options& options, const Given& given);

  std::string_view name() const { return form.substr(0, form.find('=')); }
};

// Returns the table's setting of that name, or nullptr.
template <class Options, std::size_t count>
const Setting<Options>* find(const Setting<Options> (&table)[count], std::string_view name) {
  for (const Setting<Options>& known : table)
    if (known.name() == name) return &known;
  return nullptr;
}

// Reads the setting; returns false when the table does not have it.
template <class Options, std::size_t count>
bool take(Options& options, const Given& given, const Setting<Options> (&table)[count]) {
  const Setting<Options>* const known = find(table, given.name);
  if (known != nullptr) known->read(options, given);
  return known != nullptr;
}

// Returns the forms of all settings in these tables: "names=N, watches=N and record=FILE".
template <class... Tables>
std::string forms_of(const Tables&... tables) {
  std::string forms;
  const auto add = [&forms](const auto& table) {
    for (const auto& known : table) forms += ", " + std::string(known.form);
  };
  (add(tables), ...);
  return forms.replace(forms.rfind(", "), 2, " and ").substr(2);
}

// The reader of a setting that is yes or no.
template <auto member, class Options>
void yes_or_no(Options& options, const Given& given) {
  if (given.value != "yes" && given.value != "no") given.refuse("is yes or no", given.value);
  options.*member = given.value == "yes";
}

// Returns the number, if it is one from `least` to `most`.
inline std::optional<std::uint64_t> whole(std::string_view digits, std::uint64_t least,
                                          std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, value);
  if (error != std::errc() || end != last || value < least || value > most) return std::nullopt;
  return value;
}

// Returns the number in `digits`, which are the value of the setting or a part of it.
inline std::uint64_t number(const Given& given, std::string_view digits, std::uint64_t least,
                            std::uint64_t most) {
  if (const auto value = whole(digits, least, most)) return *value;
  given.refuse("needs a number from " + std::to_string(least) + " to " + std::to_string(most),
               digits);
}

// A unit of times or sizes: its size in the smallest unit, and the largest number with it.
struct Unit {
  std::string_view name;
  std::uint64_t size = 0, most = 0;
};

// Separates "20ms"; the unit has the size 0 when it is none of the units.
struct Amount {
  std::string_view digits;
  Unit unit;

  Amount(std::string_view text, std::initializer_list<Unit> units) {
    digits = text.substr(0, text.find_first_not_of("0123456789"));
    const std::string_view name = text.substr(digits.size());
    for (const Unit& each : units)
      if (each.name == name) unit = each;
  }
};

}  // namespace coracle::settings
