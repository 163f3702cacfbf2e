// Mutants of the memory plugin's configuration.
#include <algorithm>
#include <cstring>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"
#include "testdata/plugin_memory.h"

namespace mutants {
namespace {

void SetsNothing(const TF_Filesystem*, const TF_Filesystem_Option*, int,
                 TF_Status* status) {
  Succeed(status);
}

void SetsOneByOne(const TF_Filesystem* fs, const TF_Filesystem_Option* options,
                  int num_options, TF_Status* status) {
  Succeed(status);
  for (int i = 0; i < num_options && IsOk(status); ++i) {
    g_right.fs.set_filesystem_configuration(fs, &options[i], 1, status);
  }
}

void SetsFirst(const TF_Filesystem* fs, const TF_Filesystem_Option* options,
               int num_options, TF_Status* status) {
  g_right.fs.set_filesystem_configuration(fs, options, std::min(num_options, 1),
                                          status);
}

void UnknownHasMemory(const TF_Filesystem* fs, const char* key,
                      TF_Filesystem_Option** option, TF_Status* status) {
  g_right.fs.get_filesystem_configuration_option(fs, key, option, status);
  if (IsOk(status)) return;
  *option = static_cast<TF_Filesystem_Option*>(
      plugin_memory::Allocate(sizeof(TF_Filesystem_Option)));
}

void OptionIsForeign(const TF_Filesystem* fs, const char* key,
                     TF_Filesystem_Option** option, TF_Status* status) {
  g_right.fs.get_filesystem_configuration_option(fs, key, option, status);
  if (!IsOk(status)) return;
  char*& description = (*option)->description;
  char* const foreign = strdup(description);
  plugin_memory::Free(description);
  description = foreign;
}

void OptionHasOneValue(const TF_Filesystem* fs, const char* key,
                       TF_Filesystem_Option** option, TF_Status* status) {
  g_right.fs.get_filesystem_configuration_option(fs, key, option, status);
  if (!IsOk(status) || (*option)->value->num_values < 2) return;
  TF_Filesystem_Option_Value* const value = (*option)->value;
  value->num_values = 1;
  if (value->type_tag == TF_Filesystem_Option_Type_Buffer) {
    plugin_memory::Free(value->values[1].buffer_val.buf);
  }
}

// The block of names, each followed by a null byte, becomes one string.
void JoinsKeys(const TF_Filesystem* fs, char** keys, int* num_keys,
               TF_Status* status) {
  g_right.fs.get_filesystem_configuration_keys(fs, keys, num_keys, status);
  char* key = *keys;
  for (int i = 1; i < *num_keys; ++i) {
    key += std::strlen(key);
    *key = ',';
  }
}

void CountsOneLess(const TF_Filesystem* fs, char** keys, int* num_keys,
                   TF_Status* status) {
  g_right.fs.get_filesystem_configuration_keys(fs, keys, num_keys, status);
  --*num_keys;
}

void LosesLast(const TF_Filesystem* fs, TF_Filesystem_Option** options,
               int* num_options, TF_Status* status) {
  g_right.fs.get_filesystem_configuration(fs, options, num_options, status);
  --*num_options;
}

}  // namespace

Changes ConfigurationChanges() {
  return {
      {"memory.set-all-ignored",
       Put<&Fs::set_filesystem_configuration, SetsNothing>},
      {"memory.set-all-sets-part",
       Put<&Fs::set_filesystem_configuration, SetsOneByOne>},
      {"memory.set-all-sets-first",
       Put<&Fs::set_filesystem_configuration, SetsFirst>},
      {"memory.set-other-type-is-ok",
       After<&Fs::set_filesystem_configuration_option,
             Recode<TF_INVALID_ARGUMENT, TF_OK>>},
      {"memory.set-unknown-is-ok",
       After<&Fs::set_filesystem_configuration_option,
             Recode<TF_NOT_FOUND, TF_OK>>},
      {"memory.option-unknown-is-invalid",
       After<&Fs::get_filesystem_configuration_option,
             Recode<TF_NOT_FOUND, TF_INVALID_ARGUMENT>>},
      {"memory.option-unknown-has-memory",
       Put<&Fs::get_filesystem_configuration_option, UnknownHasMemory>},
      {"memory.option-foreign-memory",
       Put<&Fs::get_filesystem_configuration_option, OptionIsForeign>},
      {"memory.option-has-one-value",
       Put<&Fs::get_filesystem_configuration_option, OptionHasOneValue>},
      {"memory.keys-joined",
       Put<&Fs::get_filesystem_configuration_keys, JoinsKeys>},
      {"memory.keys-one-less",
       Put<&Fs::get_filesystem_configuration_keys, CountsOneLess>},
      {"memory.options-lose-last",
       Put<&Fs::get_filesystem_configuration, LosesLast>},
  };
}

}  // namespace mutants
