// Copies of options: those that a host hands over, and those that it is given.
#ifndef FSLOAD_PLUGIN_SDK_OPTION_COPIES_H_
#define FSLOAD_PLUGIN_SDK_OPTION_COPIES_H_

#include <climits>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/memory.h"
#include "fsload/plugin_sdk/options.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

// Returns a copy of an option that a host hands over (L864).
inline Option TakeOption(const TF_Filesystem_Option& from) {
  Option option;
  option.name = from.name;
  option.description = from.description == nullptr ? "" : from.description;
  option.per_file = from.per_file != 0;
  option.type = static_cast<TF_Filesystem_Option_Type>(from.value->type_tag);
  for (int i = 0; i < from.value->num_values; ++i) {
    const TF_Filesystem_Option_Value_Union& value = from.value->values[i];
    if (option.type == TF_Filesystem_Option_Type_Int) {
      option.ints.push_back(value.int_val);
    } else if (option.type == TF_Filesystem_Option_Type_Real) {
      option.reals.push_back(value.real_val);
    } else {
      option.buffers.emplace_back(
          value.buffer_val.buf,
          static_cast<size_t>(value.buffer_val.buf_length));
    }
  }
  return option;
}

inline void FreeOption(TF_Filesystem_Option* option) {
  TF_Filesystem_Option_Value* const value = option->value;
  if (value != nullptr && value->values != nullptr &&
      value->type_tag == TF_Filesystem_Option_Type_Buffer) {
    for (int i = 0; i < value->num_values; ++i) {
      Free(value->values[i].buffer_val.buf);
    }
  }
  if (value != nullptr) Free(value->values);
  Free(value);
  Free(option->name);
  Free(option->description);
}

inline void FreeOptions(TF_Filesystem_Option* options, size_t count) {
  for (size_t i = 0; i < count; ++i) FreeOption(&options[i]);
  Free(options);
}

inline bool GiveValue(int64_t value, TF_Filesystem_Option_Value_Union* to) {
  to->int_val = value;
  return true;
}
inline bool GiveValue(double value, TF_Filesystem_Option_Value_Union* to) {
  to->real_val = value;
  return true;
}
inline bool GiveValue(const std::string& value,
                      TF_Filesystem_Option_Value_Union* to) {
  to->buffer_val.buf = CopyString(value);
  to->buffer_val.buf_length = static_cast<int>(value.size());
  return to->buffer_val.buf != nullptr && value.size() <= INT_MAX;
}

template <typename T>
bool GiveValues(const std::vector<T>& values, TF_Filesystem_Option_Value* to) {
  to->values = AllocateArray<TF_Filesystem_Option_Value_Union>(values.size());
  if (to->values == nullptr || values.size() > INT_MAX) return false;
  to->num_values = static_cast<int>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (!GiveValue(values[i], &to->values[i])) return false;
  }
  return true;
}

// Fills in `to`, which is zeroed. False if out of memory; FreeOption then frees
// what there is.
inline bool GiveOption(const Option& option, TF_Filesystem_Option* to) {
  to->name = CopyString(option.name);
  to->description = CopyString(option.description);
  to->per_file = option.per_file ? 1 : 0;
  to->value = AllocateArray<TF_Filesystem_Option_Value>(0);
  if (to->name == nullptr || to->description == nullptr ||
      to->value == nullptr) {
    return false;
  }
  to->value->type_tag = option.type;
  switch (option.type) {
    case TF_Filesystem_Option_Type_Int:
      return GiveValues(option.ints, to->value);
    case TF_Filesystem_Option_Type_Real:
      return GiveValues(option.reals, to->value);
    default:
      return GiveValues(option.buffers, to->value);
  }
}

// Returns copies of `options` for the host to free; null if out of memory.
inline TF_Filesystem_Option* GiveOptions(const std::vector<Option>& options) {
  auto* const given = AllocateArray<TF_Filesystem_Option>(options.size());
  for (size_t i = 0; given != nullptr && i < options.size(); ++i) {
    if (GiveOption(options[i], &given[i])) continue;
    FreeOptions(given, i + 1);
    return nullptr;
  }
  return given;
}

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_OPTION_COPIES_H_
