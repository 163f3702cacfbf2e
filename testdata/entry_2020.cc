// The TF_InitPlugin of an interface that was never released, in TensorFlow's
// sources from 17 January 2020. It first allocates with its first argument,
// where later hosts pass the TF_FilesystemPluginInfo.
#include <cstddef>
#include <cstring>

struct TF_FilesystemPluginInfo;

extern "C" [[gnu::visibility("default")]] int TF_InitPlugin(
    void* (*allocator)(size_t size), TF_FilesystemPluginInfo** info) {
  constexpr size_t kSchemeBytes = 104;
  *info = static_cast<TF_FilesystemPluginInfo*>(allocator(kSchemeBytes));
  std::memset(*info, 0, kSchemeBytes);
  return 1;
}
