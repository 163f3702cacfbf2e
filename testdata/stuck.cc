// The posix plugin, but delete_dir of a directory called "dir" never returns,
// and the first stat of a process takes 3 seconds and prints 1 MiB.
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "fsload/filesystem_interface.h"

// The entry of the posix plugin, which is compiled under this name.
extern "C" void InitPosixPlugin(TF_FilesystemPluginInfo* plugin_info);

namespace {

TF_FilesystemOps g_right;

void DeleteDir(const TF_Filesystem* filesystem, const char* path,
               TF_Status* status) {
  const std::string_view text = path;
  const size_t slash = text.rfind('/');
  while (text.substr(slash + 1) == "dir") pause();
  g_right.delete_dir(filesystem, path, status);
}

bool SleepAndPrint() {
  sleep(3);
  const std::string text(size_t{1} << 20, '.');
  return std::fwrite(text.data(), 1, text.size(), stderr) == text.size();
}

void Stat(const TF_Filesystem* filesystem, const char* path,
          TF_FileStatistics* stats, TF_Status* status) {
  static const bool is_printed = SleepAndPrint();
  static_cast<void>(is_printed);
  g_right.stat(filesystem, path, stats, status);
}

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  InitPosixPlugin(plugin_info);
  TF_FilesystemOps& ops = *plugin_info->ops->filesystem_ops;
  g_right = ops;
  ops.delete_dir = DeleteDir;
  ops.stat = Stat;
}
