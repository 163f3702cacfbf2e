#include "testdata/memory/configuration.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "testdata/memory/filesystem.h"
#include "testdata/plugin_memory.h"

namespace memory_plugin {
namespace {

using Lock = std::lock_guard<std::mutex>;
using Union = TF_Filesystem_Option_Value_Union;

template <typename Options>
auto FindByName(Options& options, const std::string& name) {
  return std::find_if(options.begin(), options.end(),
                      [&](const Option& each) { return each.name == name; });
}

void Take(const Union& from, int64_t* value) { *value = from.int_val; }
void Take(const Union& from, double* value) { *value = from.real_val; }
void Take(const Union& from, std::string* value) {
  value->assign(from.buffer_val.buf, from.buffer_val.buf_length);
}

// Copies the values, as the caller keeps what it passed (L864).
void TakeValues(const TF_Filesystem_Option_Value& from, Option* option) {
  std::visit(
      [&](auto& values) {
        values.resize(from.num_values);
        for (int i = 0; i < from.num_values; ++i) {
          Take(from.values[i], &values[i]);
        }
      },
      option->values);
}

void Give(int64_t value, Union* to) { to->int_val = value; }
void Give(double value, Union* to) { to->real_val = value; }
void Give(const std::string& value, Union* to) {
  to->buffer_val.buf = plugin_memory::CopyString(value);
  to->buffer_val.buf_length = static_cast<int>(value.size());
}

template <typename T>
T* AllocateArray(size_t count) {
  return static_cast<T*>(plugin_memory::Allocate(count * sizeof(T)));
}

// Like `new`, ends the process if out of memory.
void GiveOption(const Option& option, TF_Filesystem_Option* to) {
  to->name = plugin_memory::CopyString(option.name);
  to->description = plugin_memory::CopyString(option.description);
  to->per_file = option.per_file ? 1 : 0;
  to->value = AllocateArray<TF_Filesystem_Option_Value>(1);
  to->value->type_tag = static_cast<int>(option.values.index());
  std::visit(
      [&](const auto& values) {
        to->value->num_values = static_cast<int>(values.size());
        to->value->values = AllocateArray<Union>(values.size() + 1);
        for (size_t i = 0; i < values.size(); ++i) {
          Give(values[i], &to->value->values[i]);
        }
      },
      option.values);
}

}  // namespace

std::vector<Option> Configuration::All() const {
  const Lock lock(mutex_);
  return options_;
}

TF_Code Configuration::Get(const std::string& name, Option* option) const {
  const Lock lock(mutex_);
  const auto found = FindByName(options_, name);
  if (found == options_.end()) return TF_NOT_FOUND;
  *option = *found;
  return TF_OK;
}

TF_Code Configuration::Set(const TF_Filesystem_Option* options, int count) {
  const Lock lock(mutex_);
  std::vector<Option> changed = options_;
  for (int i = 0; i < count; ++i) {
    const auto option = FindByName(changed, options[i].name);
    if (option == changed.end()) return TF_NOT_FOUND;
    const TF_Filesystem_Option_Value& value = *options[i].value;
    if (value.type_tag != static_cast<int>(option->values.index())) {
      return TF_INVALID_ARGUMENT;
    }
    TakeValues(value, &*option);
  }
  options_ = std::move(changed);
  return TF_OK;
}

namespace {

Configuration& Of(const TF_Filesystem* filesystem) {
  return Self(filesystem)->configuration;
}

void SetStatus(TF_Code code, TF_Status* status) {
  TF_SetStatus(status, code,
               code == TF_OK ? ""
               : code == TF_NOT_FOUND
                   ? "no such option"
                   : "the option's values have another type");
}

void GetConfiguration(const TF_Filesystem* filesystem,
                      TF_Filesystem_Option** options, int* num_options,
                      TF_Status* status) {
  const std::vector<Option> all = Of(filesystem).All();
  *options = AllocateArray<TF_Filesystem_Option>(all.size());
  for (size_t i = 0; i < all.size(); ++i) GiveOption(all[i], &(*options)[i]);
  *num_options = static_cast<int>(all.size());
  SetStatus(TF_OK, status);
}

void SetConfiguration(const TF_Filesystem* filesystem,
                      const TF_Filesystem_Option* options, int num_options,
                      TF_Status* status) {
  SetStatus(Of(filesystem).Set(options, num_options), status);
}

void GetOption(const TF_Filesystem* filesystem, const char* key,
               TF_Filesystem_Option** option, TF_Status* status) {
  Option found;
  const TF_Code code = Of(filesystem).Get(key, &found);
  if (code == TF_OK) {
    *option = AllocateArray<TF_Filesystem_Option>(1);
    GiveOption(found, *option);
  }
  SetStatus(code, status);
}

void SetOption(const TF_Filesystem* filesystem,
               const TF_Filesystem_Option* option, TF_Status* status) {
  SetStatus(Of(filesystem).Set(option, 1), status);
}

// L922 has one pointer level too few for an array of strings: the names come in
// one block, each followed by a null byte.
void GetKeys(const TF_Filesystem* filesystem, char** keys, int* num_keys,
             TF_Status* status) {
  std::string block;
  const std::vector<Option> all = Of(filesystem).All();
  for (const Option& option : all) block += option.name + '\0';
  *keys = plugin_memory::CopyString(block);
  *num_keys = static_cast<int>(all.size());
  SetStatus(TF_OK, status);
}

}  // namespace

void AddConfigurationOps(TF_FilesystemOps* ops) {
  ops->get_filesystem_configuration = GetConfiguration;
  ops->set_filesystem_configuration = SetConfiguration;
  ops->get_filesystem_configuration_option = GetOption;
  ops->set_filesystem_configuration_option = SetOption;
  ops->get_filesystem_configuration_keys = GetKeys;
}

}  // namespace memory_plugin
