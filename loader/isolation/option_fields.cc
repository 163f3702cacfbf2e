#include "loader/isolation/option_fields.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fsload {
namespace {

using Value = TF_Filesystem_Option_Value_Union;

bool HasReadableValues(const TF_Filesystem_Option_Value& value) {
  return value.values != nullptr && value.num_values > 0 &&
         value.type_tag >= 0 && value.type_tag < TF_Filesystem_Num_Option_Types;
}

void PutValue(int type, const Value& value, FieldWriter& fields) {
  if (type != TF_Filesystem_Option_Type_Buffer) {
    // An integer or a real number, which are as long.
    static_assert(sizeof(value.int_val) == sizeof(value.real_val));
    fields.Number(static_cast<uint64_t>(value.int_val));
    return;
  }
  const char* const bytes = value.buffer_val.buf;
  const int length = value.buffer_val.buf_length;
  fields.Number(bytes == nullptr ? 0 : 1);
  fields.Number(static_cast<uint64_t>(length));
  fields.Text(bytes == nullptr || length <= 0
                  ? std::string_view()
                  : std::string_view(bytes, static_cast<size_t>(length)));
}

void TakeValue(int type, FieldReader& fields, const MemoryHooks& memory,
               Value& value) {
  if (type != TF_Filesystem_Option_Type_Buffer) {
    value.int_val = static_cast<int64_t>(fields.Number());
    return;
  }
  const bool has_bytes = fields.Bool();
  const auto length = static_cast<int>(fields.Number());
  const std::string_view bytes = fields.Text();
  value.buffer_val.buf_length = length;
  if (!has_bytes) return;
  value.buffer_val.buf = CopyText(memory, bytes);
  // No more than there is.
  value.buffer_val.buf_length =
      std::min(length, static_cast<int>(bytes.size()));
}

}  // namespace

void PutOption(const TF_Filesystem_Option& option, FieldWriter& fields) {
  fields.TextOrNull(option.name);
  fields.TextOrNull(option.description);
  fields.Number(static_cast<uint64_t>(option.per_file));
  fields.Number(option.value == nullptr ? 0 : 1);
  if (option.value == nullptr) return;
  const TF_Filesystem_Option_Value& value = *option.value;
  fields.Number(static_cast<uint64_t>(value.type_tag));
  fields.Number(static_cast<uint64_t>(value.num_values));
  fields.Number(value.values == nullptr ? 0 : 1);
  const int count = HasReadableValues(value) ? value.num_values : 0;
  fields.Number(static_cast<uint64_t>(count));
  for (int i = 0; i < count; ++i) {
    PutValue(value.type_tag, value.values[i], fields);
  }
}

void TakeOption(FieldReader& fields, const MemoryHooks& memory,
                TF_Filesystem_Option& option) {
  option.name = TakeTextOrNull(fields, memory);
  option.description = TakeTextOrNull(fields, memory);
  option.per_file = static_cast<int>(fields.Number());
  if (!fields.Bool()) return;
  option.value = AllocateZeroed<TF_Filesystem_Option_Value>(memory, 1);
  if (option.value == nullptr) return;
  TF_Filesystem_Option_Value& value = *option.value;
  value.type_tag = static_cast<int>(fields.Number());
  value.num_values = static_cast<int>(fields.Number());
  const bool has_values = fields.Bool();
  const uint64_t count = fields.Count(sizeof(uint64_t));
  if (!has_values) return;
  value.values = AllocateZeroed<Value>(memory, count + 1);
  if (!HasReadableValues(value)) return;
  // No more than there are, and none that a reader would not free.
  value.num_values = std::min(value.num_values, static_cast<int>(count));
  for (int i = 0; i < value.num_values; ++i) {
    TakeValue(value.type_tag, fields, memory, value.values[i]);
  }
}

char* CopyText(const MemoryHooks& memory, std::string_view text) {
  char* const copy = AllocateZeroed<char>(memory, text.size() + 1);
  if (copy != nullptr && !text.empty()) {
    std::memcpy(copy, text.data(), text.size());
  }
  return copy;
}

char* TakeTextOrNull(FieldReader& fields, const MemoryHooks& memory) {
  return fields.Bool() ? CopyText(memory, fields.Text()) : nullptr;
}

}  // namespace fsload
