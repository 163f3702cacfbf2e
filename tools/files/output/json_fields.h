// The fields of an object that --json prints. Kept apart from the JSON library,
// which takes long to compile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fsload {

struct JsonField;

// In printing order. A value; copies share nothing.
using JsonFields = std::vector<JsonField>;

struct JsonField {
  // The first is null, for what is unknown; the last two are arrays.
  using Value =
      std::variant<std::monostate, bool, int64_t, uint64_t, std::string,
                   std::vector<std::string>, std::vector<JsonFields>>;

  template <typename T>
  JsonField(std::string_view name, T value)
      : name(name), value(ValueOf(std::move(value))) {}

  std::string name;
  Value value;

 private:
  // Returns text of any kind becomes a string, and an integer of any width 64
  // bits.
  template <typename T>
  static Value ValueOf(T value) {
    if constexpr (std::is_convertible_v<T, std::string_view>) {
      return std::string(std::string_view(value));
    } else if constexpr (std::is_same_v<T, bool> || !std::is_integral_v<T>) {
      return value;
    } else if constexpr (std::is_signed_v<T>) {
      return int64_t{value};
    } else {
      return uint64_t{value};
    }
  }
};

}  // namespace fsload
