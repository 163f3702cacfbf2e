// The variant of broken.cc: the build defines VARIANT, and VARIANT_IS_<name> if
// an entry point differs.
#include <stddef.h>

#include "fsload/filesystem_interface.h"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

namespace broken {

extern const char kVariant[];
const char kVariant[] = TEXT(VARIANT);

void FillPlugin(TF_FilesystemPluginInfo* info);

}  // namespace broken

#if defined(VARIANT_IS_old_entry_2_1)
// TensorFlow 2.1 made plugins call this from TF_InitPlugin(TF_Status*).
extern "C" void RegisterFilesystemPlugin(int abi, int api, size_t size,
                                         const char* scheme,
                                         const TF_FilesystemOps* ops,
                                         TF_Status* status);

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  // The only argument of that generation was a status.
  RegisterFilesystemPlugin(0, 0, 176, "broken", nullptr,
                           reinterpret_cast<TF_Status*>(plugin_info));
}
#elif !defined(VARIANT_IS_no_entry)
void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  broken::FillPlugin(plugin_info);
}
#endif
