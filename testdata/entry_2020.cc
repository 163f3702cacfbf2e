// The TF_InitPlugin of an interface that was never released: as TensorFlow's
// sources had it from the 17th of January 2020 on. It begins by allocating with
// its first argument, where today's hosts pass the TF_FilesystemPluginInfo.
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
