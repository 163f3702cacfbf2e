#include "core/file_system/configuration.h"

#include <climits>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/calls/plugin_call.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr std::string_view kWanted = "named options with values";

using CUnion = TF_Filesystem_Option_Value_Union;

// Frees what one option points to.
void FreeParts(const TF_Filesystem_Option& option, void (*free)(void*)) {
  const auto free_if_set = [free](void* memory) {
    if (memory != nullptr) free(memory);
  };
  free_if_set(option.name);
  free_if_set(option.description);
  TF_Filesystem_Option_Value* const value = option.value;
  if (value == nullptr) return;
  const bool buffers = value->values != nullptr &&
                       value->type_tag == TF_Filesystem_Option_Type_Buffer;
  for (int i = 0; buffers && i < value->num_values; ++i) {
    free_if_set(value->values[i].buffer_val.buf);
  }
  free_if_set(value->values);
  free(value);
}

template <typename T, typename Convert>
std::vector<T> ConvertEach(const TF_Filesystem_Option_Value& value,
                           Convert convert) {
  std::vector<T> converted;
  for (int i = 0; i < value.num_values; ++i) {
    converted.push_back(convert(value.values[i]));
  }
  return converted;
}

// What is wrong with `option`; "" if nothing.
std::string Problem(const TF_Filesystem_Option& option) {
  if (option.name == nullptr) return "an option without a name";
  const TF_Filesystem_Option_Value* const value = option.value;
  if (value == nullptr) {
    return Format("option '{}' without a value", option.name);
  }
  if (value->type_tag < 0 ||
      value->type_tag >= TF_Filesystem_Num_Option_Types) {
    return Format("option '{}' of type {}, where 0 to 2 are known", option.name,
                  value->type_tag);
  }
  if (value->num_values < 0 ||
      (value->values == nullptr && value->num_values > 0)) {
    return Format("option '{}' with {} values in {} array", option.name,
                  value->num_values,
                  value->values == nullptr ? "a null" : "an");
  }
  if (value->type_tag != TF_Filesystem_Option_Type_Buffer) return "";
  for (int i = 0; i < value->num_values; ++i) {
    const auto& buffer = value->values[i].buffer_val;
    if (buffer.buf_length < 0 ||
        (buffer.buf == nullptr && buffer.buf_length > 0)) {
      return Format("option '{}' with {} bytes in {} buffer", option.name,
                    buffer.buf_length, buffer.buf == nullptr ? "a null" : "a");
    }
  }
  return "";
}

ConfigurationValues Values(const TF_Filesystem_Option_Value& value) {
  switch (value.type_tag) {
    case TF_Filesystem_Option_Type_Int:
      return ConvertEach<int64_t>(
          value, [](const CUnion& each) { return each.int_val; });
    case TF_Filesystem_Option_Type_Real:
      return ConvertEach<double>(
          value, [](const CUnion& each) { return each.real_val; });
    default:
      return ConvertEach<std::string>(value, [](const CUnion& each) {
        return each.buffer_val.buf_length == 0
                   ? std::string()
                   : std::string(each.buffer_val.buf,
                                 each.buffer_val.buf_length);
      });
  }
}

// Zeroed memory from a plugin's allocator. Null, with an error, if it returns
// none.
class Allocator {
 public:
  explicit Allocator(const MemoryHooks& memory) : memory_(memory) {}

  template <typename T>
  T* New(size_t count) {
    void* const memory = memory_.allocate(count * sizeof(T));
    if (memory == nullptr) {
      failed_ = true;
      return nullptr;
    }
    return static_cast<T*>(std::memset(memory, 0, count * sizeof(T)));
  }

  // A null-terminated copy of `text`.
  char* Copy(std::string_view text) {
    char* const copy = New<char>(text.size() + 1);
    if (copy != nullptr) std::memcpy(copy, text.data(), text.size());
    return copy;
  }

  bool failed() const { return failed_; }

 private:
  const MemoryHooks& memory_;
  bool failed_ = false;
};

void Put(int64_t value, Allocator&, CUnion& out) { out.int_val = value; }
void Put(double value, Allocator&, CUnion& out) { out.real_val = value; }
void Put(const std::string& value, Allocator& allocator, CUnion& out) {
  out.buffer_val.buf = allocator.Copy(value);
  out.buffer_val.buf_length = static_cast<int>(value.size());
}

void PutValues(const ConfigurationOption& option, Allocator& allocator,
               TF_Filesystem_Option& out) {
  out.value = allocator.New<TF_Filesystem_Option_Value>(1);
  if (out.value == nullptr) return;
  // The variant's alternatives are in the order of the type tags.
  out.value->type_tag = static_cast<int>(option.values.index());
  std::visit(
      [&](const auto& values) {
        out.value->values = allocator.New<CUnion>(values.size() + 1);
        if (out.value->values == nullptr) return;
        for (const auto& value : values) {
          Put(value, allocator, out.value->values[out.value->num_values++]);
        }
      },
      option.values);
}

bool HasOnlyIntSizes(const ConfigurationOption& option) {
  const auto* const strings =
      std::get_if<std::vector<std::string>>(&option.values);
  for (size_t i = 0; strings != nullptr && i < strings->size(); ++i) {
    if ((*strings)[i].size() > INT_MAX) return false;
  }
  return std::visit([](const auto& values) { return values.size() < INT_MAX; },
                    option.values);
}

absl::Status CheckOption(Op op, const ConfigurationOption& option) {
  if (option.name.find('\0') != std::string::npos) {
    return NullByteIn(op, "name", option.name);
  }
  if (option.description.find('\0') != std::string::npos) {
    return NullByteIn(op, "description", option.description);
  }
  if (HasOnlyIntSizes(option)) return absl::OkStatus();
  return absl::InvalidArgumentError(CallMessage(
      op, option.name,
      Format("wanted fewer than {} values and bytes, found more; the "
             "interface counts them in an int",
             INT_MAX)));
}

}  // namespace

PluginOptions::~PluginOptions() {
  if (array == nullptr) return;
  CallStatus ignored(tables_.status);
  CallPlugin(ignored, [&] {
    for (int i = 0; i < count; ++i) FreeParts(array[i], tables_.memory.free);
    tables_.memory.free(array);
  });
}

absl::StatusOr<std::vector<ConfigurationOption>> PluginOptions::Take(
    Op op, std::string_view uri) const {
  if (count < 0 || (array == nullptr && count > 0)) {
    return Unusable(op, uri, kWanted,
                    Format("{} options in {} array", count,
                           array == nullptr ? "a null" : "an"));
  }
  std::vector<ConfigurationOption> options;
  for (int i = 0; i < count; ++i) {
    const std::string problem = Problem(array[i]);
    if (!problem.empty()) return Unusable(op, uri, kWanted, problem);
    options.push_back(
        {array[i].name,
         array[i].description == nullptr ? "" : array[i].description,
         array[i].per_file != 0, Values(*array[i].value)});
  }
  return options;
}

absl::Status HostOptions::Fill(Op op,
                               const std::vector<ConfigurationOption>& options,
                               HostOptions& filled) {
  for (const ConfigurationOption& option : options) {
    const absl::Status status = CheckOption(op, option);
    if (!status.ok()) return status;
  }
  PluginOptions& out = filled.options_;
  Allocator allocator(out.memory());
  out.array = allocator.New<TF_Filesystem_Option>(options.size() + 1);
  for (size_t i = 0; out.array != nullptr && i < options.size(); ++i) {
    TF_Filesystem_Option& option = out.array[out.count++];
    option.name = allocator.Copy(options[i].name);
    option.description = allocator.Copy(options[i].description);
    option.per_file = options[i].per_file ? 1 : 0;
    PutValues(options[i], allocator, option);
  }
  if (!allocator.failed()) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      CallMessage(op, "", "plugin_memory_allocate returned null"));
}

absl::StatusOr<std::vector<std::string>> KeysIn(const PluginText& block,
                                                int count, Op op,
                                                std::string_view uri) {
  if (count < 0 || (block.text == nullptr && count > 0)) {
    return Unusable(op, uri, "a block of names",
                    Format("{} keys in {} block", count,
                           block.text == nullptr ? "a null" : "a"));
  }
  std::vector<std::string> keys;
  for (const char* next = block.text; keys.size() < static_cast<size_t>(count);
       next += keys.back().size() + 1) {
    keys.emplace_back(next);
  }
  return keys;
}

}  // namespace fsload
