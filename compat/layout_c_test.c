// The headers compiled as C11: the same sizes as in C++, all checked at compile
// time.
#include "fsload/env.h"
#include "fsload/filesystem_interface.h"
#include "fsload/logging.h"

_Static_assert(sizeof(TF_RandomAccessFile) == 8, "TF_RandomAccessFile");
_Static_assert(sizeof(TF_WritableFile) == 8, "TF_WritableFile");
_Static_assert(sizeof(TF_ReadOnlyMemoryRegion) == 8, "TF_ReadOnlyMemoryRegion");
_Static_assert(sizeof(TF_Filesystem) == 8, "TF_Filesystem");
_Static_assert(sizeof(TF_TransactionToken) == 16, "TF_TransactionToken");
_Static_assert(sizeof(TF_Filesystem_Option_Value_Union) == 16,
               "TF_Filesystem_Option_Value_Union");
_Static_assert(sizeof(TF_Filesystem_Option_Value) == 16,
               "TF_Filesystem_Option_Value");
_Static_assert(sizeof(TF_Filesystem_Option) == 32, "TF_Filesystem_Option");
_Static_assert(sizeof(TF_FileStatistics) == 24, "TF_FileStatistics");
_Static_assert(sizeof(TF_ThreadOptions) == 24, "TF_ThreadOptions");
_Static_assert(sizeof(TF_RandomAccessFileOps) == 16, "TF_RandomAccessFileOps");
_Static_assert(sizeof(TF_WritableFileOps) == 48, "TF_WritableFileOps");
_Static_assert(sizeof(TF_ReadOnlyMemoryRegionOps) == 24,
               "TF_ReadOnlyMemoryRegionOps");
_Static_assert(sizeof(TF_FilesystemOps) == 264, "TF_FilesystemOps");
_Static_assert(sizeof(TF_FilesystemPluginOps) == 104, "TF_FilesystemPluginOps");
_Static_assert(sizeof(TF_FilesystemPluginInfo) == 32,
               "TF_FilesystemPluginInfo");
_Static_assert(sizeof(TF_Code) == 4, "TF_Code");
_Static_assert(sizeof(TF_LogLevel) == 4, "TF_LogLevel");

int main(void) {
  TF_FilesystemPluginOps ops = {0};
  TF_SetFilesystemVersionMetadata(&ops);
  return ops.filesystem_ops_size == 264 ? 0 : 1;
}
